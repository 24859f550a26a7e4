import ContextEngine
import Foundation
import MachineCore
import MachineLive
import SQLitePersistence
import TestSupport

/// A coordinator over two stores, and a chain of contexts.
struct SeveralStores {
  /// The kinds of the first and the second store, and the number of contexts above the one in use.
  struct Setting: Sendable, CustomStringConvertible {
    var first: StoreKind
    var second: StoreKind
    var depth: Int

    var description: String { "\(first.rawValue) and \(second.rawValue), depth \(depth)" }

    static let all = [
      Setting(first: .sqlite, second: .sqlite, depth: 0), Setting(first: .sqlite, second: .inMemory, depth: 1),
      Setting(first: .inMemory, second: .sqlite, depth: 0), Setting(first: .inMemory, second: .inMemory, depth: 2),
    ]
  }

  let machine = LiveMachine(ledger: WorkLedger())
  let folder: TemporaryFolder
  let first: any PersistentStore
  let second: any PersistentStore
  let coordinator: PersistentStoreCoordinator
  let contexts: [ManagedObjectContext]

  init(_ setting: Setting) throws {
    folder = try TemporaryFolder()
    first = try Self.store(setting.first, "first", folder, machine)
    second = try Self.store(setting.second, "second", folder, machine)
    coordinator = PersistentStoreCoordinator(machine: machine, model: Desk.model)
    coordinator.addPersistentStore(first, configuration: "User")
    coordinator.addPersistentStore(second, configuration: "Archive")
    var contexts = [ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "root")]
    for level in 0..<setting.depth {
      contexts.append(ManagedObjectContext(.privateQueue, parent: contexts[level], name: "level \(level + 1)"))
    }
    self.contexts = contexts
  }

  private static func store(
    _ kind: StoreKind, _ name: String, _ folder: TemporaryFolder, _ machine: LiveMachine
  ) throws -> any PersistentStore {
    switch kind {
    case .inMemory: InMemoryStore(machine, model: Desk.model)
    case .sqlite:
      try SQLiteStore(
        machine, model: Desk.model,
        configuration: SQLiteStoreConfiguration(
          path: folder.url.appendingPathComponent("\(name).sqlite").path, synchronous: .off))
    }
  }

  var leaf: ManagedObjectContext { contexts[contexts.count - 1] }

  func saveAll() throws {
    for context in contexts.reversed() { try context.performAndWait { try context.save() } }
  }

  /// Notes of both stores: "note 0" with the rank 0 in the first, "note 1" with the rank 1 in the second, and so on.
  func seed(_ count: Int) throws {
    leaf.performAndWait {
      for number in 0..<count { insertNote(number, into: number % 2 == 0 ? first : second) }
    }
    try saveAll()
    for context in contexts { context.performAndWait { context.reset() } }
  }

  @discardableResult
  func insertNote(_ number: Int, into store: (any PersistentStore)? = nil) -> ManagedObject {
    let note = leaf.insert(Desk.note)
    note[Desk.text] = .string("note \(number)")
    note[Desk.rank] = .integer(Int64(number))
    if let store { leaf.assign(note, to: store) }
    return note
  }

  /// Returns the texts in a store, which are read without the coordinator.
  func texts(in store: any PersistentStore) throws -> [String] {
    try store.fetch(
      StoreFetchRequest(entity: Desk.note, predicate: nil, sortDescriptors: [FetchSortDescriptor(Desk.rank)])
    ).map { if case .string(let text) = $0.row.values[Desk.text.slot] { text } else { "" } }
  }
}
