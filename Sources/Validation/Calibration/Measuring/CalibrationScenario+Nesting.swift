import ContextEngine
import MachineCore

// MARK: - Contexts and their blocks

extension CalibrationScenario {
  private static let sizes = [300, 600, 1_200, 2_400]

  /// The scenarios of blocks, of contexts, and of requests and pushes from children to their parents.
  static var nesting: [CalibrationScenario] {
    [
      CalibrationScenario("perform", sizes: [1_000, 2_000, 4_000, 8_000]) { bench, size in
        let context = bench.context(on: try bench.empty(bench.flatSchema))
        try bench.measure(onAllThreads: true) {
          for _ in 0..<size { context.perform {} }
          context.performAndWait {}
        }
      },
      CalibrationScenario("perform and wait", sizes: [5_000, 10_000, 20_000, 40_000]) { bench, size in
        let context = bench.context(on: try bench.empty(bench.flatSchema))
        try bench.measure { for _ in 0..<size { context.performAndWait {} } }
      },
      CalibrationScenario("make contexts", sizes: [200, 400, 800, 1_600]) { bench, size in
        let coordinator = try bench.empty(bench.flatSchema)
        try bench.measure { for _ in 0..<size { _ = bench.context(on: coordinator) } }
      },
      CalibrationScenario("push insertions", sizes: sizes) { bench, size in
        let parent = bench.context(on: try bench.empty(bench.flatSchema))
        let child = bench.child(of: parent)
        try bench.importUnit(
          try bench.records(size, of: bench.flat)[...], into: child, schema: bench.flatSchema, lookup: .none,
          saves: false)
        try bench.measure { try child.performAndWait { () throws(PersistenceError) in try child.save() } }
      },
      CalibrationScenario("push updates", sizes: sizes) { bench, size in
        let (parent, held, entity) = try realised(bench, size: size)
        let child = bench.child(of: parent)
        let rows = try bench.rows(size, of: entity, in: child)
        let note = bench.nextNote()
        child.performAndWait { for row in rows { row[entity.note] = note } }
        try bench.measure { try child.performAndWait { () throws(PersistenceError) in try child.save() } }
        withExtendedLifetime(held) {}
      },
      CalibrationScenario("push one update at a time", sizes: [50, 100, 200, 400]) { bench, size in
        let (parent, held, entity) = try realised(bench, size: 1)
        let child = bench.child(of: parent)
        let rows = try bench.rows(1, of: entity, in: child)
        let notes = (0..<size).map { _ in bench.nextNote() }
        try bench.measure {
          for note in notes {
            try child.performAndWait { () throws(PersistenceError) in
              rows[0][entity.note] = note
              try child.save()
            }
          }
        }
        withExtendedLifetime(held) {}
      },
      CalibrationScenario("fetch through a parent", sizes: sizes) { bench, size in
        let coordinator = try bench.populated()
        let entity = bench.catalogSchema.entities[1]
        let keys = try bench.keys(size, of: entity, on: coordinator)
        let child = bench.child(of: bench.context(on: coordinator))
        let request = FetchRequest(entity.description, predicate: .isIn(entity.keys[0], keys))
        try bench.measure {
          try child.performAndWait { () throws(PersistenceError) in _ = try child.fetch(request) }
        }
      },
      CalibrationScenario("fire faults through a parent", sizes: sizes) { bench, size in
        let (parent, held, entity) = try realised(bench, size: size)
        let child = bench.child(of: parent)
        let rows = try bench.rows(size, of: entity, in: child, asFaults: true)
        try bench.measure { child.performAndWait { for row in rows { _ = row[entity.keys[0]] } } }
        withExtendedLifetime(held) {}
      },
      CalibrationScenario("import units into a child", sizes: [3, 6, 9, 12], weight: 2) { bench, size in
        let parent = bench.context(on: try bench.populated())
        let child = bench.child(of: parent)
        let units = try (0..<size).map { try bench.decoder.decode(bench.catalog.payload($0)) }
        try bench.measure {
          for unit in units {
            try bench.importUnit(unit[...], into: child, schema: bench.catalogSchema, lookup: .unit)
            try parent.performAndWait { () throws(PersistenceError) in try parent.save() }
          }
        }
      },
    ]
  }
}
