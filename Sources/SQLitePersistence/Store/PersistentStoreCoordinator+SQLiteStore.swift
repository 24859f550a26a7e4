import ContextEngine
import MachineCore

extension PersistentStoreCoordinator {
  /// Makes a coordinator over an SQLite store; contexts are made on it.
  ///
  /// - Parameters:
  ///   - machine: Queues, locks and time; the one that the store was made with.
  ///   - checksConcurrency: Whether contexts trap when they or their objects are used off their queues.
  public convenience init(machine: any Machine, sqliteStore: SQLiteStore, checksConcurrency: Bool = false) {
    self.init(machine: machine, store: sqliteStore, checksConcurrency: checksConcurrency)
  }
}
