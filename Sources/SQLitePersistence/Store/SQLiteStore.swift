import ContextEngine
import Foundation
import MachineCore

/// A persistent store in an SQLite file, shaped as Core Data shapes it.
///
/// Callable from any thread. A request takes one connection for as long as it lasts and blocks while all that could
/// serve it are taken: on a lock of the machine, or, where another process or another store has the file, on SQLite's
/// lock through the machine's `wait`.
///
/// What a column cannot keep: SQLite stores NaN as nothing and minus zero as zero.
public final class SQLiteStore: PersistentStore {
  public let identifier: String
  public let model: ManagedObjectModel
  public let configuration: SQLiteStoreConfiguration

  let machine: any Machine
  let pool: SQLiteConnectionPool
  /// The files beside the store; nil where no attribute of the model allows them.
  let external: ExternalStorage?
  /// Nil where the store keeps none.
  let history: SQLiteHistory?
  /// The store whose rows of one moment this one reads; nil = its own, as they come. Kept, since the shim is its.
  private let origin: SQLiteStore?
  /// Stores that read this one's rows of one moment; closed with it.
  private let generations = Guarded<[Generation]>([])
  /// One per entity of the model.
  let tables: [EntityTable]
  /// In the order of the model's.
  let joinTables: [JoinTable]
  /// Which entity of the model has which number in the file.
  let entityIndexes: [Int64: Int]
  /// How to read whole rows of each entity and of those that inherit from it.
  private let readers: [TableReader]
  /// How to read whole rows of each entity alone.
  private let ownReaders: [TableReader]

  /// Whether files stay for the rows of the moment that this store reads.
  private let isReadingExternalData: Guarded<Bool>

  private struct Generation: Sendable {
    weak var store: SQLiteStore?
  }

  /// Opens the store, or makes it where there is no file or an empty one.
  ///
  /// - Throws: `.storeOpen` where the file cannot be made, opened or written or refuses the journal mode;
  ///   `.storeIncompatible` where it is damaged, not a database, not a store or the store of another model; `.busy` where
  ///   another connection keeps it locked.
  public init(
    _ machine: any Machine, model: ManagedObjectModel, configuration: SQLiteStoreConfiguration
  ) throws(PersistenceError) {
    guard !configuration.path.isEmpty, configuration.path != ":memory:" else {
      throw PersistenceError(.storeOpen, "a store needs a file: its connections could not share memory")
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
      external.sweep(schema.tables.filter { part.holds($0.entity) }, connection)
    }
    readers = schema.tables.map {
      TableReader($0, slots: Row.allSlots, entityIndexes: entityIndexes, external: external)
    }
    ownReaders = schema.tables.map {
      TableReader(
        $0, slots: Row.allSlots, includesSubentities: false, entityIndexes: entityIndexes, external: external)
    }
  }

  /// A store that reads another's rows as they are now: one connection, in a read transaction that lasts as long as the
  /// store.
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
    // First, so that no file goes that the rows of this moment refer to.
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

  /// Lets files go that were kept for a moment's rows; once.
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

  /// What has been done to the store's files so far, from opening it on; nil where `fileAccess` is `.direct`.
  package var fileCounts: FileCounts? { pool.fileSystem?.counts }

  /// Asks the writer's connection; blocks while a save is under way.
  package func changeToken() throws(PersistenceError) -> [Int64]? {
    try pool.withWriter { connection throws(PersistenceError) in try connection.changeToken() }
  }

  /// Closes all connections, after a checkpoint that leaves no write-ahead log where nobody else has the file open.
  ///
  /// Waits for requests under way; later ones fail with `.storeOpen`. A second call does nothing.
  public func close() throws(PersistenceError) {
    if origin != nil {
      defer { leaveExternalData() }
      return try pool.closeConnections(checkpointing: false)
    }
    for generation in generations.withLock({ $0 }) { try generation.store?.close() }
    try pool.close()
  }

  /// The table of an entity of this store's model. Traps for an entity of another model.
  func table(of entity: EntityDescription) -> EntityTable {
    guard tables.indices.contains(entity.index), tables[entity.index].entity === entity else {
      trapMisuse("entity \(entity.name) is not of the model of the store at \(configuration.path)")
    }
    return tables[entity.index]
  }

  /// The table of the entity that has this number in the file; nil where the model has none of it.
  func table(numbered number: Int64) -> EntityTable? {
    tables.first { $0.number == number }
  }

  /// The reader of what `selection(slots:includesSubentities:)` of the table selects.
  func reader(of table: EntityTable, slots: UInt64, includesSubentities: Bool) -> TableReader {
    guard slots == Row.allSlots else {
      return TableReader(
        table, slots: slots, includesSubentities: includesSubentities, entityIndexes: entityIndexes,
        external: external)
    }
    return includesSubentities ? readers[table.index] : ownReaders[table.index]
  }

  /// The reader of whole rows of a table's entity alone.
  func ownReader(of table: EntityTable) -> TableReader {
    ownReaders[table.index]
  }

  /// The table that an object's row is in.
  func table(of objectID: ObjectID) -> EntityTable {
    guard tables.indices.contains(objectID.entityIndex) else {
      trapMisuse("object ID \(objectID) is of an entity that the store at \(configuration.path) does not have")
    }
    return tables[objectID.entityIndex]
  }
}
