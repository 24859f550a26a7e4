import MachineCore

// MARK: - Several stores

extension ManagedObjectContext {
  /// Selects the store of the coordinator that a new object is saved to, if several stores take its entity.
  ///
  /// The choice applies at every level of nested contexts. Traps for an object that has been saved to a store already,
  /// for a store that the coordinator does not have, and for one that does not take the object's entity.
  package func assign(_ object: ManagedObject, to store: any PersistentStore) {
    checkQueue()
    guard object.objectID.isTemporaryID, coordinator.identities.permanentID(for: object.objectID) == nil else {
      trapMisuse("\(object.entity.name) \(object.objectID.rowKey) was assigned to a store, but has been saved to one")
    }
    guard let member = coordinator.attachedStores.members.first(where: { $0.store === store }) else {
      trapMisuse("a new \(object.entity.name) was assigned to a store that its coordinator does not have")
    }
    guard member.holds(object.entity.index) else {
      trapMisuse(
        "a new \(object.entity.name) was assigned to a store whose configuration \(member.configuration ?? "") has no such entity"
      )
    }
    coordinator.attachedStores.assign(object.objectID, to: member.number)
  }
}
