import MachineCore

/// The location of an SQLite store and the settings of its connections.
public struct SQLiteStoreConfiguration: Sendable {
  /// The modes of SQLite's journal (`PRAGMA journal_mode`).
  public enum JournalMode: String, CaseIterable, Sendable, Codable {
    case wal
    case delete
    case truncate
    case persist
    case memory
    /// Transactions cannot be rolled back: a save that fails or conflicts leaves the file in an undefined state.
    case off
  }

  /// The extents to which SQLite syncs what it writes (`PRAGMA synchronous`).
  public enum Synchronous: String, CaseIterable, Sendable, Codable {
    case off
    case normal
    case full
    case extra
  }

  /// The ways in which SQLite can access the store's files.
  public enum FileAccess: Hashable, Sendable {
    /// SQLite uses its default VFS. Pages and syncs are not reported to the machine.
    case direct
    /// SQLite uses a VFS shim over the default VFS. The shim reports pages and syncs to the machine as work while
    /// SQLite holds its locks.
    ///
    /// If `passesSyncsOn` is true, syncs are passed on to the file. They are counted and reported in either case. A
    /// benchmark that simulates another device can omit the syncs of the real device, whose time would be wasted.
    case counted(passesSyncsOn: Bool)
  }

  /// The steps of a request's use of a connection.
  package enum ConnectionUse: Hashable, Sendable {
    /// The request has taken the connection. Other requests wait until it is returned.
    case taken
    /// A statement other than a PRAGMA begins. The value is its SQL.
    case statement(String)
    /// The request is about to return the connection. Its work has been reported.
    case left
  }

  /// The path of the database file. The file is created if it does not exist; its folder must exist.
  public var path: String
  /// The number of connections for readers. If it is 1, the store has one connection for both reading and writing;
  /// otherwise it has one more connection for the writer. The default is 1.
  public var poolSize: Int
  /// The journal mode of the file. The default is a write-ahead log.
  public var journalMode: JournalMode
  /// The extent to which SQLite syncs what it writes. The default is `normal`.
  public var synchronous: Synchronous
  /// Indicates whether each sync is a full flush (`PRAGMA fullfsync` and `checkpoint_fullfsync`).
  public var fullfsync: Bool
  /// The time that a statement waits for a lock of another connection before it fails with `.busy`. The default is
  /// 10 seconds.
  public var busyLimit: TimeSpan
  /// The maximum size of the file in pages of 4,096 bytes (`PRAGMA max_page_count`), or nil for SQLite's own limit. A
  /// save that needs more pages fails with `.full` and has no effect.
  public var maximumPageCount: Int?
  /// The maximum number of bytes of a value that is stored in its row if its attribute allows external storage. Longer
  /// values are stored in their own files. Core Data's limit is not documented; about 100 KB were observed.
  public var externalDataLimit = 102_400
  /// The UUID of a new store, or nil for a random one. An existing store keeps its UUID.
  public var identifier: String?
  /// The way in which SQLite accesses the store's files.
  public var fileAccess: FileAccess
  /// Indicates whether the contents of the store's files are in memory while a store has them open, if file access is
  /// counted. They are written when the last store of this process that uses the files closes.
  package var keepsFilesInMemory = false
  /// The faults that occur in calls on the store's files if file access is counted, or nil.
  package var faults: FileFaults?
  /// The name of the configuration of the model whose entities the store holds, or nil for all entities. The store has
  /// no tables for other entities, except for those that share a table with one of these.
  public var modelConfiguration: String?
  /// Indicates whether saves and batch requests write persistent history, as with Core Data's
  /// `NSPersistentHistoryTrackingKey`. The default is false.
  ///
  /// A file that already has history continues it regardless of this value, since a gap could not be distinguished from
  /// a period without changes. Each transaction then writes one row for itself and one for each changed object.
  public var tracksHistory = false
  /// The process that history names as the writer of transactions.
  public var historyIdentity = HistoryIdentity()
  /// A closure that is called on the executing thread with the SQL of each statement, except PRAGMA, that a connection
  /// begins after it was opened.
  public var onStatement: (@Sendable (_ sql: String) -> Void)?
  /// A closure that is called on the executing thread with each statement that meets a lock of another connection on the
  /// file. It is called once for each such wait, before the statement waits and is tried again.
  public var onBusy: (@Sendable () -> Void)?
  /// The beginning of the names of the connections in traces, which tells apart the stores of several coordinators.
  package var connectionName = "store"
  /// A closure for traces that is called on the executing thread with each step of each request. The calls take some
  /// time but do not affect the store.
  package var onConnectionUse: (@Sendable (_ connection: String, ConnectionUse) -> Void)?

  /// Creates a configuration. Traps if `poolSize` is less than 1 or `identifier` is empty.
  ///
  /// - Parameters:
  ///   - path: the path of the database file.
  ///   - poolSize: the number of connections for readers.
  ///   - journalMode: the journal mode of the file.
  ///   - synchronous: the extent to which SQLite syncs what it writes.
  ///   - fullfsync: true if each sync is a full flush.
  ///   - busyLimit: the time that a statement waits for a lock of another connection.
  ///   - identifier: the UUID of a new store, or nil for a random one.
  ///   - fileAccess: the way in which SQLite accesses the store's files.
  ///   - onStatement: a closure that is called with the SQL of each statement, as the property says, or nil.
  public init(
    path: String, poolSize: Int = 1, journalMode: JournalMode = .wal, synchronous: Synchronous = .normal,
    fullfsync: Bool = false, busyLimit: TimeSpan = .seconds(10), identifier: String? = nil,
    fileAccess: FileAccess = .direct,
    onStatement: (@Sendable (_ sql: String) -> Void)? = nil
  ) {
    guard poolSize >= 1 else { trapMisuse("a pool must have at least 1 connection, not \(poolSize)") }
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
