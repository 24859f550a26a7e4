import ContextEngine
import Harness
import MachineCore
import Workloads

// MARK: - Changing

extension CalibrationScenario {
  private static let sizes = [300, 600, 1_200, 2_400]

  /// The scenarios of changes in one context, and of their saves.
  static var changing: [CalibrationScenario] {
    [
      CalibrationScenario("set one property", sizes: sizes) { bench, size in
        let (context, rows, entity) = try realised(bench, size: size)
        let notes = rows.map { _ in bench.nextNote() }
        try bench.measure {
          context.performAndWait { for (row, note) in zip(rows, notes) { row[entity.note] = note } }
        }
      },
      CalibrationScenario("set one property eight times", sizes: sizes) { bench, size in
        let (context, rows, entity) = try realised(bench, size: size)
        let notes = (0..<8).map { _ in bench.nextNote() }
        try bench.measure {
          context.performAndWait { for row in rows { for note in notes { row[entity.note] = note } } }
        }
      },
      CalibrationScenario("update one property and save", sizes: sizes) { bench, size in
        let (context, rows, entity) = try realised(bench, size: size)
        let notes = rows.map { _ in bench.nextNote() }
        try bench.measure {
          try context.performAndWait { () throws(PersistenceError) in
            for (row, note) in zip(rows, notes) { row[entity.note] = note }
            try context.save()
          }
        }
      },
      CalibrationScenario("update all properties and save", sizes: sizes) { bench, size in
        let (context, rows, entity) = try realised(bench, size: size)
        let records = try bench.records(5_500, of: bench.catalog).filter { $0.entity == 1 }
        try bench.measure {
          try context.performAndWait { () throws(PersistenceError) in
            for (row, record) in zip(rows, records.reversed()) {
              for (path, value) in zip(entity.attributes, record.values).dropFirst() { row[path] = Value(value) }
            }
            try context.save()
          }
        }
      },
      CalibrationScenario("update rows that lie apart", sizes: [20, 40, 80, 160]) { bench, size in
        let (context, rows, entity) = try realised(bench, size: 2_400)
        let apart = (0..<size).map { rows[$0 * 15] }
        let notes = apart.map { _ in bench.nextNote() }
        try bench.measure {
          try context.performAndWait { () throws(PersistenceError) in
            for (row, note) in zip(apart, notes) { row[entity.note] = note }
            try context.save()
          }
        }
      },
      CalibrationScenario("update rows by one statement", sizes: [1, 2, 4, 8]) { bench, size in
        let context = bench.context(on: try bench.populated())
        let entity = bench.catalogSchema.entities[1]
        let requests = (0..<size).map { _ in
          BatchUpdateRequest(entity.description, propertiesToUpdate: [entity.note: .constant(bench.nextNote())])
        }
        try bench.measure {
          try context.performAndWait { () throws(PersistenceError) in
            for request in requests { _ = try context.execute(request) }
          }
        }
      },
      CalibrationScenario("delete and save", sizes: sizes) { bench, size in
        let context = bench.context(on: try bench.populated())
        let rows = try bench.rows(size, of: bench.catalogSchema.entities[2], in: context)
        try bench.measure {
          try context.performAndWait { () throws(PersistenceError) in
            for row in rows { context.delete(row) }
            try context.save()
          }
        }
      },
      CalibrationScenario("save changes that conflict", sizes: sizes) { bench, size in
        let coordinator = try bench.populated()
        let entity = bench.catalogSchema.entities[1]
        let contexts = (0..<2).map { _ in bench.context(on: coordinator) }
        let rows = try contexts.map { try bench.rows(size, of: entity, in: $0) }
        for (context, rows) in zip(contexts, rows) {
          let note = bench.nextNote()
          context.performAndWait { for row in rows { row[entity.note] = note } }
        }
        try contexts[0].performAndWait { () throws(PersistenceError) in try contexts[0].save() }
        try bench.measure {
          try contexts[1].performAndWait { () throws(PersistenceError) in try contexts[1].save() }
        }
      },
      CalibrationScenario("notify of one change", sizes: [100, 200, 400, 800]) { bench, size in
        let (context, rows, entity) = try realised(bench, size: 1)
        let notes = (0..<size).map { _ in bench.nextNote() }
        try bench.measure {
          for note in notes {
            context.performAndWait { context.event { rows[0][entity.note] = note } }
          }
        }
      },
    ]
  }

  /// Returns a context on the populated store, its first products, realised, and their entity.
  static func realised(
    _ bench: CalibrationBench, size: Int
  ) throws -> (context: ManagedObjectContext, rows: [ManagedObject], entity: EngineSchema.Entity) {
    let entity = bench.catalogSchema.entities[1]
    let context = bench.context(on: try bench.populated())
    return (context, try bench.rows(size, of: entity, in: context), entity)
  }
}
