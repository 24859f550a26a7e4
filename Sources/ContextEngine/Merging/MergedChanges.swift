import MachineCore

/// The objects that a running merge has changed so far. The lists stay empty if there are no observers of did-merge.
struct MergedChanges {
  let isObserved: Bool
  private(set) var inserted: [ObjectID] = []
  private(set) var updated: [ObjectID] = []
  private(set) var deleted: [ObjectID] = []
  private(set) var refreshed: [ObjectID] = []

  init(isObserved: Bool) {
    self.isObserved = isObserved
  }

  mutating func noteInserted(_ objectIDs: [ObjectID]) {
    if isObserved { inserted += objectIDs }
  }

  mutating func noteDeleted(_ object: ManagedObject) {
    if isObserved { deleted.append(object.objectID) }
  }

  /// Notes a registered object that the merge named as changed, after the object was refreshed or found to have no row.
  mutating func noteUpdated(_ object: ManagedObject, isRefreshed: Bool) {
    guard isObserved else { return }
    if object.flags.contains(.gone) { return deleted.append(object.objectID) }
    updated.append(object.objectID)
    if isRefreshed { refreshed.append(object.objectID) }
  }
}

extension ManagedObjectContext {
  /// Calls `body` at the end of each merge into the context, after its did-change, on the context's queue.
  ///
  /// A merge is reported even if none of its objects is registered.
  public func observeDidMerge(_ body: @escaping @Sendable (MergedChangesNotification) -> Void) -> ObserverToken {
    didMergeChangesObservers.add(body)
  }

  func post(_ changes: MergedChanges) {
    guard changes.isObserved else { return }
    machine.account(Work(.notificationPosted))
    didMergeChangesObservers.notify(
      MergedChangesNotification(
        context: self, insertedIDs: changes.inserted, updatedIDs: changes.updated, deletedIDs: changes.deleted,
        refreshedIDs: changes.refreshed))
  }
}
