import MachineCore

/// The changes to a context's objects since it last posted a did-change, in the order in which they were made.
///
/// An object is listed once for each of inserted, updated, deleted and refreshed. The lists are reconciled when the
/// event is taken: new objects are not also updated, and objects that were inserted and deleted within the event are
/// omitted.
struct PendingEvent {
  private var inserted: [ManagedObject] = []
  private var updated: [ManagedObject] = []
  private var deleted: [ManagedObject] = []
  private var refreshed: [ManagedObject] = []
  /// The rows before the event of those changed objects that already had unsaved changes. All others had their
  /// snapshot.
  private var earlierRows: [ObjectIdentifier: Row] = [:]
  /// True if one of the deleted objects was new and had a permanent ID already.
  private var hasDeletedUnderPermanentID = false

  /// The objects that were inserted, updated or deleted. An object occurs once for each list that contains it.
  var changedObjects: [ManagedObject] { inserted + updated + deleted }

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty }

  mutating func noteInserted(_ object: ManagedObject) {
    guard !object.flags.contains(.eventInserted) else { return }
    object.flags.insert(.eventInserted)
    inserted.append(object)
  }

  /// Lists objects as inserted that were just made with the flag `eventInserted`.
  mutating func noteMade(_ objects: [ManagedObject]) {
    inserted.append(allOf: objects)
  }

  mutating func noteUpdated(_ object: ManagedObject) {
    guard object.flags.isDisjoint(with: [.eventInserted, .eventUpdated]) else { return }
    object.flags.insert(.eventUpdated)
    updated.append(object)
  }

  /// Keeps an object's row before the event changes the object for the first time.
  ///
  /// The row is copied if it is changed in place. An object without unsaved changes needs no copy, as it keeps its
  /// snapshot.
  mutating func noteRow(before object: ManagedObject) {
    guard let own = object.ownRow, object.flags.isDisjoint(with: [.eventInserted, .eventUpdated]) else { return }
    earlierRows[ObjectIdentifier(object)] = own.isShared ? own.row : own.row.copy()
  }

  /// Returns the row that a changed object had when the event began, or nil if it had none.
  func row(before object: ManagedObject) -> Row? {
    earlierRows[ObjectIdentifier(object)] ?? object.snapshot
  }

  mutating func noteDeleted(_ object: ManagedObject) {
    guard !object.flags.contains(.eventDeleted) else { return }
    object.flags.insert(.eventDeleted)
    deleted.append(object)
    if object.flags.contains(.inserted), !object.objectID.isTemporaryID { hasDeletedUnderPermanentID = true }
  }

  /// Returns true if a new object with this ID was deleted in the event. O(deletions), from the last to the first.
  func hasDeletedNew(_ objectID: ObjectID, identities: IdentityMap) -> Bool {
    guard objectID.isTemporaryID || hasDeletedUnderPermanentID else { return false }
    let canonical = identities.canonical(objectID)
    return deleted.lastIndex { object in
      (object.objectID == objectID || object.objectID == canonical) && object.flags.contains(.eventDeleted)
    } != nil
  }

  mutating func noteRefreshed(_ object: ManagedObject, slots: SlotSet) {
    object.eventSlots.formUnion(slots)
    guard !object.flags.contains(.eventRefreshed) else { return }
    object.flags.insert(.eventRefreshed)
    refreshed.append(object)
  }

  /// Records that deletions were given up and the objects exist again. O(deletions).
  mutating func noteRestored(_ objects: [ManagedObject]) {
    for object in objects {
      if object.flags.contains(.eventDeleted) {
        object.flags.remove(.eventDeleted)
      } else {
        noteInserted(object)
      }
    }
    deleted.removeAll { !$0.flags.contains(.eventDeleted) }
  }

  /// Returns the changes of the event and leaves an empty event.
  mutating func take() -> ControllerEvent.Changes {
    var changes = ControllerEvent.Changes()
    changes.inserted = inserted.thoseHeld { !$0.flags.contains(.eventDeleted) }
    changes.deleted = deleted.thoseHeld { !$0.flags.contains(.eventInserted) }
    let cameOrWent: ManagedObject.Flags = [.eventInserted, .eventDeleted]
    // An object that was both changed here and refreshed counts as updated; one whose changes were discarded counts as
    // refreshed.
    let isUpdated = { (object: ManagedObject) in object.flags.contains(.eventUpdated) && object.hasChanges }
    changes.updated = updated.thoseHeld { $0.flags.isDisjoint(with: cameOrWent) && isUpdated($0) }
      .map { .init(object: $0, slots: $0.eventSlots) }
    changes.refreshed = refreshed.thoseHeld { $0.flags.isDisjoint(with: cameOrWent) && !isUpdated($0) }
      .map { .init(object: $0, slots: $0.eventSlots) }
    changes.earlierRows = earlierRows
    changes.deleted.forEachHeld { object in
      if !object.eventSlots.isEmpty { changes.deletedSlots[ObjectIdentifier(object)] = object.eventSlots }
    }
    drop()
    return changes
  }

  /// Discards the event.
  mutating func drop() {
    inserted.forEachHeld(Self.clear)
    updated.forEachHeld(Self.clear)
    deleted.forEachHeld(Self.clear)
    refreshed.forEachHeld(Self.clear)
    self = PendingEvent()
  }

  private static func clear(_ object: ManagedObject) {
    object.flags.subtract([.eventInserted, .eventUpdated, .eventDeleted, .eventRefreshed])
    object.eventSlots = SlotSet()
  }
}

extension ManagedObjectContext {
  /// Processes pending changes: carries out postponed delete rules, and reports the changes since the last time to the
  /// controllers first and then to observers. It is called at the end of each `perform`, in a save, a push and a merge.
  public func processPendingChanges() {
    checkQueue()
    processPendingChanges(origin: .processing)
    endConfinedBlock()
  }

  func processPendingChanges(origin: ChangeNotification.Origin) {
    if !unpropagatedList.isEmpty { propagateDeletions() }
    if let changeRecorder, !changeRecorder.isEmpty { changeRecorder.registerUndoOfEvent() }
    guard !pendingEvent.isEmpty else {
      if case .push = origin { post(ChangeNotification(context: self, origin: origin, event: .init())) }
      return
    }
    guard !controllers.isEmpty || !didChangeObservers.isEmpty else {
      // There are no controllers and no observers.
      pendingEvent.drop()
      machine.account(Work(.notificationPosted))
      return
    }
    let changes = pendingEvent.take()
    let outer = reportedEvent
    reportedEvent = ReportedEvent(changes)
    defer { reportedEvent = outer }
    if !controllers.isEmpty { controllers.notify(.changed(changes)) }
    if didChangeObservers.isEmpty {
      machine.account(Work(.notificationPosted))
    } else {
      post(ChangeNotification(context: self, origin: origin, event: changes))
    }
  }
}
