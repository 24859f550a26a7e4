import ContextEngine
import MachineCore

/// A connection to a store's file, opened without SQLite's mutex. The thread that holds the connection's lock owns it.
///
/// The connection keeps its prepared statements. It is used for one request at a time, which `endRequest` ends.
package final class SQLiteConnection {
  let path: String
  let events: SQLiteConnectionEvents
  let machine: any Machine
  private let database: DatabaseHandle
  /// The VFS shim, retained for as long as SQLite may call it, or nil if file access is direct.
  let fileSystem: CountingFileSystem?
  private var statements: [String: SQLiteStatement] = [:]
  private var entityStatements: [EntityStatements] = []
  private var isClosed = false

  /// The number of statements that are kept before all are finalised. Predicates can produce any number of different
  /// texts.
  private static let statementLimit = 256

  /// The statements that a save or a fault runs once per row, found without hashing their text.
  private struct EntityStatements {
    var selectionByKey: SQLiteStatement?
    var insertion: SQLiteStatement?
    var deletion: SQLiteStatement?
    /// The UPDATE statements by the slots that they set.
    var updates: [SlotSet: SQLiteStatement] = [:]
  }

  /// Opens the file, and creates it if `creating` is true and it does not exist. Does not read or write the file yet.
  ///
  /// - Parameters:
  ///   - machine: the machine that provides time, and to which work is reported.
  ///   - configuration: the location of the store and the settings of the connection.
  ///   - fileSystem: the VFS shim between SQLite and the file, or nil for direct access.
  ///   - creating: true if the file is created when it does not exist.
  /// - Throws: `.storeOpen` if the file may not be written, or SQLite's error if the connection cannot be opened or set
  ///   up.
  package init(
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
      // The triggers of Core Data's files compute derived attributes with functions that only Core Data's connections
      // have. Here the engine computes these attributes.
      try check(handle.disableTriggers(), doing: "keeping triggers from firing")
      try check(SQLiteListTable.register(on: handle), doing: "registering the table of lists")
      try check(
        SQLiteTextFunctions.register(on: handle, events: events), doing: "registering the functions of predicates")
      try check(DecimalOrder.register(on: handle), doing: "registering the order of decimal numbers")
    } catch {
      _ = handle.close()
      isClosed = true
      throw error
    }
  }

  deinit {
    // The store was not closed, and no caller is left to receive an error.
    try? close(checkpointing: false)
  }

  /// Starts to report statements and commits. The work of opening the connection does not belong to a request.
  func beginReporting() throws(PersistenceError) {
    // The statements of opening are finalised, so that a new store and an existing one prepare the same statements from
    // here on.
    finaliseStatements()
    events.beginReporting()
    try check(database.reportStatementsAndCommits(to: events), doing: "setting the trace")
  }

  /// Ends a request: reports its work, and finalises the kept statements if there are too many.
  func endRequest() {
    events.requestEnds()
    events.report()
    if statements.count > Self.statementLimit { finaliseStatements() }
  }

  /// Runs `body`, and reports the rows that it reads to an asynchronous fetch if there is one.
  ///
  /// - Throws: `.userCancelled` if the fetch was cancelled; the errors of `body`.
  func following<Result>(
    _ progress: FetchProgress?, body: () throws(PersistenceError) -> Result
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
      // SQLite only reports an interruption. If the fetch was cancelled, that is the error to throw.
      try progress.check()
      throw error
    }
  }

  /// The number of statements that are running; 0 between two requests.
  package var busyStatementCount: Int { database.busyStatementCount }

  /// The number of prepared statements that are kept.
  package var statementCount: Int { statements.count }

  /// The greatest number of columns that a table can have.
  var columnLimit: Int { database.columnLimit }

  /// The number of rows that the last writing statement changed.
  var changeCount: Int64 { database.changeCount }

  /// Returns two numbers that change with writes to the file: the first with writes of this connection, the second with
  /// writes of any other connection.
  func changeToken() throws(PersistenceError) -> [Int64] {
    let statement = try statement("PRAGMA data_version")
    defer { statement.finish() }
    guard try statement.step() else {
      throw PersistenceError(.sqlite, "SQLite returned no data version of the file", sql: statement.sql, path: path)
    }
    return [database.totalChangeCount, statement.column(0).integer]
  }

  /// Finalises all statements and closes the connection. A second call has no effect.
  ///
  /// - Parameter checkpointing: true if the write-ahead log is first copied into the database and truncated. If another
  ///   connection keeps the file busy, the log remains, and the last connection to close checkpoints it.
  /// - Throws: `PersistenceError` if the checkpoint or the closing fails. A failed checkpoint does not keep the
  ///   connection open.
  package func close(checkpointing: Bool) throws(PersistenceError) {
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
  /// Returns the statement with the given text, and prepares it if it is not kept already. The caller must call
  /// `finish()` on the statement.
  func statement(_ sql: String) throws(PersistenceError) -> SQLiteStatement {
    if let statement = statements[sql] { return statement }
    let statement = try prepare(sql)
    statements[sql] = statement
    return statement
  }

  /// Runs a statement without values or rows.
  package func execute(_ sql: String) throws(PersistenceError) {
    let statement = try statement(sql)
    defer { statement.finish() }
    try statement.run()
  }

  /// Prepares a statement, runs it, passes each row to `body`, and finalises it. Used while opening and for PRAGMA.
  package func executeOnce(
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

  func update(of table: EntityTable, slots: SlotSet) throws(PersistenceError) -> SQLiteStatement {
    if let statement = entityStatements[known(table)].updates[slots] { return statement }
    let statement = try statement(table.updateSQL(slots: slots))
    entityStatements[table.index].updates[slots] = statement
    return statement
  }

  /// Returns the table's index, after it has made room for the table's statements.
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
    let shown = SQLiteTextFunctions.shown(sql)
    if shown != nil { events.show(shown, insteadOf: handle.text) }
    return SQLiteStatement(
      handle, sql: shown ?? sql, isOtherTextShown: shown != nil, database: database, path: path, events: events)
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
  /// Begins a write transaction.
  ///
  /// `BEGIN EXCLUSIVE` is used in every journal mode, as in Core Data. With a write-ahead log it is the same as
  /// IMMEDIATE, and readers continue. Without one it keeps readers out from the start, so that COMMIT never has to wait
  /// for readers while other connections already wait for it.
  package func beginTransaction() throws(PersistenceError) {
    // Reading the time settles the work so far before other connections can see the lock.
    _ = machine.now
    try execute("BEGIN EXCLUSIVE")
  }

  /// Begins a long-lived read transaction. From here on the connection sees the rows as they are now.
  func beginReading() throws(PersistenceError) {
    try execute("BEGIN")
    // The first read fixes the state that the transaction sees.
    let statement = try statement("SELECT Z_VERSION FROM Z_METADATA")
    defer { statement.finish() }
    _ = try statement.step()
  }

  /// Commits the transaction, and returns the time at which COMMIT returned.
  func commit() throws(PersistenceError) -> Instant {
    // The time of the transaction's work passes before other connections can see its result.
    events.report()
    _ = machine.now
    try execute("COMMIT")
    return machine.now
  }

  /// Rolls the transaction back. An error of ROLLBACK is ignored, since SQLite has already rolled back by itself in
  /// that case.
  package func rollback() {
    events.report()
    _ = machine.now
    if database.isInTransaction { try? execute("ROLLBACK") }
  }

  /// Runs `body` in a write transaction and commits it. Rolls back if `body` or the commit throws.
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
