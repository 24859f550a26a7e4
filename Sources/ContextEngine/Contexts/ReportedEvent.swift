/// An event that is being reported to controllers and observers, with the rows that its objects had before it.
///
/// The table of its objects is created when `changedValuesForCurrentEvent()` is first called.
final class ReportedEvent {
  private let changes: ControllerEvent.Changes

  private enum Part {
    case inserted
    /// The slots in which the object changed.
    case changed(SlotSet)
  }

  private lazy var parts: [ObjectIdentifier: Part] = {
    var parts: [ObjectIdentifier: Part] = [:]
    for object in changes.inserted where object.isInserted { parts[ObjectIdentifier(object)] = .inserted }
    for change in changes.updated { parts[ObjectIdentifier(change.object)] = .changed(change.slots) }
    for object in changes.deleted {
      if let slots = changes.deletedSlots[ObjectIdentifier(object)] {
        parts[ObjectIdentifier(object)] = .changed(slots)
      }
    }
    return parts
  }()

  init(_ changes: ControllerEvent.Changes) {
    self.changes = changes
  }

  /// Returns the slots in which the event changed an object, and the row that the object had before, which is
  /// nil for a new object.
  func change(of object: ManagedObject) -> (slots: SlotSet, before: Row?) {
    switch parts[ObjectIdentifier(object)] {
    case nil: ([], nil)
    case .inserted: (object.changedSlots, nil)
    case .changed(let slots):
      (slots.intersection(object.changedSlots), changes.earlierRows[ObjectIdentifier(object)] ?? object.snapshot)
    }
  }
}

extension PendingEvent {
  /// Returns the slots in which the running event has changed an object, and the row that the object had
  /// before.
  func change(of object: ManagedObject) -> (slots: SlotSet, before: Row?) {
    if object.flags.isSuperset(of: [.inserted, .eventInserted]) { return (object.changedSlots, nil) }
    if object.flags.isDisjoint(with: [.eventUpdated, .eventDeleted]) { return ([], nil) }
    return (object.eventSlots.intersection(object.changedSlots), row(before: object))
  }
}
