import MachineCore

// MARK: - Observing

extension PersistentStoreCoordinator {
  /// Calls `body` whenever a store that keeps history was written to, with the place that its history has come to: by
  /// this coordinator, by another one of this process on the same file, or, where there is an interval, by another
  /// process.
  ///
  /// Runs on a queue of the observation's own; what it has to do with contexts it posts to them. Writes of this process
  /// are heard of at once, those of others after `interval` at most; several at a time may be one call.
  ///
  /// - Throws: `PersistenceError` with `.unsupportedRequest` where no store keeps history.
  public func observeRemoteChanges(
    every interval: Span? = nil, _ body: @escaping @Sendable (RemoteChange) -> Void
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

  /// The observations of remote changes, which end with the coordinator.
  private var remoteChangeFeeds: RemoteChangeFeeds {
    associatedObjects.object(of: RemoteChangeFeeds.self) { RemoteChangeFeeds() }
  }
}

/// The observations of remote changes that a coordinator keeps alive.
private final class RemoteChangeFeeds: Sendable {
  let list = Guarded<[RemoteChangeFeed]>([])
}
