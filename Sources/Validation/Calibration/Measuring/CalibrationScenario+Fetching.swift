import ContextEngine
import Harness
import MachineCore

// MARK: - Fetching

extension CalibrationScenario {
  private static let sizes = [300, 600, 1_200, 2_400]

  /// The scenarios of statements, rows, pages and faults.
  static var fetching: [CalibrationScenario] {
    [
      CalibrationScenario("fetch rows by key", sizes: sizes) { bench, size in
        try fetchByKey(bench, size: size, entity: 1)
      },
      CalibrationScenario("fetch narrow rows by key", sizes: sizes) { bench, size in
        try fetchByKey(bench, size: size, entity: 2)
      },
      CalibrationScenario("fetch rows that are registered", sizes: sizes) { bench, size in
        let coordinator = try bench.populated()
        let entity = bench.catalogSchema.entities[1]
        let keys = try bench.keys(size, of: entity, on: coordinator)
        let context = bench.context(on: coordinator)
        let request = FetchRequest(entity.description, predicate: .isIn(entity.keys[0], keys))
        let held = try context.performAndWait { () throws(PersistenceError) in try context.fetch(request) }
        try bench.measure {
          try context.performAndWait { () throws(PersistenceError) in _ = try context.fetch(request) }
        }
        withExtendedLifetime(held) {}
      },
      CalibrationScenario("fetch keys", sizes: [2, 4, 8, 16]) { bench, size in
        let context = bench.context(on: try bench.populated())
        let request = FetchRequest(bench.catalogSchema.entities[1].description)
        try bench.measure {
          for _ in 0..<size {
            try context.performAndWait { () throws(PersistenceError) in _ = try context.fetchObjectIDs(request) }
          }
        }
      },
      CalibrationScenario("read from cold files", sizes: [1, 2, 3, 4]) { bench, size in
        for _ in 0..<size {
          let context = bench.context(on: try bench.populated())
          let request = FetchRequest(bench.catalogSchema.entities[1].description)
          try bench.measure {
            try context.performAndWait { () throws(PersistenceError) in _ = try context.fetch(request) }
          }
        }
      },
      CalibrationScenario("fire faults from the row cache", sizes: sizes) { bench, size in
        let context = bench.context(on: try bench.populated())
        let entity = bench.catalogSchema.entities[1]
        let rows = try bench.rows(size, of: entity, in: context, asFaults: true)
        try bench.measure { context.performAndWait { for row in rows { _ = row[entity.keys[0]] } } }
      },
      CalibrationScenario("fire faults from the store", sizes: sizes) { bench, size in
        let coordinator = try bench.populated()
        let entity = bench.catalogSchema.entities[1]
        let objectIDs = try {
          let context = bench.context(on: coordinator)
          return try context.performAndWait { () throws(PersistenceError) in
            Array(try context.fetchObjectIDs(FetchRequest(entity.description)).prefix(size))
          }
        }()
        let context = bench.context(on: coordinator)
        try bench.measure {
          context.performAndWait { for objectID in objectIDs { _ = context.object(with: objectID)[entity.keys[0]] } }
        }
      },
      CalibrationScenario("run one statement", sizes: sizes) { bench, size in
        let context = bench.context(on: try bench.empty(bench.flatSchema))
        let entity = bench.flatSchema.entities[0]
        let request = FetchRequest(entity.description, predicate: .equal(entity.keys[0], .string("none")))
        try bench.measure {
          try context.performAndWait { () throws(PersistenceError) in
            for _ in 0..<size { _ = try context.fetch(request) }
          }
        }
      },
      CalibrationScenario("prepare statements", sizes: [25, 50, 100, 200]) { bench, size in
        let context = bench.context(on: try bench.empty(bench.catalogSchema))
        let entity = bench.catalogSchema.entities[1]
        let requests = (0..<size).map { number in
          FetchRequest(entity.description, predicate: .and(conditions(number, on: entity)))
        }
        try bench.measure {
          try context.performAndWait { () throws(PersistenceError) in
            for request in requests { _ = try context.fetch(request) }
          }
        }
      },
      CalibrationScenario("test texts", sizes: [1, 2, 4, 8]) { bench, size in
        let context = bench.context(on: try bench.populated())
        let entity = bench.catalogSchema.entities[1]
        let request = FetchRequest(entity.description, predicate: .text(entity.keys[0], .contains, "none"))
        try bench.measure {
          try context.performAndWait { () throws(PersistenceError) in
            for _ in 0..<size { _ = try context.fetch(request) }
          }
        }
      },
      CalibrationScenario("test unsaved objects", sizes: sizes) { bench, size in
        let context = bench.context(on: try bench.empty(bench.flatSchema))
        try bench.importUnit(
          try bench.records(size, of: bench.flat)[...], into: context, schema: bench.flatSchema, lookup: .none,
          saves: false)
        let entity = bench.flatSchema.entities[0]
        let request = FetchRequest(entity.description, predicate: .equal(entity.keys[0], .string("none")))
        try bench.measure {
          try context.performAndWait { () throws(PersistenceError) in
            for _ in 0..<10 { _ = try context.fetch(request) }
          }
        }
      },
    ]
  }

  /// Returns four conditions that differ for each number, so that each statement has another text.
  private static func conditions(_ number: Int, on entity: EngineSchema.Entity) -> [FetchPredicate] {
    var rest = number
    return (0..<4).map { _ in
      let path = entity.attributes[rest % 5]
      rest /= 5
      return .equal(path, .null)
    }
  }

  private static func fetchByKey(_ bench: CalibrationBench, size: Int, entity index: Int) throws {
    let coordinator = try bench.populated()
    let entity = bench.catalogSchema.entities[index]
    let keys = try bench.keys(size, of: entity, on: coordinator)
    let context = bench.context(on: coordinator)
    let request = FetchRequest(entity.description, predicate: .isIn(entity.keys[0], keys))
    try bench.measure {
      try context.performAndWait { () throws(PersistenceError) in _ = try context.fetch(request) }
    }
  }
}
