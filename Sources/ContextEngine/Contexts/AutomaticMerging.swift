import MachineCore

/// The contexts that automatically merge the saves of one parent, in the order in which they were added. They are held
/// weakly.
final class AutomaticMerging: Sendable {
  /// A function that merges a save into a context. It is called on the queue of that context.
  typealias Merge = @Sendable (ManagedObjectContext, SaveNotification) -> Void

  private struct Receiver: Sendable {
    weak var context: ManagedObjectContext?
    let identifier: ObjectIdentifier
    let merge: Merge
  }

  private let receivers = Guarded<[Receiver]>([])

  /// Adds a context into which `merge` merges each save.
  func add(_ context: ManagedObjectContext, merge: @escaping Merge) {
    receivers.withLock {
      $0.append(Receiver(context: context, identifier: ObjectIdentifier(context), merge: merge))
    }
  }

  /// Removes a context.
  func remove(_ context: ManagedObjectContext) {
    // The identifier is compared and no reference is taken: one taken here could be the last, and the context's deinit
    // would take this lock again.
    let identifier = ObjectIdentifier(context)
    receivers.withLock { $0.removeAll { $0.identifier == identifier } }
  }

  var isEmpty: Bool { receivers.withLock { $0.isEmpty } }

  /// Posts a merge of the save to every receiver except the context that saved. Never blocks. All receivers' observers
  /// are notified before the first merge is posted.
  func distribute(_ save: SaveNotification) {
    let merging = receivers.withLock { $0 }.compactMap { receiver in
      receiver.context.flatMap { $0 === save.context ? nil : (context: $0, merge: receiver.merge) }
    }
    for (context, _) in merging {
      context.didMergeObservers.notify(MergeNotification(context: context, stage: .posted, save: save))
    }
    for (context, merge) in merging {
      context.perform { merge(context, save) }
    }
  }
}

extension PersistentStoreCoordinator {
  /// The contexts on the coordinator that merge the saves of others automatically.
  var automaticMerging: AutomaticMerging {
    associatedObjects.object(of: AutomaticMerging.self) { AutomaticMerging() }
  }
}
