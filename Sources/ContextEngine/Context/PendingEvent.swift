/// Changes to the objects of a context since it last posted a did-change, in the order in which they came.
///
/// An object is listed once for each of inserted, updated, deleted and refreshed; which of them count is settled when the
/// event is taken: new objects are not also updated, and those that came and went are not listed at all.
struct PendingEvent {
  private var inserted: [ManagedObject] = []
  private var updated: [ManagedObject] = []
  private var deleted: [ManagedObject] = []
  private var refreshed: [ControllerEvent.ChangedObject] = []

  var isEmpty: Bool { inserted.isEmpty && updated.isEmpty && deleted.isEmpty && refreshed.isEmpty }

  mutating func noteInserted(_ object: ManagedObject) {
    object.flags.insert(.eventInserted)
    inserted.append(object)
  }

  mutating func noteUpdated(_ object: ManagedObject) {
    guard object.flags.isDisjoint(with: [.eventInserted, .eventUpdated]) else { return }
    object.flags.insert(.eventUpdated)
    updated.append(object)
  }

  mutating func noteDeleted(_ object: ManagedObject) {
    guard !object.flags.contains(.eventDeleted) else { return }
    object.flags.insert(.eventDeleted)
    deleted.append(object)
  }

  mutating func noteRefreshed(_ object: ManagedObject, slots: UInt64) {
    guard !object.flags.contains(.eventRefreshed) else { return }
    object.flags.insert(.eventRefreshed)
    refreshed.append(.init(object: object, slots: slots))
  }

  /// A deletion was rolled back: the object is back.
  mutating func noteRestored(_ object: ManagedObject) {
    if object.flags.contains(.eventDeleted) {
      object.flags.remove(.eventDeleted)
      deleted.removeAll { $0 === object }
    } else {
      noteInserted(object)
    }
  }

  /// The event as it stands, leaving an empty one.
  mutating func take() -> ControllerEvent.Changes {
    var changes = ControllerEvent.Changes()
    changes.inserted = inserted.filter { !$0.flags.contains(.eventDeleted) }
    changes.deleted = deleted.filter { !$0.flags.contains(.eventInserted) }
    changes.updated =
      updated.filter { !$0.flags.contains(.eventDeleted) && !$0.flags.contains(.eventInserted) }
      .map { .init(object: $0, slots: $0.eventSlots) }
    changes.refreshed = refreshed.filter {
      $0.object.flags.isDisjoint(with: [.eventDeleted, .eventInserted, .eventUpdated])
    }
    // An object changed here and brought up to date as well is one change.
    let merged = refreshed.filter { $0.object.flags.contains(.eventUpdated) }
    for entry in merged {
      if let index = changes.updated.firstIndex(where: { $0.object === entry.object }) {
        changes.updated[index].slots |= entry.slots
      }
    }
    let all: EventFlags = [.eventInserted, .eventUpdated, .eventDeleted, .eventRefreshed]
    for object in inserted { clear(object, all) }
    for object in updated { clear(object, all) }
    for object in deleted { clear(object, all) }
    for entry in refreshed { clear(entry.object, all) }
    self = PendingEvent()
    return changes
  }

  private typealias EventFlags = ManagedObject.Flags

  private func clear(_ object: ManagedObject, _ flags: EventFlags) {
    object.flags.subtract(flags)
    object.eventSlots = 0
  }
}

extension ManagedObjectContext {
  /// Posts what changed since the last time: controllers first, then observers. Called at the end of each `perform`, in a
  /// save, a push and a merge.
  public func processPendingChanges() {
    processPendingChanges(origin: .processing)
  }

  func processPendingChanges(origin: ChangeNotification.Origin) {
    guard !pendingEvent.isEmpty else {
      if case .push = origin { post(ChangeNotification(context: self, origin: origin, event: .init())) }
      return
    }
    let changes = pendingEvent.take()
    if !controllers.isEmpty { controllers.notify(.changed(changes)) }
    post(ChangeNotification(context: self, origin: origin, event: changes))
  }
}
