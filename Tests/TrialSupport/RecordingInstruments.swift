import CSQLite
import ContextEngine
import Harness
import MachineCore
import SQLitePersistence

/// Statements that connections have begun.
package final class Statements: Sendable {
  private let list = Guarded<[String]>([])

  package init() {}

  package var all: [String] { list.withLock { $0 } }

  package func add(_ statement: String) {
    list.withLock { $0.append(statement) }
  }
}

extension TrialInstruments {
  /// Returns instruments with real SQLite files and without any measurement of the process.
  package static func recording(
    _ statements: Statements, meddle: (@Sendable (String) -> Void)? = nil
  ) -> TrialInstruments {
    TrialInstruments(
      openStore: { machine, model, path, options throws(PersistenceError) in
        var configuration = SQLiteStoreConfiguration(
          path: path, poolSize: options.connectionPool, synchronous: .off, onStatement: statements.add)
        configuration.tracksHistory = options.tracksHistory ?? false
        let store = try SQLiteStore(machine, model: model, configuration: configuration)
        guard let meddle else { return store }
        return MeddledStore(store, path: path, meddle)
      },
      heap: NoHeapMeter(), runQueueWait: { nil }, processCPU: { .zero }, spendCPU: { _ in })
  }
}

/// A meter without measurements.
private struct NoHeapMeter: HeapMeter {
  func openWindow() {}
  func sample() {}
  func closeWindow() -> HeapFigures? { nil }
}

/// A store whose file is changed by a test once it is closed.
private final class MeddledStore: PersistentStore {
  private let store: SQLiteStore
  private let path: String
  private let meddle: @Sendable (String) -> Void

  init(_ store: SQLiteStore, path: String, _ meddle: @escaping @Sendable (String) -> Void) {
    self.store = store
    self.path = path
    self.meddle = meddle
  }

  var identifier: String { store.identifier }
  var model: ManagedObjectModel { store.model }
  var connectionPoolSize: Int { store.connectionPoolSize }

  func fetch(_ request: StoreFetchRequest) throws(PersistenceError) -> [StoreRow] { try store.fetch(request) }

  func fetchObjectIDs(_ request: StoreFetchRequest) throws(PersistenceError) -> [ObjectID] {
    try store.fetchObjectIDs(request)
  }

  func count(_ request: StoreFetchRequest) throws(PersistenceError) -> Int { try store.count(request) }

  func dictionaries(_ request: StoreDictionaryRequest) throws(PersistenceError) -> [[Value]] {
    try store.dictionaries(request)
  }

  func rows(of entity: EntityDescription, keys: [Int64], slots: SlotSet) throws(PersistenceError) -> [StoreRow] {
    try store.rows(of: entity, keys: keys, slots: slots)
  }

  func row(for objectID: ObjectID) throws(PersistenceError) -> Row? { try store.row(for: objectID) }

  func objectIDs(
    relatedBy relationship: EntityDescription.ToMany, to objectID: ObjectID
  ) throws(PersistenceError) -> [ObjectID] {
    try store.objectIDs(relatedBy: relationship, to: objectID)
  }

  func objectIDs(
    relatedBy relationship: EntityDescription.ToMany, to objectIDs: [ObjectID]
  ) throws(PersistenceError) -> [[ObjectID]] {
    try store.objectIDs(relatedBy: relationship, to: objectIDs)
  }

  func reserveKeys(_ requests: [KeyRequest]) throws(PersistenceError) -> [Int64] { try store.reserveKeys(requests) }

  func save(
    _ changes: StoreChanges, beforeCommit: () throws(PersistenceError) -> Bool
  ) throws(PersistenceError) -> SaveOutcome {
    try store.save(changes, beforeCommit: beforeCommit)
  }

  func execute(
    _ batch: StoreBatch, from origin: TransactionOrigin
  ) throws(PersistenceError) -> StoreBatchOutcome {
    try store.execute(batch, from: origin)
  }

  func close() throws(PersistenceError) {
    try store.close()
    meddle(path)
  }
}

/// Runs SQL on a closed store.
package func execute(_ sql: String, _ path: String) {
  var connection: OpaquePointer?
  guard sqlite3_open(path, &connection) == SQLITE_OK, sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else {
    fatalError("\(sql): \(String(cString: sqlite3_errmsg(connection)))")
  }
  sqlite3_close(connection)
}
