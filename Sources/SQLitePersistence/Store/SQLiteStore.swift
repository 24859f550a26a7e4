import ContextEngine
import Foundation
import MachineCore

/// A persistent store in an SQLite file, with tables in the form of Core Data's.
///
/// ```swift
/// let model = ManagedObjectModel([.init("Book", attributes: [.init("title", .string)])])
/// let machine = LiveMachine(ledger: WorkLedger())
/// let store = try SQLiteStore(machine, model: model, configuration: SQLiteStoreConfiguration(path: path))
/// let coordinator = PersistentStoreCoordinator(machine: machine, sqliteStore: store)
/// let context = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "books")
/// ```
///
/// A store can be used from any thread. A request uses one connection until it ends. It blocks while another request
/// uses that connection, on a lock of the machine. If another process or another store has locked the file, it waits
/// for SQLite's lock through the machine's `wait`.
///
/// Columns cannot keep two values: SQLite stores NaN as NULL and negative zero as zero.
public final class SQLiteStore: PersistentStore {
  /// The UUID of the store, which its metadata holds.
  public let identifier: String
  /// The model of the store's objects.
  public let model: ManagedObjectModel
  /// The configuration with which the store was opened.
  public let configuration: SQLiteStoreConfiguration

  let machine: any Machine
  package let pool: SQLiteConnectionPool
  /// The store's external files, or nil if no attribute of the model allows them.
  let external: ExternalStorage?
  /// The store's history, or nil if the store does not keep history.
  let history: SQLiteHistory?
  /// The store whose rows of one moment this store reads, or nil if this store reads its own current rows. It is
  /// retained, since it owns the VFS shim.
  private let origin: SQLiteStore?
  /// The stores that read this store's rows of one moment. They are closed with this store.
  private let generations = Guarded<[Generation]>([])
  /// The tables of the model's entities, in the model's order.
  let tables: [EntityTable]
  /// The join tables, in the order of the model's join tables.
  let joinTables: [JoinTable]
  /// The indexes of the model's entities by their numbers in the file.
  let entityIndexes: [Int64: Int]
  /// The readers for whole rows of each entity and its subentities.
  private let readers: [TableReader]
  /// The readers for whole rows of each entity without its subentities.
  private let ownReaders: [TableReader]

  /// Indicates whether external files are kept for the moment that this store reads.
  private let isReadingExternalData: Guarded<Bool>

  private struct Generation: Sendable {
    weak var store: SQLiteStore?
  }

  /// Opens a store, or creates it if the file does not exist or is empty.
  ///
  /// - Parameters:
  ///   - machine: the machine that provides locks and time, and to which work is reported.
  ///   - model: the model of the store's objects.
  ///   - configuration: the location of the store and the settings of its connections.
  /// - Throws: `.storeOpen` if the file cannot be created, opened or written, or if it refuses the journal mode;
  ///   `.storeIncompatible` if it is damaged, not a database, not a store or the store of another model;
  ///   `.incompatibleVersionHash` if the model's version hashes differ from the file's; `.busy` if another connection
  ///   keeps it locked.
  public init(
    _ machine: any Machine, model: ManagedObjectModel, configuration: SQLiteStoreConfiguration
  ) throws(PersistenceError) {
    guard !configuration.path.isEmpty, configuration.path != ":memory:" else {
      throw PersistenceError(
        .storeOpen, "a store needs a file, because its connections cannot share a database in memory")
    }
    self.machine = machine
    self.model = model
    self.configuration = configuration
    let fileSystem = try CountingFileSystem.make(machine, configuration: configuration)
    let connection = try SQLiteConnection(
      machine, configuration: configuration, fileSystem: fileSystem, creating: true)
    let schema = try SQLiteSchema(connection, model: model, configuration: configuration)
    origin = nil
    isReadingExternalData = Guarded(false)
    history = try SQLiteHistory(connection, model: model, configuration: configuration)
    try connection.beginReporting()
    pool = SQLiteConnectionPool(machine, configuration: configuration, writer: connection)
    identifier = schema.identifier
    tables = schema.tables
    joinTables = schema.joinTables
    let entityIndexes = Dictionary(uniqueKeysWithValues: schema.tables.map { ($0.number, $0.index) })
    self.entityIndexes = entityIndexes
    let external =
      model.allowsExternalData
      ? ExternalStorage(machine, configuration: configuration, fileSystem: fileSystem) : nil
    self.external = external
    if let external {
      let part = ModelPart(model, configuration: configuration.modelConfiguration)
      external.sweep(schema.tables.filter { part.holds($0.entity) }, on: connection)
    }
    readers = schema.tables.map {
      TableReader($0, slots: .all, entityIndexes: entityIndexes, external: external)
    }
    ownReaders = schema.tables.map {
      TableReader(
        $0, slots: .all, includesSubentities: false, entityIndexes: entityIndexes, external: external)
    }
  }

  /// Creates a store that reads another store's rows as they are now. It has one connection, in a read transaction that
  /// lasts as long as the store.
  private init(pinning store: SQLiteStore) throws(PersistenceError) {
    machine = store.machine
    model = store.model
    var configuration = store.configuration
    configuration.poolSize = 1
    self.configuration = configuration
    history = store.history
    identifier = store.identifier
    tables = store.tables
    joinTables = store.joinTables
    entityIndexes = store.entityIndexes
    readers = store.readers
    ownReaders = store.ownReaders
    origin = store
    let connection = try SQLiteConnection(
      store.machine, configuration: configuration, fileSystem: store.pool.fileSystem, creating: false)
    try connection.configure(configuration)
    try connection.beginReporting()
    // The files are kept before the transaction begins, so that no file to which the rows of this moment refer is
    // removed.
    external = store.external
    external?.enter()
    do throws(PersistenceError) {
      try connection.beginReading()
    } catch {
      external?.leave()
      throw error
    }
    isReadingExternalData = Guarded(external != nil)
    pool = SQLiteConnectionPool(store.machine, configuration: configuration, writer: connection)
  }

  deinit {
    leaveExternalData()
  }

  /// Stops keeping the external files of this store's moment. A second call has no effect.
  private func leaveExternalData() {
    let isReading = isReadingExternalData.withLock { isReading in
      defer { isReading = false }
      return isReading
    }
    if isReading { external?.leave() }
  }

  package var supportsGenerations: Bool { configuration.journalMode == .wal && origin == nil }

  package func pinnedGeneration() throws(PersistenceError) -> any PersistentStore {
    let pinned = try SQLiteStore(pinning: self)
    generations.withLock { generations in
      generations.removeAll { $0.store == nil }
      generations.append(Generation(store: pinned))
    }
    return pinned
  }

  package var url: URL { URL(fileURLWithPath: configuration.path).absoluteURL }

  package var type: String { "SQLite" }

  package var modelConfiguration: String? { configuration.modelConfiguration }

  package var clockEpoch: Double { configuration.historyIdentity.epoch }

  package var connectionPoolSize: Int { configuration.poolSize }

  /// The counts of operations on the store's files since it was opened, or nil if `fileAccess` is `.direct`.
  package var fileCounts: FileCounts? { pool.fileSystem?.counts }

  /// Returns the change token of the writer's connection. Blocks while a save is in progress.
  package func changeToken() throws(PersistenceError) -> [Int64]? {
    try pool.withWriter { connection throws(PersistenceError) in try connection.changeToken() }
  }

  /// Closes all connections after a checkpoint, which removes the write-ahead log if no other connection has the file
  /// open.
  ///
  /// Waits for requests in progress. Later requests fail with `.storeOpen`. A second call has no effect.
  ///
  /// - Throws: `PersistenceError` if the checkpoint fails or a connection cannot be closed.
  public func close() throws(PersistenceError) {
    if origin != nil {
      defer { leaveExternalData() }
      return try pool.closeConnections(checkpointing: false)
    }
    for generation in generations.withLock({ $0 }) { try generation.store?.close() }
    try pool.close()
    try pool.fileSystem?.writeClosedFiles()
  }

  /// Returns the table of an entity of this store's model. Traps for an entity of another model.
  func table(of entity: EntityDescription) -> EntityTable {
    guard tables.indices.contains(entity.index), tables[entity.index].entity === entity else {
      trapMisuse("entity \(entity.name) does not belong to the model of the store at \(configuration.path)")
    }
    return tables[entity.index]
  }

  /// Returns the table of the entity with this number in the file, or nil if the model has no such entity.
  func table(numbered number: Int64) -> EntityTable? {
    tables.first { $0.number == number }
  }

  /// Returns the reader for the rows that the table's `selection(slots:includesSubentities:)` selects.
  func reader(of table: EntityTable, slots: SlotSet, includesSubentities: Bool) -> TableReader {
    guard slots.isAll else {
      return TableReader(
        table, slots: slots, includesSubentities: includesSubentities, entityIndexes: entityIndexes,
        external: external)
    }
    return includesSubentities ? readers[table.index] : ownReaders[table.index]
  }

  /// Returns the reader for whole rows of a table's entity without its subentities.
  func ownReader(of table: EntityTable) -> TableReader {
    ownReaders[table.index]
  }

  /// Returns the table that has an object's row. Traps if the store does not have the object's entity.
  func table(of objectID: ObjectID) -> EntityTable {
    guard tables.indices.contains(objectID.entityIndex) else {
      trapMisuse("object ID \(objectID) belongs to an entity that the store at \(configuration.path) does not have")
    }
    return tables[objectID.entityIndex]
  }
}
