import MachineCore

/// The contexts that merge the saves of one parent automatically, in the order in which they asked for it; held weakly.
final class AutomaticMerging: Sendable {
  /// Merges a save into a context; called on the queue of that context.
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

  func remove(_ context: ManagedObjectContext) {
    // By identifier: a reference taken here could be the last, and its end would come back to this lock.
    let identifier = ObjectIdentifier(context)
    receivers.withLock { $0.removeAll { $0.identifier == identifier } }
  }

  var isEmpty: Bool { receivers.withLock { $0.isEmpty } }

  /// Posts a merge of the save to every receiver but the one that saved. Never blocks.
  func distribute(_ save: SaveNotification) {
    for receiver in receivers.withLock({ $0 }) {
      guard let context = receiver.context, context !== save.context else { continue }
      let merge = receiver.merge
      context.didMergeObservers.notify(MergeNotification(context: context, stage: .posted, save: save))
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
