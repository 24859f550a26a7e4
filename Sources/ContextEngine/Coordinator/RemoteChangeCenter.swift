import Foundation
import MachineCore
import Synchronization

/// Notifies the observers of a file in this process immediately when another coordinator of the process writes to the
/// file.
///
/// Observers are held weakly, and notified in the order in which they were added.
final class RemoteChangeCenter: Sendable {
  /// The center of the process. There is only one, because any coordinator can open the same file.
  static let shared = RemoteChangeCenter()

  private struct Listener: Sendable {
    weak var observer: (any RemoteChangeObserver)?
    let url: URL
  }

  private let listeners = Guarded<[Listener]>([])
  /// True if an observer was ever added. Coordinators without observers pay only for one load.
  private let isUsed = Atomic(false)

  func add(_ observer: any RemoteChangeObserver) {
    isUsed.store(true, ordering: .releasing)
    listeners.withLock { listeners in
      listeners.removeAll { $0.observer == nil }
      listeners.append(Listener(observer: observer, url: observer.url))
    }
  }

  func remove(_ observer: any RemoteChangeObserver) {
    // The removed listeners are released outside the lock, because an observer that is deallocated with them must not
    // need the lock while it is held.
    let left = listeners.withLock { listeners in
      let left = listeners.filter { $0.observer === observer }
      listeners.removeAll { $0.observer == nil || $0.observer === observer }
      return left
    }
    _ = consume left
  }

  /// Notifies the observers of these stores that a store was written to. The observers post to their queues and do not
  /// block.
  func changed(_ stores: @autoclosure () -> [any PersistentStore]) {
    guard isUsed.load(ordering: .acquiring) else { return }
    for store in stores() {
      let url = store.url
      for observer in listeners.withLock({ $0.filter { $0.url == url }.compactMap(\.observer) }) {
        observer.storeChanged()
      }
    }
  }
}

/// An object that is notified of each write to one store by a coordinator of this process.
protocol RemoteChangeObserver: AnyObject, Sendable {
  /// The store's file.
  var url: URL { get }

  /// Handles a transaction. It is called after each one, on the thread that committed it, and must not block.
  func storeChanged()
}

extension PersistentStoreCoordinator {
  /// Reports a committed transaction to the observers of the coordinator's stores; called after every save and batch
  /// request.
  func storesChanged() {
    RemoteChangeCenter.shared.changed(persistentStores)
  }
}
