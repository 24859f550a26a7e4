import ContextEngine
import MachineCore

/// One connection to a store's file, opened without SQLite's mutex: whoever holds its lock owns it.
///
/// Keeps its prepared statements. A connection is used for one request at a time; `endRequest` closes each.
final class SQLiteConnection {
  let path: String
  let events: SQLiteConnectionEvents
  let machine: any Machine
  private let database: DatabaseHandle
  /// Kept for as long as SQLite may call it.
  let fileSystem: CountingFileSystem?
  // Unchecked exclusivity: as for `SQLiteStatement`.
  @exclusivity(unchecked)
  private var statements: [String: SQLiteStatement] = [:]
  @exclusivity(unchecked)
  private var entityStatements: [EntityStatements] = []
  private var isClosed = false

  /// How many statements are kept before all are let go; predicates make new texts without end.
  private static let statementLimit = 256

  /// The statements that a save or a fault runs once a row, found without hashing their text.
  private struct EntityStatements {
    var selectionByKey: SQLiteStatement?
    var insertion: SQLiteStatement?
    var deletion: SQLiteStatement?
    /// By the slots that they set.
    var updates: [UInt64: SQLiteStatement] = [:]
  }

  /// Opens the file; `creating` = make it if it does not exist. Reads and writes nothing yet.
  ///
  /// - Parameter fileSystem: the shim between SQLite and the file; none = direct access.
  init(
    _ machine: any Machine, configuration: SQLiteStoreConfiguration, fileSystem: CountingFileSystem?, creating: Bool
  ) throws(PersistenceError) {
    path = configuration.path
    self.machine = machine
    self.fileSystem = fileSystem
    events = SQLiteConnectionEvents(machine, configuration: configuration)
    let opened = DatabaseHandle.open(path, creating: creating, fileSystem: fileSystem?.name)
    guard let handle = opened.handle else {
      throw PersistenceError(sqliteCode: opened.code, reason: opened.message, doing: "opening the store", path: path)
    }
    database = handle
    do throws(PersistenceError) {
      guard !handle.isReadOnly else {
        throw PersistenceError(.storeOpen, "the store's file may not be written", path: path)
      }
      try check(handle.reportBusy(to: events), doing: "setting the busy handler")
      // Core Data's keep derived attributes, by functions that its own connections have; here the engine computes them.
      try check(handle.disableTriggers(), doing: "keeping triggers from firing")
      try check(SQLiteListTable.register(on: handle), doing: "registering the table of lists")
      try check(SQLiteTextFunctions.register(on: handle), doing: "registering the functions of predicates")
      try check(DecimalOrder.register(on: handle), doing: "registering the order of decimal numbers")
    } catch {
      _ = handle.close()
      isClosed = true
      throw error
    }
  }

  deinit {
    // A store that was not closed; nobody is left to hear of an error.
    try? close(checkpointing: false)
  }

  /// Starts to trace and count statements and commits: what opening runs is no work of any request.
  func beginReporting() throws(PersistenceError) {
    // Those of opening go, so that a new store and one that existed prepare the same from here on.
    finaliseStatements()
    events.beginReporting()
    try check(database.reportStatementsAndCommits(to: events), doing: "setting the trace")
  }

  /// Ends a request: reports its work and lets statements go that have become too many.
  func endRequest() {
    events.requestEnds()
    events.report()
    if statements.count > Self.statementLimit { finaliseStatements() }
  }

  /// Runs `body` and tells an asynchronous fetch, where there is one, of the rows that it reads.
  ///
  /// - Throws: `.userCancelled` where that was given up meanwhile; what `body` throws.
  func following<Result>(
    _ progress: FetchProgress?, _ body: () throws(PersistenceError) -> Result
  ) throws(PersistenceError) -> Result {
    guard let progress else { return try body() }
    events.follow(progress)
    try check(database.reportProgress(to: events, true), doing: "following a fetch")
    defer {
      events.follow(nil)
      _ = database.reportProgress(to: events, false)
    }
    do throws(PersistenceError) {
      let result = try body()
      try progress.check()
      return result
    } catch {
      // SQLite says that it was interrupted; why is known here.
      try progress.check()
      throw error
    }
  }

  /// How many statements run at the moment: 0 between two requests.
  var busyStatementCount: Int { database.busyStatementCount }

  /// How many prepared statements are kept.
  var statementCount: Int { statements.count }

  /// The rows that the last writing statement changed.
  var changeCount: Int64 { database.changeCount }

  /// Numbers that change with every write to the file, by this connection (the first) or any other (the second).
  func changeToken() throws(PersistenceError) -> [Int64] {
    let statement = try statement("PRAGMA data_version")
    defer { statement.finish() }
    guard try statement.step() else {
      throw PersistenceError(.sqlite, "the file does not tell its data version", sql: statement.sql, path: path)
    }
    return [database.totalChangeCount, statement.column(0).integer]
  }

  /// Finalises all statements and closes; a second call does nothing.
  ///
  /// - Parameter checkpointing: whether the write-ahead log is copied into the database and cut to nothing first. Where
  ///   another connection keeps the file busy, the log stays, and whoever closes last takes care of it.
  func close(checkpointing: Bool) throws(PersistenceError) {
    guard !isClosed else { return }
    isClosed = true
    finaliseStatements()
    var failure: PersistenceError?
    if checkpointing {
      events.waitsForLocks = false
      let code = database.checkpointTruncating()
      if code & 0xff != ResultCode.busy, code != ResultCode.ok { failure = error(code, doing: "the last checkpoint") }
    }
    let code = database.close()
    if code == ResultCode.busy { trapMisuse("a connection to \(path) was closed while a statement of it was in use") }
    if code != ResultCode.ok, failure == nil { failure = error(code, doing: "closing the store") }
    if let failure { throw failure }
  }
}

// MARK: - Statements

extension SQLiteConnection {
  /// The statement with this text, prepared if it is not kept already. Whoever takes it finishes it.
  func statement(_ sql: String) throws(PersistenceError) -> SQLiteStatement {
    if let statement = statements[sql] { return statement }
    let statement = try prepare(sql)
    statements[sql] = statement
    return statement
  }

  /// Runs a statement without values or rows.
  func execute(_ sql: String) throws(PersistenceError) {
    let statement = try statement(sql)
    defer { statement.finish() }
    try statement.run()
  }

  /// Prepares a statement, runs it and hands each row to `body`; keeps nothing. For opening and for PRAGMA.
  func executeOnce(
    _ sql: String, bind: (SQLiteStatement) throws(PersistenceError) -> Void = { _ in },
    row body: (SQLiteStatement) throws(PersistenceError) -> Void = { _ in }
  ) throws(PersistenceError) {
    let statement = try prepare(sql)
    defer {
      statement.finish()
      statement.finalise()
    }
    try bind(statement)
    while try statement.step() { try body(statement) }
  }

  func selectionByKey(of table: EntityTable) throws(PersistenceError) -> SQLiteStatement {
    if let statement = entityStatements[known(table)].selectionByKey { return statement }
    let statement = try statement(table.selectionByKeySQL)
    entityStatements[table.index].selectionByKey = statement
    return statement
  }

  func insertion(into table: EntityTable) throws(PersistenceError) -> SQLiteStatement {
    if let statement = entityStatements[known(table)].insertion { return statement }
    let statement = try statement(table.insertionSQL)
    entityStatements[table.index].insertion = statement
    return statement
  }

  func deletion(from table: EntityTable) throws(PersistenceError) -> SQLiteStatement {
    if let statement = entityStatements[known(table)].deletion { return statement }
    let statement = try statement(table.deletionSQL)
    entityStatements[table.index].deletion = statement
    return statement
  }

  func update(of table: EntityTable, slots: UInt64) throws(PersistenceError) -> SQLiteStatement {
    if let statement = entityStatements[known(table)].updates[slots] { return statement }
    let statement = try statement(table.updateSQL(slots: slots))
    entityStatements[table.index].updates[slots] = statement
    return statement
  }

  /// The index of the table, for which there is a place after this call.
  private func known(_ table: EntityTable) -> Int {
    while entityStatements.count <= table.index { entityStatements.append(EntityStatements()) }
    return table.index
  }

  private func prepare(_ sql: String) throws(PersistenceError) -> SQLiteStatement {
    let prepared = database.prepare(sql)
    guard let handle = prepared.statement, prepared.code == ResultCode.ok else {
      throw error(prepared.code, doing: "preparing a statement of the store", sql: sql)
    }
    events.statementsPrepared += 1
    return SQLiteStatement(handle, sql: sql, database: database, path: path, events: events)
  }

  private func finaliseStatements() {
    entityStatements.removeAll()
    for statement in statements.values { statement.finalise() }
    statements.removeAll()
  }

  private func check(_ code: Int32, doing what: String) throws(PersistenceError) {
    guard code == ResultCode.ok else { throw error(code, doing: what) }
  }

  private func error(_ code: Int32, doing what: String, sql: String? = nil) -> PersistenceError {
    PersistenceError(sqliteCode: code, reason: database.errorMessage, doing: what, sql: sql, path: path)
  }
}

// MARK: - Transactions

extension SQLiteConnection {
  /// Begins a transaction that writes.
  ///
  /// `BEGIN EXCLUSIVE` in every journal mode, as Core Data does. With a write-ahead log that is the same as IMMEDIATE
  /// (readers go on); without one it keeps readers out from the start, so that COMMIT never has to wait for them while
  /// others already wait for it.
  func beginTransaction() throws(PersistenceError) {
    // Work so far is settled before others can see the lock.
    _ = machine.now
    try execute("BEGIN EXCLUSIVE")
  }

  /// Begins a transaction that only reads and lasts: from here on the connection sees the rows as they are now.
  func beginReading() throws(PersistenceError) {
    try execute("BEGIN")
    // The first read takes hold of the state.
    let statement = try statement("SELECT Z_VERSION FROM Z_METADATA")
    defer { statement.finish() }
    _ = try statement.step()
  }

  /// Commits; the instant is the return of COMMIT.
  func commit() throws(PersistenceError) -> Instant {
    // The work of the transaction takes its time before others can see its result.
    events.report()
    _ = machine.now
    try execute("COMMIT")
    return machine.now
  }

  /// Gives up the transaction. An error of ROLLBACK changes nothing: SQLite has rolled back by itself then.
  func rollback() {
    events.report()
    _ = machine.now
    if database.isInTransaction { try? execute("ROLLBACK") }
  }

  /// Runs `body` in a transaction that writes, and commits; rolls back if it throws.
  func inTransaction<Result>(
    _ body: () throws(PersistenceError) -> Result
  ) throws(PersistenceError) -> (result: Result, committed: Instant) {
    try beginTransaction()
    do throws(PersistenceError) {
      let result = try body()
      return (result, try commit())
    } catch {
      rollback()
      throw error
    }
  }
}
