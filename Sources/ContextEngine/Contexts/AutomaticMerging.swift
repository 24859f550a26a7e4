import MachineCore

/// The contexts that merge the saves of one parent automatically, in the order in which they asked for it; held weakly.
final class AutomaticMerging: Sendable {
  private struct Receiver: Sendable {
    weak var context: ManagedObjectContext?
    let identifier: ObjectIdentifier
  }

  private let receivers = Guarded<[Receiver]>([])

  func add(_ context: ManagedObjectContext) {
    receivers.withLock { $0.append(Receiver(context: context, identifier: ObjectIdentifier(context))) }
  }

  func remove(_ context: ManagedObjectContext) {
    // By identifier: a reference taken here could be the last, and its end would come back to this lock.
    let identifier = ObjectIdentifier(context)
    receivers.withLock { $0.removeAll { $0.identifier == identifier } }
  }

  var isEmpty: Bool { receivers.withLock { $0.isEmpty } }

  /// Posts a merge of the save to every receiver but the one that saved. Never blocks.
  func distribute(_ save: SaveNotification) {
    for context in receivers.withLock({ $0.compactMap(\.context) }) where context !== save.context {
      context.didMergeObservers.notify(MergeNotification(context: context, stage: .posted, save: save))
      context.perform { context.mergeChanges(fromContextDidSave: save) }
    }
  }
}

extension ManagedObjectContext {
  func updateAutomaticMerging() {
    automaticMerging.remove(self)
    if automaticallyMergesChangesFromParent { automaticMerging.add(self) }
  }
}
