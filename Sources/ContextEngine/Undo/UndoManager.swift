import MachineCore

/// Actions that take changes back, in groups: undoing a group runs its actions in reverse, and what they change in turn
/// becomes a group of the redo stack.
///
/// Belongs to the queue of the context that it is set on (`ManagedObjectContext.undoManager`); contexts of one queue may
/// share one. What Core Data has of Foundation, without run loops: an event ends with the block of a `perform`.
// `@unchecked Sendable`: used on one queue only.
public final class UndoManager: @unchecked Sendable {
  /// Whether everything registered in one event forms one group. Otherwise groups are begun and ended by hand.
  public var groupsByEvent = true
  /// How many groups are kept to be undone, and to be redone; the oldest go. 0 = all.
  public var levelsOfUndo = 0 {
    didSet {
      undoStack.drop(beyond: levelsOfUndo)
      redoStack.drop(beyond: levelsOfUndo)
    }
  }

  public private(set) var isUndoing = false
  public private(set) var isRedoing = false

  private var undoStack: [Group] = []
  private var redoStack: [Group] = []
  /// Groups that have been begun and not ended, outermost first.
  private var openGroups: [Group] = []
  private var disabledCount = 0
  /// Those that register late hear when something is about to be grouped or undone.
  private let checkpoints = ObserverList<Void>()

  fileprivate struct Group {
    var actions: [Action] = []
    var name = ""

    func without(_ target: ObjectIdentifier) -> Group {
      var group = self
      group.actions = actions.compactMap { action in
        switch action {
        case .body(target, _): return nil
        case .body: return action
        case .group(let inner):
          let left = inner.without(target)
          return left.actions.isEmpty ? nil : .group(left)
        }
      }
      return group
    }
  }

  fileprivate enum Action {
    case body(target: ObjectIdentifier?, @Sendable () -> Void)
    case group(Group)
  }

  public init() {}

  /// Calls `body` before a group is begun or ended and before an undo or a redo.
  func observeCheckpoints(_ body: @escaping @Sendable () -> Void) -> ObserverToken {
    checkpoints.add { _ in body() }
  }
}

// MARK: - Registering

extension UndoManager {
  public var isUndoRegistrationEnabled: Bool { disabledCount == 0 }

  /// From now on nothing is registered, until `enableUndoRegistration` has been called as often.
  public func disableUndoRegistration() {
    disabledCount += 1
  }

  public func enableUndoRegistration() {
    guard disabledCount > 0 else {
      trapMisuse("undo registration was enabled although nobody had disabled it")
    }
    disabledCount -= 1
  }

  /// Registers what takes a change back; while undoing, what makes it again.
  ///
  /// Whatever could be redone no longer can be, unless this is an undo or a redo. Traps outside every group where groups are
  /// not made by event.
  ///
  /// - Parameter target: whose actions these are, for `removeAllActions(withTarget:)`; not kept.
  public func registerUndo(withTarget target: AnyObject? = nil, _ body: @escaping @Sendable () -> Void) {
    guard isUndoRegistrationEnabled else { return }
    if openGroups.isEmpty {
      guard groupsByEvent else {
        trapMisuse("an undo action was registered outside every group; begin one, or let the manager group by event")
      }
      openGroups.append(Group())
    }
    if !isUndoing, !isRedoing { redoStack = [] }
    openGroups[openGroups.count - 1].actions.append(.body(target: target.map { ObjectIdentifier($0) }, body))
  }

  /// Forgets all that could be undone or redone, and every open group.
  public func removeAllActions() {
    undoStack = []
    redoStack = []
    for index in openGroups.indices { openGroups[index].actions = [] }
  }

  /// Forgets the actions of one target, and groups that nothing is left of. O(actions).
  public func removeAllActions(withTarget target: AnyObject) {
    let identifier = ObjectIdentifier(target)
    undoStack = undoStack.map { $0.without(identifier) }.filter { !$0.actions.isEmpty }
    redoStack = redoStack.map { $0.without(identifier) }.filter { !$0.actions.isEmpty }
    openGroups = openGroups.map { $0.without(identifier) }
  }
}

// MARK: - Grouping

extension UndoManager {
  /// How many groups are open.
  public var groupingLevel: Int { openGroups.count }

  /// Begins a group, inside the one that is open: the event's where groups are made by event.
  public func beginUndoGrouping() {
    checkpoints.notify(())
    if openGroups.isEmpty, groupsByEvent { openGroups.append(Group()) }
    openGroups.append(Group())
  }

  /// Ends the group that was begun last. A group without actions leaves nothing behind.
  public func endUndoGrouping() {
    checkpoints.notify(())
    closeGroup()
  }

  /// Ends the event's group; called at the end of each event. Groups begun by hand stay open.
  func endEvent() {
    if groupsByEvent, openGroups.count == 1 { closeGroup() }
  }

  private func closeGroup() {
    guard let group = openGroups.popLast() else {
      trapMisuse("an undo group was ended although none was open")
    }
    if group.actions.isEmpty { return }
    if openGroups.isEmpty {
      if isUndoing { redoStack.append(group) } else { undoStack.append(group) }
      undoStack.drop(beyond: levelsOfUndo)
      redoStack.drop(beyond: levelsOfUndo)
    } else {
      openGroups[openGroups.count - 1].actions.append(.group(group))
    }
  }
}

// MARK: - Undoing

extension UndoManager {
  /// Whether there is something to undo; also what was registered in the running event.
  public var canUndo: Bool { !undoStack.isEmpty || openGroups.contains { !$0.actions.isEmpty } }

  public var canRedo: Bool { !redoStack.isEmpty }

  /// Ends the event's group and undoes the last one. Does nothing when there is none.
  ///
  /// Traps inside a group that was begun by hand, and inside an undo or a redo.
  public func undo() {
    prepare(for: "undo")
    guard let group = undoStack.popLast() else { return }
    isUndoing = true
    defer { isUndoing = false }
    run(group)
  }

  /// Makes again what was undone last. Does nothing when there is nothing.
  public func redo() {
    prepare(for: "redo")
    guard let group = redoStack.popLast() else { return }
    isRedoing = true
    defer { isRedoing = false }
    run(group)
  }

  private func prepare(for what: String) {
    guard !isUndoing, !isRedoing else { trapMisuse("\(what) was called inside an undo or a redo") }
    checkpoints.notify(())
    endEvent()
    guard openGroups.isEmpty else { trapMisuse("\(what) was called inside an undo group that is not ended") }
  }

  /// Runs a group backwards; what that registers becomes one group, of the same name.
  private func run(_ group: Group) {
    openGroups.append(Group(name: group.name))
    perform(group)
    checkpoints.notify(())
    closeGroup()
  }

  private func perform(_ group: Group) {
    for action in group.actions.reversed() {
      switch action {
      case .body(_, let body): body()
      case .group(let inner): perform(inner)
      }
    }
  }
}

// MARK: - Names

extension UndoManager {
  /// What the next undo takes back, for its user; empty = not said, or nothing to undo.
  public var undoActionName: String { openGroups.first?.name.nonEmpty ?? undoStack.last?.name ?? "" }

  /// What the next redo makes again.
  public var redoActionName: String { redoStack.last?.name ?? "" }

  /// Names the group that is open, or the last one.
  public func setActionName(_ name: String) {
    if !openGroups.isEmpty {
      openGroups[0].name = name
    } else if !undoStack.isEmpty {
      undoStack[undoStack.count - 1].name = name
    }
  }
}

extension String {
  fileprivate var nonEmpty: String? { isEmpty ? nil : self }
}

extension [UndoManager.Group] {
  /// Lets go of the oldest groups; 0 = of none.
  fileprivate mutating func drop(beyond limit: Int) {
    if limit > 0, count > limit { removeFirst(count - limit) }
  }
}
