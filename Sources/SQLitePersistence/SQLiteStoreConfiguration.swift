import MachineCore

/// Where an SQLite store lies and how its connections work.
package struct SQLiteStoreConfiguration: Sendable {
  /// `PRAGMA journal_mode`.
  package enum JournalMode: String, CaseIterable, Sendable, Codable {
    case wal
    case delete
    case truncate
    case persist
    case memory
    /// Nothing can be rolled back: a save that fails or conflicts leaves the file in an undefined state.
    case off
  }

  /// `PRAGMA synchronous`.
  package enum Synchronous: String, CaseIterable, Sendable, Codable {
    case off
    case normal
    case full
    case extra
  }

  /// The database file; made if it does not exist. Its folder must.
  package var path: String
  /// 1 = one connection for everything; N = N connections for readers and one more for the writer.
  package var poolSize: Int
  package var journalMode: JournalMode
  package var synchronous: Synchronous
  /// How long a statement waits for a lock that another connection holds before it fails with `.busy`.
  package var busyLimit: Span
  /// Called on the executing thread with every statement that a connection begins after it was opened, PRAGMA excluded.
  package var onStatement: (@Sendable (_ sql: String) -> Void)?

  package init(
    path: String, poolSize: Int = 1, journalMode: JournalMode = .wal, synchronous: Synchronous = .normal,
    busyLimit: Span = .seconds(10), onStatement: (@Sendable (_ sql: String) -> Void)? = nil
  ) {
    guard poolSize >= 1 else { trapMisuse("a pool of \(poolSize) connections cannot serve anybody; at least 1") }
    self.path = path
    self.poolSize = poolSize
    self.journalMode = journalMode
    self.synchronous = synchronous
    self.busyLimit = busyLimit
    self.onStatement = onStatement
  }
}
