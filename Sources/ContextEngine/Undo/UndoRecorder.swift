/// What a context has to know of its objects to take back what the running event changes in them.
///
/// Only a context with an undo manager has one. It notes each object's state when the event changes it first, and compares
/// when pending changes are processed.
struct UndoRecorder {
  private var touched: [Before] = []
  /// Objects that came under another ID since an undo record could have named the old one.
  private var renamed: [ObjectID: ObjectID] = [:]

  /// An object as it was before the event.
  struct Before {
    var object: ManagedObject
    /// Nil = it was not there.
    var state: State?

    struct State {
      var row: Row
      var changedSlots: UInt64
      var hadChanges: Bool
      var wasInserted: Bool
      var toManys: [ToManyState]
    }
  }

  var isEmpty: Bool { touched.isEmpty }

  mutating func noteInsertion(of object: ManagedObject) {
    touched.append(Before(object: object, state: nil))
  }

  /// Notes an object as it is; called before its first change in an event.
  mutating func note(_ object: ManagedObject) {
    let state = Before.State(
      row: object.currentRow.copy(), changedSlots: object.changedSlots, hadChanges: object.hasChanges,
      wasInserted: object.flags.contains(.inserted), toManys: object.toManys)
    touched.append(Before(object: object, state: state))
  }

  /// The event's changes, leaving none.
  mutating func take() -> [Before] {
    defer { touched = [] }
    return touched
  }

  mutating func forgetAll() {
    touched = []
    renamed = [:]
  }

  // MARK: Identities

  mutating func noteRenamed(_ old: ObjectID, to new: ObjectID) {
    if old != new { renamed[old] = new }
  }

  /// The ID that an object goes by now.
  func current(_ objectID: ObjectID) -> ObjectID {
    var objectID = objectID
    while let next = renamed[objectID] { objectID = next }
    return objectID
  }

  func current(_ value: Value) -> Value {
    if case .object(let objectID) = value { .object(current(objectID)) } else { value }
  }
}
