import ContextEngine
import MachineCore

/// The objects that changed in a context since its last save, by the child that pushed the changes. It is used on the
/// context's queue.
final class PushedChanges: Sendable {
  private let state = Guarded(Known())

  /// Notes a change. `child` is the child that pushed it, or nil if it came in another way.
  func note(_ change: ChangeNotification, from child: ManagedObjectContext?) {
    let changed = (change.inserted + change.updated + change.deleted).map(\.objectID)
    let pusher = child.map(ObjectIdentifier.init)
    state.withLock { known in
      if let index = known.origins.firstIndex(where: { $0.pusher == pusher }) {
        known.origins[index].objectIDs.formUnion(changed)
      } else {
        known.origins.append(Origin(pusher: pusher, objectIDs: Set(changed)))
      }
    }
  }

  /// Returns the noted changes and forgets them.
  func take() -> Known {
    state.withLock { known in
      defer { known = Known() }
      return known
    }
  }

  struct Origin: Sendable {
    /// The child that pushed the changes, or nil for changes that came in other ways.
    let pusher: ObjectIdentifier?
    var objectIDs: Set<ObjectID>
  }

  /// The changes between two saves.
  struct Known: Sendable {
    fileprivate(set) var origins: [Origin] = []

    /// Returns true if a save carried only changes that `child` pushed. An object that changed in another way as well
    /// must be merged into the child, even if the child pushed it too.
    func isAll(of save: SaveNotification, from child: ManagedObjectContext) -> Bool {
      let own = origins.first { $0.pusher == ObjectIdentifier(child) }?.objectIDs ?? []
      guard !own.isEmpty else { return false }
      let others = origins.filter { $0.pusher != ObjectIdentifier(child) }
      return (save.updatedIDs + save.deletedIDs + save.insertedIDs).allSatisfy { objectID in
        own.contains(objectID) && !others.contains { $0.objectIDs.contains(objectID) }
      }
    }
  }
}
