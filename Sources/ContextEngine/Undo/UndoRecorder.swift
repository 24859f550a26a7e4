/// The recorder of a context with an undo manager.
///
/// It records each object's state before the event's first change of it. When pending changes are processed it compares
/// these states with the objects and registers the difference with the undo manager.
// `@unchecked Sendable`: it is used on the context's queue only.
final class UndoRecorder: ChangeRecorder, @unchecked Sendable {
  let undoManager: ContextUndoManager
  private weak var context: ManagedObjectContext?
  private var checkpoint: ObserverToken?
  private var touched: [Before] = []
  /// The new IDs of objects that were given another ID, by their old IDs, which undo records may still contain.
  private var renamed: [ObjectID: ObjectID] = [:]

  /// An object and its state before the event.
  struct Before {
    var object: ManagedObject
    /// The previous state, or nil if the event inserted the object.
    var state: State?

    struct State {
      var row: Row
      var changedSlots: SlotSet
      var hadChanges: Bool
      var wasInserted: Bool
      var toManys: [ToManyState]
    }
  }

  init(of context: ManagedObjectContext, for undoManager: ContextUndoManager) {
    self.undoManager = undoManager
    self.context = context
    checkpoint = undoManager.observeCheckpoints { [weak context] in context?.processPendingChanges() }
  }

  /// Stops observing the undo manager.
  func end() {
    checkpoint?.cancel()
  }

  var isEmpty: Bool { touched.isEmpty }

  func noteInsertion(of object: ManagedObject) {
    touched.append(Before(object: object, state: nil))
  }

  /// Records the current state of an object. It is called before the object's first change in an event.
  func note(_ object: ManagedObject) {
    let state = Before.State(
      row: object.currentRow.copy(), changedSlots: object.changedSlots, hadChanges: object.hasChanges,
      wasInserted: object.flags.contains(.inserted), toManys: object.toManys)
    touched.append(Before(object: object, state: state))
  }

  func registerUndoOfEvent() {
    let touched = touched
    self.touched = []
    guard let context, let record = UndoRecord(touched, identities: context.coordinator.identities) else { return }
    undoManager.registerUndo(withTarget: context) { [weak context] in context?.takeBack(record) }
  }

  func endEvent() {
    undoManager.endEvent()
  }

  func forgetAll() {
    touched = []
    renamed = [:]
    if let context { undoManager.removeAllActions(withTarget: context) }
  }

  // MARK: Identities

  func noteRenamed(_ old: ObjectID, to new: ObjectID) {
    if old != new { renamed[old] = new }
  }

  /// Returns the current ID of the object that had the given ID.
  func current(_ objectID: ObjectID) -> ObjectID {
    var objectID = objectID
    while let next = renamed[objectID] { objectID = next }
    return objectID
  }

  func current(_ value: Value) -> Value {
    if case .object(let objectID) = value { .object(current(objectID)) } else { value }
  }
}
