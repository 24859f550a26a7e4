import MachineCore

/// Changes to the objects of a context since it last posted a did-change, in the order in which they came.
///
/// An object is listed once for each of inserted, updated, deleted and refreshed; which of them count is settled when the
/// event is taken: new objects are not also updated, and those that came and went are not listed at all.
struct PendingEvent {
  private var inserted: [ManagedObject] = []
  private var updated: [ManagedObject] = []
  private var deleted: [ManagedObject] = []
  private var refreshed: [ManagedObject] = []
  /// The rows before the event of those changed objects that had unsaved changes by then. All others had their snapshot.
  private var earlierRows: [ObjectIdentifier: Row] = [:]
  /// Whether one of the deleted objects was new and had its permanent ID all the same.
  private var hasDeletedUnderPermanentID = false

  /// The objects that were changed here, each as often as it is listed.
  var changedObjects: [ManagedObject] { inserted + updated + deleted }

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty }

  mutating func noteInserted(_ object: ManagedObject) {
    guard !object.flags.contains(.eventInserted) else { return }
    object.flags.insert(.eventInserted)
    inserted.append(object)
  }

  /// The same for objects that were just made with the flag `eventInserted`.
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
  /// The row is copied if it is changed in place. An object without unsaved changes needs no copy, as it keeps its snapshot.
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

  /// Whether a new object of this ID was deleted here. O(deletions), from the last to the first.
  func hasDeletedNew(_ objectID: ObjectID, _ identities: IdentityMap) -> Bool {
    guard objectID.isTemporaryID || hasDeletedUnderPermanentID else { return false }
    let canonical = identities.canonical(objectID)
    return deleted.lastIndex { object in
      (object.objectID == objectID || object.objectID == canonical) && object.flags.contains(.eventDeleted)
    } != nil
  }

  mutating func noteRefreshed(_ object: ManagedObject, slots: UInt64) {
    object.eventSlots |= slots
    guard !object.flags.contains(.eventRefreshed) else { return }
    object.flags.insert(.eventRefreshed)
    refreshed.append(object)
  }

  /// Deletions were given up: the objects are back. O(deletions).
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

  /// The event as it stands, leaving an empty one.
  mutating func take() -> ControllerEvent.Changes {
    var changes = ControllerEvent.Changes()
    changes.inserted = inserted.thoseHeld { !$0.flags.contains(.eventDeleted) }
    changes.deleted = deleted.thoseHeld { !$0.flags.contains(.eventInserted) }
    let cameOrWent: ManagedObject.Flags = [.eventInserted, .eventDeleted]
    // Changed here and brought up to date as well is one change; changed and given up again is news from outside.
    let isUpdated = { (object: ManagedObject) in object.flags.contains(.eventUpdated) && object.hasChanges }
    changes.updated = updated.thoseHeld { $0.flags.isDisjoint(with: cameOrWent) && isUpdated($0) }
      .map { .init(object: $0, slots: $0.eventSlots) }
    changes.refreshed = refreshed.thoseHeld { $0.flags.isDisjoint(with: cameOrWent) && !isUpdated($0) }
      .map { .init(object: $0, slots: $0.eventSlots) }
    changes.earlierRows = earlierRows
    changes.deleted.forEachHeld { object in
      if object.eventSlots != 0 { changes.deletedSlots[ObjectIdentifier(object)] = object.eventSlots }
    }
    drop()
    return changes
  }

  /// Forgets the event.
  mutating func drop() {
    inserted.forEachHeld(Self.clear)
    updated.forEachHeld(Self.clear)
    deleted.forEachHeld(Self.clear)
    refreshed.forEachHeld(Self.clear)
    self = PendingEvent()
  }

  private static func clear(_ object: ManagedObject) {
    object.flags.subtract([.eventInserted, .eventUpdated, .eventDeleted, .eventRefreshed])
    object.eventSlots = 0
  }
}

extension ManagedObjectContext {
  /// Posts what changed since the last time: controllers first, then observers. Called at the end of each `perform`, in a
  /// save, a push and a merge.
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
      // Nobody to tell.
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
