import ContextEngine
import TestSupport
import Testing

/// The undo manager by itself: groups, limits and names, as in Foundation's.
@Suite struct UndoManagerTests {
  /// A number that is set with an undo.
  private final class Counter: @unchecked Sendable {
    let manager = ContextUndoManager()
    var value = 0

    func set(_ new: Int) {
      let old = value
      manager.registerUndo(withTarget: self) { [unowned self] in set(old) }
      value = new
    }
  }

  @Test func `actions of one event are undone in reverse order and redone together`() {
    let counter = Counter()
    counter.set(1)
    counter.set(2)
    #expect(counter.manager.canUndo && !counter.manager.canRedo && counter.manager.groupingLevel == 1)
    counter.manager.undo()
    #expect(counter.value == 0 && !counter.manager.canUndo && counter.manager.canRedo)
    counter.manager.redo()
    #expect(counter.value == 2 && counter.manager.canUndo && !counter.manager.canRedo)
    counter.manager.undo()
    #expect(counter.value == 0)
    counter.set(5)
    #expect(!counter.manager.canRedo)
    counter.manager.redo()
    #expect(counter.value == 5)
  }

  @Test func `manual groups are undone one by one, each with its nested groups`() {
    let counter = Counter()
    counter.manager.groupsByEvent = false
    for value in [1, 2, 3] {
      counter.manager.beginUndoGrouping()
      counter.set(value)
      if value == 3 {
        counter.manager.beginUndoGrouping()
        counter.set(30)
        #expect(counter.manager.groupingLevel == 2)
        counter.manager.endUndoGrouping()
        counter.set(31)
      }
      counter.manager.endUndoGrouping()
    }
    // An empty group registers no undo.
    counter.manager.beginUndoGrouping()
    counter.manager.endUndoGrouping()
    counter.manager.undo()
    #expect(counter.value == 2)
    counter.manager.undo()
    #expect(counter.value == 1)
    counter.manager.redo()
    counter.manager.redo()
    #expect(counter.value == 31)
  }

  @Test func `levelsOfUndo discards the oldest groups`() {
    let counter = Counter()
    counter.manager.groupsByEvent = false
    counter.manager.levelsOfUndo = 2
    for value in 1...4 {
      counter.manager.beginUndoGrouping()
      counter.set(value)
      counter.manager.endUndoGrouping()
    }
    for _ in 0..<4 { counter.manager.undo() }
    #expect(counter.value == 2)
    counter.manager.redo()
    counter.manager.redo()
    counter.manager.levelsOfUndo = 1
    for _ in 0..<4 { counter.manager.undo() }
    #expect(counter.value == 3)
  }

  @Test func `disableUndoRegistration nests, and action names follow undo and redo`() {
    let counter = Counter()
    counter.manager.disableUndoRegistration()
    counter.manager.disableUndoRegistration()
    counter.manager.enableUndoRegistration()
    counter.set(1)
    #expect(!counter.manager.canUndo && !counter.manager.isUndoRegistrationEnabled)
    counter.manager.enableUndoRegistration()
    counter.set(2)
    counter.manager.setActionName("Count")
    #expect(counter.manager.undoActionName == "Count" && counter.manager.redoActionName.isEmpty)
    counter.manager.undo()
    #expect(counter.manager.redoActionName == "Count" && counter.manager.undoActionName.isEmpty)
    counter.manager.redo()
    #expect(counter.manager.undoActionName == "Count" && counter.value == 2)
  }

  @Test func `removing the actions of one target keeps those of other targets`() {
    let counter = Counter()
    let other = Journal<Int>()
    counter.manager.beginUndoGrouping()
    counter.set(1)
    counter.manager.registerUndo(withTarget: other) { other.write(1) }
    counter.manager.endUndoGrouping()
    counter.manager.removeAllActions(withTarget: counter)
    counter.manager.undo()
    #expect(counter.value == 1 && other.count == 1)
    counter.manager.removeAllActions()
    #expect(!counter.manager.canUndo && !counter.manager.canRedo)
  }

  @Test func `misusing an undo manager stops the process with a description`() async throws {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let manager = ContextUndoManager()
      manager.groupsByEvent = false
      manager.registerUndo {}
    }
    try expectSentence("an undo action was registered outside every group", from: result)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ContextUndoManager().endUndoGrouping()
    }
    try expectSentence("an undo group was ended, but no group was open", from: result)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let manager = ContextUndoManager()
      manager.beginUndoGrouping()
      manager.undo()
    }
    try expectSentence("undo was called inside an undo group that has not ended", from: result)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      ContextUndoManager().enableUndoRegistration()
    }
    try expectSentence("undo registration was enabled more often than it was disabled", from: result)
  }
}
