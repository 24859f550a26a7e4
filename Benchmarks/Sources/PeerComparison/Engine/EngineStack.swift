import ContextEngine
import MachineCore
import MachineLive
import SQLitePersistence

/// A coordinator over a store file on the machine of real threads.
struct EngineStack {
  let machine: LiveMachine
  let store: SQLiteStore
  let coordinator: PersistentStoreCoordinator

  /// Opens the store, or creates it if its file does not exist. The store has one connection, as every subject does.
  init(path: String, model: ManagedObjectModel = ItemModel.model) throws {
    machine = LiveMachine(ledger: WorkLedger())
    store = try SQLiteStore(
      machine, model: model,
      configuration: SQLiteStoreConfiguration(path: path, journalMode: .wal, synchronous: .normal))
    coordinator = PersistentStoreCoordinator(machine: machine, sqliteStore: store)
  }

  /// Opens the store of an assignment.
  init(_ assignment: Assignment) throws {
    try self.init(
      path: assignment.path,
      model: assignment.benchmark.startingStore == .family ? FamilyModel.model : ItemModel.model)
  }

  func context(_ name: String) -> ManagedObjectContext {
    ManagedObjectContext(.privateQueue, coordinator: coordinator, name: name)
  }

  func mainContext() -> ManagedObjectContext {
    ManagedObjectContext(.mainQueue, coordinator: coordinator, name: "main")
  }

  /// Closes the store, which leaves one file, and ends the machine's threads.
  func close() throws {
    try store.close()
    machine.stop()
  }
}
