import ContextEngine
import Harness
import MachineCore

// MARK: - Merging

extension CalibrationScenario {
  /// The scenarios whose thread sleeps before each measured block. Their sizes are the lengths of the sleeps in
  /// microseconds. The time by which a block exceeds the same block after the shortest sleep is the cost of the sleep.
  package static let cold = [merging(rowCount: 5), merging(rowCount: 40), resetting(rowCount: 5)]
  /// The number of blocks that each of these scenarios measures.
  package static let coldBlockCount = 5

  private static let sizes = [300, 600, 1_200, 2_400]

  /// The scenarios in which a context merges the save of another context.
  static var merging: [CalibrationScenario] {
    [
      CalibrationScenario("merge changes that are not registered", sizes: sizes) { bench, size in
        try merge(bench, size: size) { context, entity in [] }
      },
      CalibrationScenario("merge changes of faults", sizes: sizes) { bench, size in
        try merge(bench, size: size) { context, entity in
          try bench.rows(size, of: entity, in: context, asFaults: true)
        }
      },
      CalibrationScenario("merge changes of realised objects", sizes: sizes) { bench, size in
        try merge(bench, size: size) { context, entity in try bench.rows(size, of: entity, in: context) }
      },
      CalibrationScenario("merge insertions", sizes: [250, 500, 1_000, 2_000]) { bench, size in
        let coordinator = try bench.empty(bench.flatSchema)
        let worker = bench.context(on: coordinator)
        let receiver = bench.context(on: coordinator)
        let saves = Guarded<[SaveNotification]>([])
        let observation = worker.observeDidSave { save in saves.withLock { $0.append(save) } }
        let records = try bench.records(size, of: bench.flat)
        try bench.elsewhere { [schema = bench.flatSchema] in
          try CalibrationBench.importUnit(records[...], into: worker, schema: schema, lookup: .none)
        }
        observation.cancel()
        let save = saves.withLock { $0[0] }
        try bench.measure { receiver.performAndWait { receiver.mergeChanges(fromContextDidSave: save) } }
      },
    ] + cold
  }

  private static func merging(rowCount: Int) -> CalibrationScenario {
    sleeping(before: "merging \(rowCount) objects") { bench in
      let (merge, held) = try preparedMerge(bench, size: rowCount) { context, entity in
        try bench.rows(rowCount, of: entity, in: context)
      }
      bench.machine.mainQueue.sync(merge)
      return ({}, { withExtendedLifetime(held) { merge() } })
    }
  }

  private static func resetting(rowCount: Int) -> CalibrationScenario {
    sleeping(before: "resetting \(rowCount) objects") { bench in
      let context = bench.context(on: try bench.populated())
      var request = FetchRequest(bench.catalogSchema.entities[1].description)
      request.fetchLimit = rowCount
      request.returnsObjectsAsFaults = false
      let held = Guarded<[ManagedObject]>([])
      return (
        { [request] in
          try context.performAndWait { () throws(PersistenceError) in
            let rows = Array(try context.fetch(request))
            held.withLock { $0 = rows }
          }
        }, { context.performAndWait { context.reset() } }
      )
    }
  }

  /// Creates a scenario that runs a block on the main queue after sleeps of different lengths.
  ///
  /// - Parameters:
  ///   - name: The work of the block, as a part of the scenario's name.
  ///   - make: Returns the block, and a closure that prepares each of its runs on another thread.
  /// - Returns: The scenario. Its sizes are the lengths of the sleeps in microseconds.
  private static func sleeping(
    before name: String,
    _ make: @escaping @Sendable (CalibrationBench) throws -> (prepare: () throws -> Void, block: @Sendable () -> Void)
  ) -> CalibrationScenario {
    CalibrationScenario("sleep before \(name)", sizes: [10, 30, 100, 300, 1_000, 3_000, 10_000]) { bench, size in
      let (prepare, block) = try make(bench)
      for _ in 0..<coldBlockCount {
        try prepare()
        let end = bench.instruments.threadCPU() + .microseconds(Int64(size))
        while bench.instruments.threadCPU() < end {}
        try bench.machine.mainQueue.sync { try bench.measure(block) }
      }
    }
  }

  /// Measures the merge of a save of `size` updates into a context that holds `rows`.
  private static func merge(
    _ bench: CalibrationBench, size: Int,
    holding rows: (ManagedObjectContext, EngineSchema.Entity) throws -> [ManagedObject]
  ) throws {
    let (merge, held) = try preparedMerge(bench, size: size, holding: rows)
    try bench.measure(merge)
    withExtendedLifetime(held) {}
  }

  /// Returns a closure that merges a save of `size` updates into a context that holds `rows`, and these rows, which the
  /// caller must keep.
  private static func preparedMerge(
    _ bench: CalibrationBench, size: Int,
    holding rows: (ManagedObjectContext, EngineSchema.Entity) throws -> [ManagedObject]
  ) throws -> (merge: @Sendable () -> Void, held: [ManagedObject]) {
    let (worker, changed, entity) = try realised(bench, size: size)
    let receiver = bench.context(on: worker.coordinator)
    let held = try rows(receiver, entity)
    let saves = Guarded<[SaveNotification]>([])
    let observation = worker.observeDidSave { save in saves.withLock { $0.append(save) } }
    let note = bench.nextNote()
    try bench.elsewhere {
      try worker.performAndWait { () throws(PersistenceError) in
        for row in changed { row[entity.note] = note }
        try worker.save()
      }
    }
    observation.cancel()
    let save = saves.withLock { $0[0] }
    return ({ receiver.performAndWait { receiver.mergeChanges(fromContextDidSave: save) } }, held)
  }
}
