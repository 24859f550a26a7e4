import MachineCore

// MARK: - Observing

extension PersistentStoreCoordinator {
  /// Calls a closure after writes to a store that keeps history, with the last transaction of its history. The writes
  /// can come from this coordinator, from another one of this process on the same file, or, if there is an interval,
  /// from another process.
  ///
  /// Writes of this process are reported immediately, and writes of other processes after `interval` at most. Several
  /// writes may be reported by one call.
  ///
  /// - Parameters:
  ///   - interval: The time between two checks for writes of other processes, or nil to not check for them.
  ///   - body: The closure, which runs on a separate queue of the observation. It has to post its work with contexts to
  ///     their queues.
  /// - Returns: A token that ends the observation when it is cancelled. The observation continues if the token is
  ///   discarded.
  /// - Throws: `PersistenceError` with `.unsupportedRequest` if no store keeps history, or with the error of a store
  ///   whose history cannot be read.
  public func observeRemoteChanges(
    every interval: TimeSpan? = nil, _ body: @escaping @Sendable (RemoteChange) -> Void
  ) throws(PersistenceError) -> ObserverToken {
    var feeds: [RemoteChangeFeed] = []
    for member in attachedStores.members {
      let last = try reading { () throws(PersistenceError) in try member.store.lastTransactionNumber() }
      guard let last else { continue }
      feeds.append(
        RemoteChangeFeed(machine: machine, store: member.store, reported: last, interval: interval, body: body))
    }
    guard !feeds.isEmpty else { throw StoreGroup.hasNoHistory }
    let started = feeds
    remoteChangeFeeds.list.withLock { $0 += started }
    for feed in started { feed.start() }
    return ObserverToken { [weak self] in
      for feed in started { feed.cancel() }
      self?.remoteChangeFeeds.list.withLock { feeds in feeds.removeAll { feed in started.contains { $0 === feed } } }
    }
  }

  /// Checks at once for writes of other processes, and reports them to the observers of remote changes.
  ///
  /// Call this method when another process has announced that it has written to a store. The engine itself learns of such
  /// writes only at intervals, whereas Core Data posts a notification between processes
  /// (`NSPersistentStoreRemoteChangeNotificationPostOptionKey`). The call returns immediately, and may be made on any
  /// thread.
  public func checkForRemoteChanges() {
    storesChanged()
  }

  /// The observations of remote changes, which end with the coordinator.
  private var remoteChangeFeeds: RemoteChangeFeeds {
    associatedObjects.object(of: RemoteChangeFeeds.self) { RemoteChangeFeeds() }
  }
}

/// The observations of remote changes that a coordinator keeps alive.
private final class RemoteChangeFeeds: Sendable {
  let list = Guarded<[RemoteChangeFeed]>([])
}
