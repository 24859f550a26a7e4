import CSQLite
import ContextEngine
import Foundation
import MachineCore
import SQLitePersistence
import TestSupport
import Testing

/// A temporary folder with one store, which is removed with the fixture.
final class StoreFixture {
  private let temporaryFolder: TemporaryFolder
  var folder: URL { temporaryFolder.url }
  let machine: ImmediateMachine
  let model: ManagedObjectModel

  init(_ machine: ImmediateMachine = ImmediateMachine(), model: ManagedObjectModel = Bookshop.model) throws {
    self.machine = machine
    self.model = model
    temporaryFolder = try TemporaryFolder()
  }

  var path: String { folder.appendingPathComponent("library.sqlite").path }

  func open(
    poolSize: Int = 1, journalMode: SQLiteStoreConfiguration.JournalMode = .wal,
    busyLimit: TimeSpan = .seconds(10), fileAccess: SQLiteStoreConfiguration.FileAccess = .underTest,
    onStatement: (@Sendable (String) -> Void)? = nil
  ) throws(PersistenceError) -> SQLiteStore {
    try open(
      SQLiteStoreConfiguration(
        path: path, poolSize: poolSize, journalMode: journalMode, busyLimit: busyLimit, fileAccess: fileAccess,
        onStatement: onStatement))
  }

  func open(_ configuration: SQLiteStoreConfiguration) throws(PersistenceError) -> SQLiteStore {
    try SQLiteStore(machine, model: model, configuration: configuration)
  }
}

extension SQLiteStore {
  var author: EntityDescription { model.entity("Author") }
  var book: EntityDescription { model.entity("Book") }

  /// Saves new rows under keys reserved for them.
  @discardableResult
  func insert(_ entity: EntityDescription, _ rows: [[Value]]) throws -> [ObjectID] {
    let first = try reserveKeys([KeyRequest(entity: entity, count: rows.count)])[0]
    var changes = StoreChanges()
    for (offset, values) in rows.enumerated() {
      let objectID = ObjectID(entity: entity.index, key: first + Int64(offset))
      changes.insertions.append(.init(objectID: objectID, row: Row(version: 1, values: values)))
    }
    try saveWithoutConflicts(changes)
    return changes.insertions.map(\.objectID)
  }

  func saveWithoutConflicts(_ changes: StoreChanges) throws {
    guard case .committed = try save(changes) else { throw UnexpectedConflict() }
  }

  /// Returns every row, in the order of keys.
  func all(_ entity: EntityDescription) throws -> [StoreRow] {
    try fetch(StoreFetchRequest(entity: entity, predicate: nil, sortDescriptors: []))
  }

  /// Returns the keys of a fetch of identities.
  func fetchKeys(_ request: StoreFetchRequest) throws(PersistenceError) -> [Int64] {
    try fetchObjectIDs(request).map(\.key)
  }

  /// Returns the keys at the other end of a to-many relationship.
  func keys(
    relatedBy relationship: EntityDescription.ToMany, to objectID: ObjectID
  ) throws(PersistenceError) -> [Int64] {
    try objectIDs(relatedBy: relationship, to: objectID).map(\.key)
  }

  /// The number of statements that run on all connections. It is 0 between two requests.
  var busyStatementCount: Int {
    var count = 0
    pool.forEachOpenConnection { count += $0.busyStatementCount }
    return count
  }
}

struct UnexpectedConflict: Error {}

/// A plain SQLite connection, to look at a store's file and to disturb it.
final class PlainDatabase: @unchecked Sendable {
  // `@unchecked`: the connection uses SQLite's own mutex.
  private let pointer: OpaquePointer

  init(_ path: String) throws {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(
      path, &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_FULLMUTEX, nil)
    pointer = try #require(opened)
    try #require(code == SQLITE_OK)
  }

  deinit {
    sqlite3_close(pointer)
  }

  /// Returns the rows of a statement, each column as text. The text of NULL is "NULL".
  @discardableResult
  func rows(_ sql: String) throws -> [[String]] {
    var statement: OpaquePointer?
    try #require(sqlite3_prepare_v2(pointer, sql, -1, &statement, nil) == SQLITE_OK, "\(sql): \(message)")
    defer { sqlite3_finalize(statement) }
    var rows: [[String]] = []
    while true {
      let code = sqlite3_step(statement)
      if code == SQLITE_DONE { return rows }
      try #require(code == SQLITE_ROW, "\(sql): \(message)")
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
        })
    }
  }

  /// Runs a statement whose rows do not matter, and returns SQLite's result code.
  func code(_ sql: String) -> Int32 { sqlite3_exec(pointer, sql, nil, nil, nil) }

  private var message: String { String(cString: sqlite3_errmsg(pointer)) }
}
