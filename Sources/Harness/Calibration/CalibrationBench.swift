import ContextEngine
import Foundation
import MachineCore
import Metrics
import Workloads

/// Where scenarios run: a populated store to copy, records to import, and the clocks.
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
  /// How many stretches were measured so far, in all scenarios.
  package private(set) var stretchCount = 0

  /// Rows of the populated store, and records of each payload: as many as runs have unless told otherwise.
  package static let existingRows = 6_000
  package static let batchSize = 500
  static let payloadCount = 12

  /// - Parameters:
  ///   - machine: reports to `ledger`.
  ///   - folder: exists and is empty; on the file system whose syncs are to be measured.
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
        workload: .catalog, rows: Self.batchSize * Self.payloadCount, existingRows: Self.existingRows,
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
      try importUnit(records[...], into: context, catalogSchema, .unit)
    }
    try store.close()
  }

  private var basePath: String { folder.appending(path: "base.sqlite").path }

  // MARK: Measuring

  /// Runs a scenario once at one size: what it measured, all stretches together.
  ///
  /// - Throws: what the scenario throws.
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

  /// Measures what `body` does on this thread; on all threads of the process where it says so.
  ///
  /// A context reports at the end of a block: `body` holds whole blocks.
  func measure(onAllThreads: Bool = false, _ body: () throws -> Void) throws {
    let before = look(onAllThreads)
    try MeasuredStretch.run(body)
    let stretch = look(onAllThreads) - before
    measured = measured.map { $0 + stretch } ?? stretch
    stretchCount += 1
  }

  /// Runs `body` on another thread, and so on another core where there is one, and waits for its result.
  ///
  /// What it wrote lies in that core's caches when the calling thread reads it: imports meet decoded records so, and
  /// merges the rows that another context saved.
  ///
  /// - Throws: what `body` throws.
  func elsewhere<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
    let outcome = Guarded<Swift.Result<Result, any Error>?>(nil)
    otherQueue.async {
      let result = Swift.Result(catching: body)
      outcome.withLock { $0 = result }
    }
    otherQueue.sync {}
    guard let result = outcome.withLock({ $0 }) else { trapMisuse("a queue passed over a block that was posted to it") }
    return try result.get()
  }

  /// Storage is what neither computing nor waiting for a core explains of the time that passed.
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
  /// A coordinator on a copy of the populated store, with its connections open; closed after the scenario.
  func populated(_ durability: CalibrationInstruments.Durability = .normal) throws -> PersistentStoreCoordinator {
    let path = nextPath()
    try BaseStore.copy(from: basePath, to: path)
    return try open(path, catalogSchema, durability)
  }

  /// A coordinator on an empty store.
  func empty(_ schema: EngineSchema) throws -> PersistentStoreCoordinator {
    try open(nextPath(), schema, .normal)
  }

  private func nextPath() -> String {
    storeCount += 1
    let path = folder.appending(path: "store-\(storeCount % 8).sqlite").path
    for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    return path
  }

  private func open(
    _ path: String, _ schema: EngineSchema, _ durability: CalibrationInstruments.Durability
  ) throws -> PersistentStoreCoordinator {
    let store = try instruments.openStore(machine, schema.model, path, durability)
    openStores.append(store)
    let coordinator = PersistentStoreCoordinator(machine: machine, store: store)
    let context = context(on: coordinator)
    // Connections are opened by the first who read.
    for _ in 0..<store.connectionPoolSize {
      try context.performAndWait {
        _ = try context.fetch(
          FetchRequest(schema.entities[0].description, predicate: .equal(schema.entities[0].key, .null)))
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

// MARK: - What scenarios do

extension CalibrationBench {
  /// One block as an import has them: looks up, changes, saves.
  func importUnit(
    _ records: ArraySlice<ImportRecord>, into context: ManagedObjectContext, _ schema: EngineSchema,
    _ lookup: RunOptions.Lookup, saves: Bool = true
  ) throws {
    try Self.importUnit(records, into: context, schema, lookup, saves: saves)
  }

  /// The same on any thread.
  static func importUnit(
    _ records: ArraySlice<ImportRecord>, into context: ManagedObjectContext, _ schema: EngineSchema,
    _ lookup: RunOptions.Lookup, saves: Bool = true
  ) throws {
    try context.performAndWait { () throws(PersistenceError) in
      var unitImport = UnitImport(context, schema: schema, lookup: lookup)
      try unitImport.run(records)
      if saves { try context.save() }
    }
  }

  /// The first rows of an entity, by key order of the store, as faults or realised.
  func rows(
    _ count: Int, of entity: EngineSchema.Entity, in context: ManagedObjectContext, asFaults: Bool = false
  ) throws -> [ManagedObject] {
    try context.performAndWait { () throws(PersistenceError) in
      var request = FetchRequest(entity.description)
      request.returnsObjectsAsFaults = asFaults
      let list = try context.fetch(request)
      guard list.count >= count else {
        trapMisuse("a scenario wants \(count) rows of \(entity.description.name), of which there are \(list.count)")
      }
      return (0..<count).map { list[$0] }
    }
  }

  /// The keys of the first rows of an entity, in a random order that is the same each time: imports look up keys in the
  /// order of a feed, and an ordered list is looked up faster.
  func keys(_ count: Int, of entity: EngineSchema.Entity, on coordinator: PersistentStoreCoordinator) throws -> [Value]
  {
    let context = context(on: coordinator)
    let rows = try rows(count, of: entity, in: context)
    var keys = context.performAndWait { rows.map { $0[entity.key] } }
    var random = SeededRandom(seed: 1, stream: "keys")
    for place in keys.indices.dropFirst().reversed() { keys.swapAt(place, random.below(place + 1)) }
    return keys
  }

  /// Records of a payload's text, repeated payload after payload until there are so many.
  func records(_ count: Int, of archive: WorkloadArchive) throws -> [ImportRecord] {
    let decoder = PayloadDecoder(schema: archive.schema)
    var records: [ImportRecord] = []
    let texts =
      archive.existing.isEmpty
      ? archive.payloads.indices.map { archive.payload($0) } : archive.existing.indices.map { archive.existingText($0) }
    for text in texts where records.count < count { records += try decoder.decode(text) }
    guard records.count >= count else { trapMisuse("a scenario wants \(count) records of \(records.count)") }
    return Array(records.prefix(count))
  }

  /// A text that no change before had.
  func nextNote() -> Value {
    noteCount += 1
    return .string("edit \(noteCount)")
  }
}
