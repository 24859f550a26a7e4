import Topologies

/// The merges of the store's history, which several coordinators of one store need.
extension WiringCode {
  /// Indicates whether the UI's context merges what other coordinators wrote, from the store's history.
  var mergesHistory: Bool { topology.rules.contains { $0.trigger == .remoteChange } }

  /// The properties that hold the coordinators in addition to the container's.
  var coordinators: [String] { topology.otherCoordinators.map(Self.property) }

  /// The statements that make a store keep its history and post a notification of each write.
  var historyOptions: [String] {
    guard mergesHistory else { return [] }
    return [
      "description.setOption(true as NSNumber, forKey: NSPersistentHistoryTrackingKey)",
      "description.setOption(true as NSNumber, forKey: NSPersistentStoreRemoteChangeNotificationPostOptionKey)",
    ]
  }

  /// The statements of a block on the reader's queue, which merge the transactions of others since the last token.
  private var historyMerging: String {
    """
    do {
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: lastToken)
      let result = try reader.execute(request) as? NSPersistentHistoryResult
      let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
      for transaction in transactions where transaction.author != "\(uiContext.name)" {
        nonisolated(unsafe) let changes = transaction.objectIDNotification()
        target.perform { [target] in
    \(Self.indented(measured(.merge, statements: "target.mergeChanges(fromContextDidSave: changes)", throwing: false), by: 6))
        }
      }
      lastToken = transactions.last?.token ?? lastToken
    } catch {
      didFail(error)
    }
    """
  }

  /// The comment on the function that merges history.
  private var historyNote: String {
    """
    /// Merges into \(uiContext.name) what other coordinators have written since the last call. The coordinators share no
    /// did-save notifications and no cached rows. Delete history that all of them have merged from time to time, with
    /// `NSPersistentHistoryChangeRequest.deleteHistory(before:)`.
    """
  }
}

extension WiringCode {
  /// The statements of the initialiser that begin the merges.
  var remoteMergesMaking: String {
    """
    remoteMerges = RemoteMerges(reader: container.newBackgroundContext(), target: \(uiContext.name), didFail: didFail)
    observers.append(
      NotificationCenter.default.addObserver(
        forName: .NSPersistentStoreRemoteChange, object: container.persistentStoreCoordinator, queue: nil
      ) { [remoteMerges] _ in remoteMerges.mergeLater() })
    """
  }

  var remoteMergeMembers: [String] {
    guard mergesHistory else { return [] }
    return [
      nested(
        """
        /// The merges of the store's history. `lastToken` is used on the reader's queue only.
        private nonisolated final class RemoteMerges: @unchecked Sendable {
          private let reader: NSManagedObjectContext
          private let target: NSManagedObjectContext
          private let didFail: @Sendable (any Error) -> Void
          private var lastToken: NSPersistentHistoryToken?

          init(
            reader: NSManagedObjectContext, target: NSManagedObjectContext,
            didFail: @escaping @Sendable (any Error) -> Void
          ) {
            self.reader = reader
            self.target = target
            self.didFail = didFail
            lastToken = reader.persistentStoreCoordinator?.currentPersistentHistoryToken(fromStores: nil)
          }

        \(Self.indented(historyNote))
          func mergeLater() {
            reader.perform { [self] in
        \(Self.indented(historyMerging, by: 6))
            }
          }
        }
        """)
    ]
  }
}
