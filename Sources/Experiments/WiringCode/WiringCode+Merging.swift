import Topologies

/// The merges of other contexts' saves that the framework does not do automatically.
extension WiringCode {
  /// Returns the call that merges the saves of a context as a rule does. `source` is the context's name.
  func call(of merge: PrintableShape.Merge, source: String) -> Code {
    "mergeSaves(of: \(source)\(shape.observedMerges.count > 1 ? ", into: \(merge.target.name)" : ""))"
  }

  /// The function that merges saves, which has the target as a parameter in stacks with several such pairs.
  @CodeBuilder var mergeMembers: [Code] {
    if shape.observedMerges.count > 1 {
      """
      /// Merges each save of a context into another. The observer runs inside the save, on the source's queue, and
      /// therefore only posts the merge.
      \(mergeSaves(of: "source", into: "target", parameter: ", into target: NSManagedObjectContext"))
      """
    } else if let merge = shape.observedMerges.first {
      let (source, target) = (merge.source.name, merge.target.name)
      let fires = merge.target.firesUpdatedObjectsBeforeMerging
      """
      /// Merges each save of \(source) into \(target). The observer runs inside the save, on \(source)'s queue, and
      /// therefore only posts the merge.
      ///
      \(fires ? Self.firingNote(target) : automaticNote(target))
      \(mergeSaves(of: source, into: target, captures: "[\(target)] ", fires: fires))
      """
      if fires { Self.firing }
    }
  }

  private static func firingNote(_ target: String) -> Code {
    "/// A save of changes that \(target) had pushed is merged as well. This costs a refresh and changes nothing."
  }

  private func automaticNote(_ target: String) -> Code {
    let title = "\(topology.id)/automatic"
    let variant = Topology.named(title) == nil ? "" : ", as in the variant \(title)"
    return .comment([
      "`\(target).automaticallyMergesChangesFromParent = true` does the same in one line\(variant). Use an observer to "
        + "choose which saves to merge."
    ])
  }

  private func mergeSaves(
    of source: String, into target: String, parameter: String = "", captures: String = "", fires: Bool = false
  ) -> Code {
    let merge = measured(.merge) {
      if fires { "Self.fireUpdated(in: save, for: \(target))" }
      "\(target).mergeChanges(fromContextDidSave: save)"
    }
    return """
      private func mergeSaves(of \(source): NSManagedObjectContext\(parameter)) {
        let observer = NotificationCenter.default.addObserver(
          forName: .NSManagedObjectContextDidSave, object: \(source), queue: nil
        ) { \(captures)notification in
          // The notification may be passed to another thread. Its merge needs only the queue of the receiver.
          nonisolated(unsafe) let save = notification
          \(target).perform {
            \(merge)
          }
        }
        observers.append(observer)
      }
      """
  }

  private static let firing: Code = """
    /// Realises the updated objects: a merge ignores faults, and then fetched results controllers miss the change.
    private nonisolated static func fireUpdated(in save: Notification, for context: NSManagedObjectContext) {
      let updated = save.userInfo?[NSUpdatedObjectsKey] as? Set<NSManagedObject> ?? []
      for object in updated { context.object(with: object.objectID).willAccessValue(forKey: nil) }
    }
    """
}

// MARK: - The merges of the store's history, which several coordinators of one store need

extension WiringCode {
  /// The statements of the initialiser that begin the merges.
  @CodeBuilder var remoteMergesMaking: Code {
    "remoteMerges = RemoteMerges(reader: container.newBackgroundContext(), target: \(ui.name), didFail: didFail)"
    Self.observed(
      ".NSPersistentStoreRemoteChange", of: "container.persistentStoreCoordinator",
      block: "{ [remoteMerges] _ in remoteMerges.mergeLater() }")
  }

  var remoteMerges: Code {
    let merging: Code = """
      let request = NSPersistentHistoryChangeRequest.fetchHistory(after: lastToken)
      let result = try reader.execute(request) as? NSPersistentHistoryResult
      let transactions = result?.result as? [NSPersistentHistoryTransaction] ?? []
      for transaction in transactions where transaction.author != "\(ui.name)" {
        nonisolated(unsafe) let changes = transaction.objectIDNotification()
        target.perform { [target] in
          \(measured(.merge) { "target.mergeChanges(fromContextDidSave: changes)" })
        }
      }
      lastToken = transactions.last?.token ?? lastToken
      """
    return nested(
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

        /// Merges into \(ui.name) what other coordinators have written since the last call. The coordinators share no
        /// did-save notifications and no cached rows. Delete history that all of them have merged from time to time, with
        /// `NSPersistentHistoryChangeRequest.deleteHistory(before:)`.
        func mergeLater() {
          reader.perform { [self] in
            \(Self.catching(merging))
          }
        }
      }
      """)
  }
}
