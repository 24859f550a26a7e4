/// An object that records the changes of a context's objects, so that they can be undone.
///
/// A context without an undo manager has no recorder. Every method is called on the context's queue.
protocol ChangeRecorder: AnyObject, Sendable {
  /// A Boolean value that is true if the running event has not changed an object so far.
  var isEmpty: Bool { get }

  /// Records an object that the event inserted.
  func noteInsertion(of object: ManagedObject)

  /// Records an object as it is before the event's first change of it.
  func note(_ object: ManagedObject)

  /// Records that an object has another ID.
  func noteRenamed(_ old: ObjectID, to new: ObjectID)

  /// Registers with the undo manager how to undo the event; called before its changes are reported.
  func registerUndoOfEvent()

  /// Ends the undo manager's group for the event.
  func endEvent()

  /// Discards all recorded changes. It is called when changes are given up or objects dropped.
  func forgetAll()
}

extension ManagedObjectContext {
  /// Records the current state of an object, unless the running event has changed the object already.
  func noteForUndo(_ object: ManagedObject) {
    guard let changeRecorder,
      object.flags.isDisjoint(with: [.eventInserted, .eventUpdated, .eventDeleted])
    else { return }
    changeRecorder.note(object)
  }

  /// Records that objects got their permanent IDs.
  func noteRenamed(_ pairs: [(temporary: ObjectID, permanent: ObjectID)]) {
    guard let changeRecorder else { return }
    for (temporary, permanent) in pairs { changeRecorder.noteRenamed(temporary, to: permanent) }
  }
}
