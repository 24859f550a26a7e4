import ContextEngine
import MachineCore

/// The connections of a store: some for readers and one for the writer, or one for everything.
///
/// A request holds a connection's lock for as long as it uses the connection, so each connection is used by one thread
/// at a time. Connections are opened when they are first needed. Only locks of the machine block here.
package final class SQLiteConnectionPool: Sendable {
  private let readers: [SQLiteConnectionSlot]
  private let writer: SQLiteConnectionSlot
  private let users: ReaderUsers
  /// The VFS shim through which all connections access the file, or nil if file access is direct. It is the shim of the
  /// writer's connection.
  package let fileSystem: CountingFileSystem?

  /// Creates the connections of a store from the connection of its writer. The pool opens the other connections.
  init(_ machine: any Machine, configuration: SQLiteStoreConfiguration, writer connection: SQLiteConnection) {
    let size = configuration.poolSize
    let fileSystem = connection.fileSystem
    self.fileSystem = fileSystem
    let writer = SQLiteConnectionSlot(
      machine, label: "\(configuration.connectionName) \(size == 1 ? "connection" : "writer")",
      configuration: configuration,
      fileSystem: fileSystem)
    writer.fill(with: connection)
    self.writer = writer
    // A pool of one connection uses the writer's connection for reading too.
    readers =
      size == 1
      ? [writer]
      : (0..<size).map {
        SQLiteConnectionSlot(
          machine, label: "\(configuration.connectionName) reader \($0)", configuration: configuration,
          fileSystem: fileSystem)
      }
    users = ReaderUsers(machine, count: size)
  }

  /// Runs `body` with the readers' connection that has the fewest users. Blocks while that connection is in use.
  ///
  /// Readers open the file for writing too, because a connection to a file with a write-ahead log writes to the log's
  /// shared index (read marks, recovery). Readers only run single SELECTs outside of transactions, so that each sees
  /// the last commit and does not delay a checkpoint for longer than one request. The connection of a store that is
  /// pinned to a generation is the exception: it keeps one read transaction.
  package func withReader<Result>(
    _ body: (SQLiteConnection) throws(PersistenceError) -> Result
  ) throws(PersistenceError) -> Result {
    let index = users.enter()
    defer { users.leave(index) }
    return try readers[index].withConnection(body)
  }

  /// Runs `body` with the connection for writing. Blocks while that connection is in use.
  package func withWriter<Result>(
    _ body: (SQLiteConnection) throws(PersistenceError) -> Result
  ) throws(PersistenceError) -> Result {
    try writer.withConnection(body)
  }

  /// Closes all connections, the writer's last and after a checkpoint. A second call has no effect.
  ///
  /// Waits for requests in progress. If closing a connection fails, the other connections are closed before the first
  /// error is thrown. The VFS shim, if there is one, is unregistered at the end.
  func close() throws(PersistenceError) {
    defer { fileSystem?.unregister() }
    try closeConnections(checkpointing: true)
  }

  /// Closes all connections without unregistering the VFS shim, which another store still uses.
  func closeConnections(checkpointing: Bool) throws(PersistenceError) {
    var failure: PersistenceError?
    for slot in readers + [writer] {
      do throws(PersistenceError) {
        try slot.close(checkpointing: checkpointing && slot === writer)
      } catch {
        failure = failure ?? error
      }
    }
    if let failure { throw failure }
  }

  /// Calls `body` with every open connection, one after the other, under its lock.
  package func forEachOpenConnection(_ body: (SQLiteConnection) -> Void) {
    for slot in readers.first === writer ? readers : readers + [writer] {
      slot.withOpenConnection(body)
    }
  }
}

/// The number of requests that use or wait for each reader.
private final class ReaderUsers: @unchecked Sendable {
  // `@unchecked`: `counts` is touched under `lock` only, and no two accesses ever overlap.
  private let lock: any MachineLock
  /// Indicates whether there is more than one connection to choose from.
  private let isChoice: Bool
  private var counts: [Int]

  init(_ machine: any Machine, count: Int) {
    lock = machine.makeLock(label: "store pool")
    isChoice = count > 1
    counts = Array(repeating: 0, count: count)
  }

  /// Returns the index of the reader with the fewest users, the first if there are several, and counts the caller as
  /// its user.
  func enter() -> Int {
    guard isChoice else { return 0 }
    return lock.withLock {
      var best = 0
      for index in 1..<counts.count where counts[index] < counts[best] { best = index }
      counts[best] += 1
      return best
    }
  }

  func leave(_ index: Int) {
    guard isChoice else { return }
    lock.withLock { counts[index] -= 1 }
  }
}

/// A place for one connection, and the lock that decides which thread owns it.
private final class SQLiteConnectionSlot: @unchecked Sendable {
  // `@unchecked`: `connection` and `isClosed` are touched under `lock` only, and no two accesses ever overlap.
  private let machine: any Machine
  private let label: String
  private let lock: any MachineLock
  private let configuration: SQLiteStoreConfiguration
  private let fileSystem: CountingFileSystem?
  private var connection: SQLiteConnection?
  private var isClosed = false

  init(
    _ machine: any Machine, label: String, configuration: SQLiteStoreConfiguration, fileSystem: CountingFileSystem?
  ) {
    self.machine = machine
    self.label = label
    lock = machine.makeLock(label: label)
    self.configuration = configuration
    self.fileSystem = fileSystem
  }

  func fill(with opened: SQLiteConnection) {
    opened.events.label = label
    lock.withLock { connection = opened }
  }

  func withConnection<Result>(
    _ body: (SQLiteConnection) throws(PersistenceError) -> Result
  ) throws(PersistenceError) -> Result {
    try lock.withLock { () throws(PersistenceError) -> Result in
      let connection = try openIfNeeded()
      configuration.onConnectionUse?(label, .taken)
      connection.events.requests += 1
      defer {
        connection.endRequest()
        configuration.onConnectionUse?(label, .left)
      }
      return try body(connection)
    }
  }

  func withOpenConnection(_ body: (SQLiteConnection) -> Void) {
    lock.withLock {
      if let connection { body(connection) }
    }
  }

  func close(checkpointing: Bool) throws(PersistenceError) {
    try lock.withLock { () throws(PersistenceError) in
      isClosed = true
      let closing = connection
      connection = nil
      try closing?.close(checkpointing: checkpointing)
    }
  }

  private func openIfNeeded() throws(PersistenceError) -> SQLiteConnection {
    if let connection { return connection }
    guard !isClosed else { throw PersistenceError(.storeOpen, "the store has been closed", path: configuration.path) }
    let opened = try SQLiteConnection(
      machine, configuration: configuration, fileSystem: fileSystem, creating: false)
    try opened.configure(configuration)
    try opened.beginReporting()
    opened.events.label = label
    connection = opened
    return opened
  }
}
