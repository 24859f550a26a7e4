import ContextEngine
import Harness
import MachineCore

// MARK: - Merging

extension CalibrationScenario {
  /// The name of the scenario whose thread sleeps before each merge. Its size is the length of the sleep in
  /// microseconds. The time by which it exceeds the scenario with the shortest sleep is the cost of the sleep.
  package static let coldName = "merge after microseconds of sleep"
  /// The number of merges that the scenario measures.
  package static let coldMergeCount = 5
  /// The number of rows in each of these merges.
  private static let coldRowCount = 40

  private static let sizes = [300, 600, 1_200, 2_400]

  /// The scenarios in which a context merges the save of another context.
  static var merging: [CalibrationScenario] {
    [
      CalibrationScenario("merge changes that are not registered", sizes: sizes) { bench, size in
        try merge(bench, size) { context, entity in [] }
      },
      CalibrationScenario("merge changes of faults", sizes: sizes) { bench, size in
        try merge(bench, size) { context, entity in
          try bench.rows(size, of: entity, in: context, asFaults: true)
        }
      },
      CalibrationScenario("merge changes of realised objects", sizes: sizes) { bench, size in
        try merge(bench, size) { context, entity in try bench.rows(size, of: entity, in: context) }
      },
      CalibrationScenario(coldName, sizes: [10, 30, 100, 300, 1_000, 3_000, 10_000]) { bench, size in
        let (merge, held) = try preparedMerge(bench, coldRowCount) { context, entity in
          try bench.rows(coldRowCount, of: entity, in: context)
        }
        bench.machine.mainQueue.sync(merge)
        for _ in 0..<coldMergeCount {
          let end = bench.instruments.threadCPU() + .microseconds(Int64(size))
          while bench.instruments.threadCPU() < end {}
          try bench.machine.mainQueue.sync { try bench.measure(merge) }
        }
        withExtendedLifetime(held) {}
      },
      CalibrationScenario("merge insertions", sizes: [250, 500, 1_000, 2_000]) { bench, size in
        let coordinator = try bench.empty(bench.flatSchema)
        let worker = bench.context(on: coordinator)
        let receiver = bench.context(on: coordinator)
        let saves = Guarded<[SaveNotification]>([])
        let observation = worker.observeDidSave { save in saves.withLock { $0.append(save) } }
        let records = try bench.records(size, of: bench.flat)
        try bench.elsewhere { [schema = bench.flatSchema] in
          try CalibrationBench.importUnit(records[...], into: worker, schema, .none)
        }
        observation.cancel()
        let save = saves.withLock { $0[0] }
        try bench.measure { receiver.performAndWait { receiver.mergeChanges(fromContextDidSave: save) } }
      },
    ]
  }

  /// Measures the merge of a save of `size` updates into a context that holds `rows`.
  private static func merge(
    _ bench: CalibrationBench, _ size: Int,
    holding rows: (ManagedObjectContext, EngineSchema.Entity) throws -> [ManagedObject]
  ) throws {
    let (merge, held) = try preparedMerge(bench, size, holding: rows)
    try bench.measure(merge)
    withExtendedLifetime(held) {}
  }

  /// Returns a closure that merges a save of `size` updates into a context that holds `rows`, and these rows, which the
  /// caller must keep.
  private static func preparedMerge(
    _ bench: CalibrationBench, _ size: Int,
    holding rows: (ManagedObjectContext, EngineSchema.Entity) throws -> [ManagedObject]
  ) throws -> (merge: @Sendable () -> Void, held: [ManagedObject]) {
    let (worker, changed, entity) = try realised(bench, size)
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
