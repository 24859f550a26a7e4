import ContextEngine
import Foundation
import Harness
import MachineCore
import Metrics
import Workloads

/// The environment in which scenarios run: a populated store to copy, records to import, and the clocks.
///
/// Blocks of private queues run on the thread that waits for them, so that its CPU time is the whole cost.
package final class CalibrationBench {
  let machine: any Machine
  let catalog: WorkloadArchive
  let flat: WorkloadArchive
  let catalogSchema: EngineSchema
  let flatSchema: EngineSchema
  let decoder = PayloadDecoder(schema: .catalog)
  private let otherQueue: any SerialQueue
  private let ledger: WorkLedger
  let instruments: CalibrationInstruments
  private let folder: URL
  private var openStores: [any PersistentStore] = []
  private var storeCount = 0
  private var noteCount = 0
  private var measured: WorkMeasurement?
  /// The number of stretches that were measured so far, in all scenarios.
  package private(set) var stretchCount = 0

  /// The number of rows of the populated store, which is the default of runs.
  package static let existingRows = 6_000
  /// The number of records of each payload, which is the default of runs.
  package static let batchSize = 500
  static let payloadCount = 12

  /// Creates the populated store and the workloads.
  ///
  /// - Parameters:
  ///   - machine: The machine, which adds work to `ledger`.
  ///   - ledger: The ledger of the machine.
  ///   - instruments: The functions that scenarios need in addition to the machine.
  ///   - folder: The path of an empty folder, on the file system whose syncs are measured.
  /// - Throws: The error of the file system, of a workload or of the store.
  package init(
    machine: any Machine, ledger: WorkLedger, instruments: CalibrationInstruments, folder: String
  ) throws {
    self.machine = machine
    otherQueue = machine.makeSerialQueue(label: "elsewhere")
    self.ledger = ledger
    self.instruments = instruments
    self.folder = URL(fileURLWithPath: folder)
    let catalogFolder = self.folder.appending(path: "catalog")
    let flatFolder = self.folder.appending(path: "flat")
    for folder in [catalogFolder, flatFolder] {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: false)
    }
    catalog = try WorkloadArchive.write(
      WorkloadOptions(
        workload: .catalog, rows: Self.batchSize * Self.payloadCount, existingRows: .count(Self.existingRows),
        batchSize: Self.batchSize, mix: .standard), to: catalogFolder)
    flat = try WorkloadArchive.write(
      WorkloadOptions(
        workload: .flat, rows: Self.batchSize * Self.payloadCount, existingRows: 0, batchSize: Self.batchSize,
        mix: .insertsOnly), to: flatFolder)
    catalogSchema = try EngineSchema(catalog.schema)
    flatSchema = try EngineSchema(flat.schema)
    let store = try instruments.openStore(
      machine, catalogSchema.model, self.folder.appending(path: "base.sqlite").path, .normal)
    let coordinator = PersistentStoreCoordinator(machine: machine, store: store)
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "existing rows")
    for index in catalog.existing.indices {
      let records = try decoder.decode(catalog.existingText(index))
      try importUnit(records[...], into: context, schema: catalogSchema, lookup: .unit)
    }
    try store.close()
  }

  private var basePath: String { folder.appending(path: "base.sqlite").path }

  // MARK: Measuring

  /// Runs a scenario once at one size, and returns the sum of its measured stretches.
  ///
  /// - Throws: The error of the scenario.
  package func run(_ scenario: CalibrationScenario, size: Int) throws -> WorkMeasurement {
    measured = nil
    defer {
      for store in openStores { try? store.close() }
      openStores = []
    }
    try scenario.body(self, size)
    guard var measured else { trapMisuse("the scenario \(scenario.name) measures nothing") }
    measured.scenario = scenario.name
    measured.size = size
    return measured
  }

  /// Measures the work of `body` on this thread, or on all threads of the process if `onAllThreads` is true.
  ///
  /// A context reports its work at the end of a block, so `body` must run whole blocks.
  func measure(onAllThreads: Bool = false, _ body: () throws -> Void) throws {
    let before = look(onAllThreads)
    try MeasuredStretch.run(body)
    let stretch = look(onAllThreads) - before
    measured = measured.map { $0 + stretch } ?? stretch
    stretchCount += 1
  }

  /// Runs `body` on another thread, and on another core if there is one, and waits for its result.
  ///
  /// The data that it writes are then in the caches of the other core when the calling thread reads them. This is the
  /// case for imports, which read decoded records, and for merges, which read rows that another context has saved.
  ///
  /// - Throws: The error of `body`.
  func elsewhere<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
    let outcome = Guarded<Swift.Result<Result, any Error>?>(nil)
    otherQueue.async {
      let result = Swift.Result(catching: body)
      outcome.withLock { $0 = result }
    }
    otherQueue.sync {}
    guard let result = outcome.withLock({ $0 }) else { trapMisuse("a queue did not run a block that was posted to it") }
    return try result.get()
  }

  /// Reads the clocks and the ledger. The time for storage is the time that passed without computing or waiting for a
  /// core.
  private func look(_ onAllThreads: Bool) -> WorkMeasurement {
    let cpu = onAllThreads ? instruments.processCPU() : instruments.threadCPU()
    let waited = instruments.runQueueWait() ?? .zero
    let passed = machine.now - Instant(nanoseconds: 0)
    return WorkMeasurement(
      scenario: "", size: 0, cpu: cpu, storage: onAllThreads ? .zero : passed - cpu - waited, of: ledger)
  }
}

// MARK: - Stores and contexts

extension CalibrationBench {
  /// Returns a coordinator on a copy of the populated store, with open connections. The store is closed after the
  /// scenario.
  func populated(_ durability: CalibrationInstruments.Durability = .normal) throws -> PersistentStoreCoordinator {
    let path = nextPath()
    try BaseStore.copy(from: basePath, to: path)
    return try open(path, schema: catalogSchema, durability: durability)
  }

  /// Returns a coordinator on an empty store, which is closed after the scenario.
  func empty(_ schema: EngineSchema) throws -> PersistentStoreCoordinator {
    try open(nextPath(), schema: schema, durability: .normal)
  }

  private func nextPath() -> String {
    storeCount += 1
    let path = folder.appending(path: "store-\(storeCount % 8).sqlite").path
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    return path
  }

  private func open(
    _ path: String, schema: EngineSchema, durability: CalibrationInstruments.Durability
  ) throws -> PersistentStoreCoordinator {
    let store = try instruments.openStore(machine, schema.model, path, durability)
    openStores.append(store)
    let coordinator = PersistentStoreCoordinator(machine: machine, store: store)
    let context = context(on: coordinator)
    // The first requests open the connections.
    for _ in 0..<store.connectionPoolSize {
      try context.performAndWait {
        _ = try context.fetch(
          FetchRequest(schema.entities[0].description, predicate: .equal(schema.entities[0].keys[0], .null)))
      }
    }
    return coordinator
  }

  func context(on coordinator: PersistentStoreCoordinator) -> ManagedObjectContext {
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "calibration")
    context.mergePolicy = .objectTrump
    return context
  }

  func child(of parent: ManagedObjectContext) -> ManagedObjectContext {
    ManagedObjectContext(.privateQueue, parent: parent, name: "calibration child")
  }
}

// MARK: - The work of scenarios

extension CalibrationBench {
  /// Imports records in one block, as an import does: looks up, changes and saves.
  func importUnit(
    _ records: ArraySlice<ImportRecord>, into context: ManagedObjectContext, schema: EngineSchema,
    lookup: RunOptions.Lookup, saves: Bool = true
  ) throws {
    try Self.importUnit(records, into: context, schema: schema, lookup: lookup, saves: saves)
  }

  /// Imports records in one block on any thread.
  static func importUnit(
    _ records: ArraySlice<ImportRecord>, into context: ManagedObjectContext, schema: EngineSchema,
    lookup: RunOptions.Lookup, saves: Bool = true
  ) throws {
    try context.performAndWait { () throws(PersistenceError) in
      var unitImport = UnitImport(context, schema: schema, lookup: lookup)
      try unitImport.run(records)
      if saves { try context.save() }
    }
  }

  /// Returns the first rows of an entity in the order of the store, as faults or realised.
  func rows(
    _ count: Int, of entity: EngineSchema.Entity, in context: ManagedObjectContext, asFaults: Bool = false
  ) throws -> [ManagedObject] {
    try context.performAndWait { () throws(PersistenceError) in
      var request = FetchRequest(entity.description)
      request.returnsObjectsAsFaults = asFaults
      let list = try context.fetch(request)
      guard list.count >= count else {
        trapMisuse("a scenario needs \(count) rows of \(entity.description.name), but there are \(list.count)")
      }
      return (0..<count).map { list[$0] }
    }
  }

  /// Returns the keys of the first rows of an entity in a random order that is always the same.
  ///
  /// Imports look up keys in the order of a feed. Ordered keys would be looked up faster.
  func keys(_ count: Int, of entity: EngineSchema.Entity, on coordinator: PersistentStoreCoordinator) throws -> [Value]
  {
    let context = context(on: coordinator)
    let rows = try rows(count, of: entity, in: context)
    var keys = context.performAndWait { rows.map { $0[entity.keys[0]] } }
    var random = SeededRandom(seed: 1, stream: "keys")
    for place in keys.indices.dropFirst().reversed() { keys.swapAt(place, random.below(place + 1)) }
    return keys
  }

  /// Decodes an archive's existing records, or its payloads if it has none, until there are enough, and returns `count`
  /// of them. Traps if the archive has fewer.
  func records(_ count: Int, of archive: WorkloadArchive) throws -> [ImportRecord] {
    let decoder = PayloadDecoder(schema: archive.schema)
    var records: [ImportRecord] = []
    let texts =
      archive.existing.isEmpty
      ? archive.payloads.indices.map { archive.payload($0) } : archive.existing.indices.map { archive.existingText($0) }
    for text in texts where records.count < count { records += try decoder.decode(text) }
    guard records.count >= count else {
      trapMisuse("a scenario needs \(count) records, but there are \(records.count)")
    }
    return Array(records.prefix(count))
  }

  /// Returns a text that no earlier change has used.
  func nextNote() -> Value {
    noteCount += 1
    return .string("edit \(noteCount)")
  }
}
