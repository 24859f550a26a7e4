import ContextEngine
import Harness
import MachineCore
import MachineLive
import SQLitePersistence
import TestSupport
import Testing
import Workloads

/// The position of a list of ten rows on a screen of four rows.
@Suite struct ScreenTests {
  @Test func `a list scrolls at its speed and reverses at both ends`() throws {
    // Six rows are left, so the last top row is the seventh.
    let tops = try tops(speed: 10, after: [0, 99, 100, 550, 600, 700, 1_100, 1_200, 1_300, 1_800])
    #expect(tops == [0, 0, 1, 5, 6, 5, 1, 0, 1, 6])
  }

  @Test func `a list stays at its top at speed 0 or with all rows visible`() throws {
    #expect(try tops(speed: 0, after: [0, 5_000]) == [0, 0])
    #expect(try tops(speed: 10, after: [-500]) == [0])
    #expect(try tops(speed: 10, visibleRows: 10, after: [500]) == [0])
    #expect(try tops(speed: 10, visibleRows: 100, after: [500]) == [0])
  }

  @Test func `a screen with 0 visible rows scrolls over the whole list`() throws {
    #expect(try tops(speed: 10, visibleRows: 0, after: [500, 1_000, 1_100]) == [5, 10, 9])
  }

  @Test func `visible rows start at the top row and stop at the list's end`() throws {
    #expect(try visibleKeys(visibleRows: 4, after: 600) == ["item 6", "item 7", "item 8", "item 9"])
    #expect(try visibleKeys(visibleRows: 100, after: 0).count == 10)
    #expect(try visibleKeys(visibleRows: 0, after: 1_000).isEmpty)
  }

  private func tops(speed: Int, visibleRows: Int = 4, after milliseconds: [Int64]) throws -> [Int] {
    try withScreen(visibleRows: visibleRows) { screen in
      milliseconds.map {
        screen.scroll(at: speed, for: .milliseconds($0))
        return screen.topRow
      }
    }
  }

  private func visibleKeys(visibleRows: Int, after milliseconds: Int64) throws -> [String] {
    try withScreen(visibleRows: visibleRows) { screen in
      screen.scroll(at: 10, for: .milliseconds(milliseconds))
      return screen.visibleRows.map { if case .string(let key) = $0[screen.entity.keys[0]] { key } else { "?" } }
    }
  }

  /// Runs `body` with an open screen, on the main queue.
  private func withScreen<Result: Sendable>(
    visibleRows: Int, _ body: (Screen) throws(PersistenceError) -> Result
  ) throws -> Result {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let schema = try EngineSchema(.flat)
    let machine = LiveMachine(ledger: WorkLedger())
    defer { machine.stop() }
    let store = try SQLiteStore(
      machine, model: schema.model,
      configuration: SQLiteStoreConfiguration(path: "\(folder.path)/store.sqlite"))
    let context = ManagedObjectContext(
      .mainQueue, coordinator: PersistentStoreCoordinator(machine: machine, store: store), name: "main")
    let entity = schema.entities[0]
    let result = try context.performAndWait { () throws(PersistenceError) -> Result in
      for number in 0..<10 {
        let object = context.insert(entity.description)
        for (attribute, path) in zip(WorkloadSchema.flat.entities[0].attributes, entity.attributes) {
          object[path] = attribute.type == .string ? .string("item \(number)") : .double(1)
        }
      }
      try context.save()
      let screen = Screen(
        number: 0, entity: entity, context: context, options: .quick { $0.visibleRows = visibleRows },
        fetchesShownProperties: false)
      try screen.open()
      defer { screen.close() }
      return try body(screen)
    }
    try store.close()
    return result
  }
}
