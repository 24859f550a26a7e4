import Foundation
import MachineCore
import Synchronization

/// Which coordinators of this process have the same file, so that the writes of one are heard of by the others at once.
///
/// Observations are held weakly, and told in the order in which they began.
final class RemoteChangeCenter: Sendable {
  /// One for the process: a file is everybody's.
  static let shared = RemoteChangeCenter()

  private struct Listener: Sendable {
    weak var observer: (any RemoteChangeObserver)?
    let url: URL
  }

  private let listeners = Guarded<[Listener]>([])
  /// Whether anybody ever observed, so that stacks without observers pay one load.
  private let isUsed = Atomic(false)

  func add(_ observer: any RemoteChangeObserver) {
    isUsed.store(true, ordering: .releasing)
    listeners.withLock { listeners in
      listeners.removeAll { $0.observer == nil }
      listeners.append(Listener(observer: observer, url: observer.url))
    }
  }

  func remove(_ observer: any RemoteChangeObserver) {
    // Whoever is dying now must not meet the lock that it is taken under.
    let left = listeners.withLock { listeners in
      let left = listeners.filter { $0.observer === observer }
      listeners.removeAll { $0.observer == nil || $0.observer === observer }
      return left
    }
    _ = consume left
  }

  /// Tells everybody who observes one of these stores that it was written to. Posts to their queues, and blocks on none.
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

/// An object that is told of each write to one store by a coordinator of this process.
protocol RemoteChangeObserver: AnyObject, Sendable {
  /// The store's file.
  var url: URL { get }

  /// Called after each transaction, on the thread that committed it. Must not block.
  func storeChanged()
}

extension PersistentStoreCoordinator {
  /// Reports a committed transaction to the observers of the coordinator's stores; called after every save and batch
  /// request.
  func storesChanged() {
    RemoteChangeCenter.shared.changed(persistentStores)
  }
}
