/// The recorder of a context with an undo manager.
///
/// It records each object's state before the event's first change of it. When pending changes are processed it compares
/// these states with the objects and registers the difference with the undo manager.
// `@unchecked Sendable`: used on the context's queue only.
final class UndoRecorder: ChangeRecorder, @unchecked Sendable {
  let undoManager: UndoManager
  private weak var context: ManagedObjectContext?
  private var checkpoint: ObserverToken?
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

  init(of context: ManagedObjectContext, for undoManager: UndoManager) {
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

  /// Notes an object as it is; called before its first change in an event.
  func note(_ object: ManagedObject) {
    let state = Before.State(
      row: object.currentRow.copy(), changedSlots: object.changedSlots, hadChanges: object.hasChanges,
      wasInserted: object.flags.contains(.inserted), toManys: object.toManys)
    touched.append(Before(object: object, state: state))
  }

  func registerUndoOfEvent() {
    let touched = touched
    self.touched = []
    guard let context, let record = UndoRecord(touched, context.coordinator.identities) else { return }
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
