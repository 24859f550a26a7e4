/// On whose behalf work is done: counters are kept for each.
///
/// A role belongs to a thread while it runs a block. A block inherits the role of the thread that posted it, and `sync`
/// takes the caller's along: a worker's fetch that main runs for it is still the import's.
public enum WorkRole: UInt8, CaseIterable, Sendable {
  /// Work that an import caused.
  case importing
  /// Frames, edits, merges and refetches: what the user's side of the app does.
  case ui
}
