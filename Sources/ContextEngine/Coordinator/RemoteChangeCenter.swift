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
    weak var feed: RemoteChangeFeed?
    let url: URL
  }

  private let listeners = Guarded<[Listener]>([])
  /// Whether anybody ever observed, so that stacks without observers pay one load.
  private let isUsed = Atomic(false)

  func add(_ feed: RemoteChangeFeed) {
    isUsed.store(true, ordering: .releasing)
    listeners.withLock { listeners in
      listeners.removeAll { $0.feed == nil }
      listeners.append(Listener(feed: feed, url: feed.url))
    }
  }

  func remove(_ feed: RemoteChangeFeed) {
    // Whoever is dying now must not meet the lock that it is taken under.
    let left = listeners.withLock { listeners in
      let left = listeners.filter { $0.feed === feed }
      listeners.removeAll { $0.feed == nil || $0.feed === feed }
      return left
    }
    _ = consume left
  }

  /// Tells everybody who observes one of these stores that it was written to. Posts to their queues, and blocks on none.
  func changed(_ stores: @autoclosure () -> [any PersistentStore]) {
    guard isUsed.load(ordering: .acquiring) else { return }
    for store in stores() {
      let url = store.url
      for feed in listeners.withLock({ $0.filter { $0.url == url }.compactMap(\.feed) }) { feed.post() }
    }
  }
}
