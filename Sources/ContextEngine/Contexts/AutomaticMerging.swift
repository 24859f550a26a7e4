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

  /// Posts a merge of the save to every receiver except the context that saved. Never blocks.
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
