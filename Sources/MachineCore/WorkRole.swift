/// The purpose for which work is done. Work is counted separately for each role.
///
/// A thread has a role while it runs a block. A block inherits the role of the thread that posted it, and the body of a
/// `sync` has the caller's role: a fetch that main runs for a worker still counts for the import.
public enum WorkRole: UInt8, CaseIterable, Sendable {
  /// The work that an import causes.
  case importing
  /// The work for the user: frames, edits, merges and refetches.
  case ui
}
