import ContextEngine
import Harness
import MachineCore
import MachineLive
import SQLitePersistence
import TestSupport
import Testing
import Topologies
import Workloads

/// The saves of a root that are merged into its main child.
@Suite struct OwnChangesTests {
  @Test func `a root save with only the changes of main is not merged into main`() throws {
    let heard = try edit { _, _ in }
    #expect(heard == Heard(posted: 0, skipped: 1, amount: .double(1)))
  }

  @Test func `a root save with a change of the import is merged into main`() throws {
    let heard = try edit { root, entity in
      do throws(PersistenceError) {
        let row = try root.fetch(FetchRequest(entity.description)).first
        row?[entity.description.path("amount")] = .double(2)
        try root.save()
      } catch {
        Issue.record(error)
      }
    }
    // The unit's save included the edit, so the rule's own save had no changes.
    #expect(heard == Heard(posted: 1, skipped: 0, amount: .double(2)))
  }

  private struct Heard: Equatable, Sendable {
    var posted = 0
    var skipped = 0
    /// The row's amount in main at the end.
    var amount = Value.null
  }

  private final class Listener: StackDelegate {
    let heard = Guarded(Heard())

    func stack(_ stack: WiredStack, didMake context: ManagedObjectContext) {}
    func stack(_ stack: WiredStack, willPostMergeOf save: SaveNotification, into context: ManagedObjectContext) {
      heard.withLock { $0.posted += 1 }
    }
    func stack(_ stack: WiredStack, didSkipMergeOf save: SaveNotification, into context: ManagedObjectContext) {
      heard.withLock { $0.skipped += 1 }
    }
    func stack(_ stack: WiredStack, refetch screens: [Int], after payload: Int?) {}
    func stack(_ stack: WiredStack, save context: ManagedObjectContext, failedWith error: PersistenceError) {
      Issue.record(error)
    }
  }

  /// Changes the note of the one row in main, and runs `unit` in root between main's push and root's save.
  private func edit(unit: @escaping @Sendable (ManagedObjectContext, EngineSchema.Entity) -> Void) throws -> Heard {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let schema = try EngineSchema(.flat)
    let entity = schema.entities[0]
    let machine = LiveMachine(ledger: WorkLedger())
    defer { machine.stop() }
    let store = try SQLiteStore(
      machine, model: schema.model,
      configuration: SQLiteStoreConfiguration(path: "\(folder.path)/store.sqlite", poolSize: 4))
    let coordinator = PersistentStoreCoordinator(machine: machine, store: store)
    try insertRow(entity, coordinator)

    let listener = Listener()
    let stack = WiredStack(
      .reversedParent(.root), coordinator: coordinator,
      options: WiringOptions(mergePolicy: .objectTrump, laneCount: 1, screenEntities: [0]), delegate: listener)
    let main = stack.uiContext(ofScreen: 0)
    let root = stack.lastingContexts[0]
    _ = root.observeDidChange { [unowned root] change in
      // The unit is posted inside the push, and therefore before main's did-save posts root's save.
      if case .push = change.origin { root.perform { unit(root, entity) } }
    }
    let row = try main.performAndWait { () throws(PersistenceError) -> ManagedObject? in
      let row = try main.fetch(FetchRequest(entity.description)).first
      row?[entity.note] = .string("edited")
      try main.save()
      return row
    }
    while stack.lastingContexts.contains(where: \.isDirty) {}
    let amount = main.performAndWait { row?[entity.description.path("amount")] ?? .null }
    try store.close()
    return listener.heard.withLock { heard in
      heard.amount = amount
      return heard
    }
  }

  private func insertRow(_ entity: EngineSchema.Entity, _ coordinator: PersistentStoreCoordinator) throws {
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "rows")
    try context.performAndWait { () throws(PersistenceError) in
      let object = context.insert(entity.description)
      for (attribute, path) in zip(WorkloadSchema.flat.entities[0].attributes, entity.attributes) {
        object[path] = attribute.type == .string ? .string("row") : .double(1)
      }
      try context.save()
    }
  }
}
