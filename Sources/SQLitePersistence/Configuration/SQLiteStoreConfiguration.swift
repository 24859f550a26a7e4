import MachineCore

/// Where an SQLite store lies and how its connections work.
public struct SQLiteStoreConfiguration: Sendable {
  /// `PRAGMA journal_mode`.
  public enum JournalMode: String, CaseIterable, Sendable, Codable {
    case wal
    case delete
    case truncate
    case persist
    case memory
    /// Nothing can be rolled back: a save that fails or conflicts leaves the file in an undefined state.
    case off
  }

  /// `PRAGMA synchronous`.
  public enum Synchronous: String, CaseIterable, Sendable, Codable {
    case off
    case normal
    case full
    case extra
  }

  /// How SQLite reaches the store's files.
  public enum FileAccess: Hashable, Sendable {
    /// Through SQLite's default VFS; the machine hears nothing of pages and syncs.
    case direct
    /// Through a VFS shim over the default one, which reports pages and syncs as work while SQLite holds its locks.
    ///
    /// `passesSyncsOn` = whether a sync reaches the file. Counted and reported it is in any case: where another device
    /// is simulated, what this one takes for it is time lost.
    case counted(passesSyncsOn: Bool)
  }

  /// What a request does with the connection that it has.
  package enum ConnectionUse: Hashable, Sendable {
    /// The request has the connection; nobody else has until it is given back.
    case taken
    /// A statement begins, PRAGMA excluded.
    case statement(String)
    /// The request is about to give the connection back; its work has been reported.
    case left
  }

  /// The database file; made if it does not exist. Its folder must.
  public var path: String
  /// 1 = one connection for everything; N = N connections for readers and one more for the writer.
  public var poolSize: Int
  public var journalMode: JournalMode
  public var synchronous: Synchronous
  /// `PRAGMA fullfsync` and `checkpoint_fullfsync`: whether each sync is to be a full flush.
  public var fullfsync: Bool
  /// How long a statement waits for a lock that another connection holds before it fails with `.busy`.
  public var busyLimit: Span
  /// `PRAGMA max_page_count`: how many pages of 4,096 bytes the file may grow to; none = SQLite's own limit. A save that
  /// needs more fails with `.full` and writes nothing.
  public var maximumPageCount: Int?
  /// How many bytes of a value are kept in its row where its attribute allows external storage; longer ones get a file of
  /// their own. Core Data's limit is not documented; about 100 KB were seen.
  public var externalDataLimit = 102_400
  /// The UUID of a store that is made; none = a random one. A store that exists keeps its own.
  public var identifier: String?
  public var fileAccess: FileAccess
  /// The configuration of the model whose entities the store takes; nil = all. It has no tables for others.
  public var modelConfiguration: String?
  /// A Boolean value that is true if saves and batch requests write persistent history, as Core Data's
  /// `NSPersistentHistoryTrackingKey` has it; false by default.
  ///
  /// A file that has history goes on with it whatever the value, since a gap could not be told from a time without
  /// changes. Each transaction then costs a row for itself and one for each changed object.
  public var tracksHistory = false
  /// The process that history names as the writer of transactions.
  public var historyIdentity = HistoryIdentity()
  /// Called on the executing thread with every statement that a connection begins after it was opened, PRAGMA excluded.
  public var onStatement: (@Sendable (_ sql: String) -> Void)?
  /// Called on the executing thread with every step of every request, for traces: takes a while, changes nothing.
  package var onConnectionUse: (@Sendable (_ connection: String, ConnectionUse) -> Void)?

  public init(
    path: String, poolSize: Int = 1, journalMode: JournalMode = .wal, synchronous: Synchronous = .normal,
    fullfsync: Bool = false, busyLimit: Span = .seconds(10), identifier: String? = nil,
    fileAccess: FileAccess = .direct,
    onStatement: (@Sendable (_ sql: String) -> Void)? = nil
  ) {
    guard poolSize >= 1 else { trapMisuse("a pool of \(poolSize) connections cannot serve anybody; at least 1") }
    guard identifier != "" else { trapMisuse("a store cannot have an empty identifier") }
    self.path = path
    self.poolSize = poolSize
    self.journalMode = journalMode
    self.synchronous = synchronous
    self.fullfsync = fullfsync
    self.busyLimit = busyLimit
    self.identifier = identifier
    self.fileAccess = fileAccess
    self.onStatement = onStatement
  }
}
