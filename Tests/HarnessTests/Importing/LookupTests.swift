import ContextEngine
import Harness
import MachineCore
import MachineLive
import SQLitePersistence
import TestSupport
import Testing
import TrialSupport
import Workloads

/// The number of fetches that the units of an import make, counted by SQLite.
@Suite struct LookupTests {
  /// Four records of three entities: a supplier, two of its products and a price.
  private static let records = [
    record(0, "s1", []), record(1, "p1", ["s1"]), record(1, "p2", ["s1"]), record(2, "r1", ["p2"]),
  ]

  private static func record(_ entity: Int, _ key: String, _ links: [String]) -> ImportRecord {
    let attributes = WorkloadSchema.catalog.entities[entity].attributes
    return ImportRecord(
      entity: entity, key: .string(key),
      values: attributes.map { attribute in
        switch attribute.type {
        case .integer64: .integer(1)
        case .double: .double(1)
        case .boolean: .boolean(true)
        case .date: .date(0)
        case .string: .string(key)
        default: .null
        }
      }, links: links.map { .string($0) })
  }

  @Test func `a look-up by unit makes one fetch for each entity`() throws {
    #expect(try fetchCounts(.unit, Self.records) == [3, 3])
    #expect(try fetchCounts(.unit, Array(Self.records.prefix(1))) == [1, 1])
  }

  @Test func `a look-up by record makes one fetch for each record and new target`() throws {
    // Known targets are not fetched again. New rows are looked up, each in vain.
    #expect(try fetchCounts(.record, Self.records) == [4, 4])
    #expect(try fetchCounts(.record, [Self.records[3]]) == [2, 2])
  }

  @Test func `an import without look-up fetches only link targets, once per entity`() throws {
    #expect(try fetchCounts(.none, [Self.records[0]]) == [0, 0])
    #expect(try fetchCounts(.none, [Self.records[1], Self.records[3]]) == [2, 2])
  }

  /// Returns the SELECTs of entity tables of a first import, and of a second import of the same records in a new
  /// context.
  private func fetchCounts(_ lookup: RunOptions.Lookup, _ records: [ImportRecord]) throws -> [Int] {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let schema = try EngineSchema(.catalog)
    let statements = Statements()
    let machine = LiveMachine(ledger: WorkLedger())
    defer { machine.stop() }
    let store = try SQLiteStore(
      machine, model: schema.model,
      configuration: SQLiteStoreConfiguration(
        path: "\(folder.path)/store.sqlite", onStatement: statements.add))
    let coordinator = PersistentStoreCoordinator(machine: machine, store: store)
    let counts = try (0..<2).map { _ in
      let context = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "import")
      let before = statements.all.count
      return try context.performAndWait { () throws(PersistenceError) -> Int in
        var unit = UnitImport(context, schema: schema, lookup: lookup)
        try unit.run(records[...])
        let count = statements.all[before...].count { statement in
          statement.hasPrefix("SELECT")
            && ["ZREMOTEID IN", "ZREMOTEID =", "Z_LISTED("].contains { statement.contains($0) }
        }
        try context.save()
        return count
      }
    }
    try store.close()
    return counts
  }
}
