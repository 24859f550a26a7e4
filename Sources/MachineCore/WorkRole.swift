/// The purpose for which work is done. Work is counted separately for each role.
///
/// A thread has a role while it runs a block. A block inherits the role of the thread that posted it, and the body of a
/// `sync` has the caller's role: a fetch that main runs for a worker still counts as background work.
public enum WorkRole: UInt8, CaseIterable, Sendable {
  /// Work for which the user does not wait, such as an import.
  case background
  /// Work for the user interface, such as frames and merges.
  case user
}
