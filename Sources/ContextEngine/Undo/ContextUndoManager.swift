import MachineCore

// `@unchecked Sendable`: it is used on one queue only.
/// A stack of groups of actions that undo changes. Undoing a group runs its actions in reverse order, and the changes
/// that they make become a group of the redo stack.
///
/// An undo manager is used on the queue of the context that it is set on (`ManagedObjectContext.undoManager`);
/// contexts of one queue may share one. It corresponds to Foundation's `UndoManager` without run loops: an event
/// ends with the block of a `perform`.
///
/// A context records its changes while it has an undo manager:
///
/// ```swift
/// try context.performAndWait {
///   context.undoManager = ContextUndoManager()
///   let book = context.insert(model.entity("Book"))
///   book["title"] = .string("Emma")
///   context.undo()
///   context.redo()
///   try context.save()
/// }
/// ```
public final class ContextUndoManager: @unchecked Sendable {
  /// Indicates whether all actions that are registered in one event form one group. If false, groups are begun and
  /// ended by hand.
  public var groupsByEvent = true
  /// The maximum number of groups in the undo stack and in the redo stack. The oldest groups are removed. 0 means no
  /// limit.
  public var levelsOfUndo = 0 {
    didSet {
      undoStack.drop(beyond: levelsOfUndo)
      redoStack.drop(beyond: levelsOfUndo)
    }
  }

  /// True while `undo()` runs the actions of a group.
  public private(set) var isUndoing = false
  /// True while `redo()` runs the actions of a group.
  public private(set) var isRedoing = false

  private var undoStack: [Group] = []
  private var redoStack: [Group] = []
  /// Groups that have been begun and not ended, outermost first.
  private var openGroups: [Group] = []
  private var disabledCount = 0
  /// The observers that register their changes late, before a group is begun or ended or an undo or redo starts.
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

  /// Creates an undo manager with empty stacks.
  public init() {}

  /// Calls `body` before a group is begun or ended and before an undo or a redo.
  func observeCheckpoints(_ body: @escaping @Sendable () -> Void) -> ObserverToken {
    checkpoints.add { _ in body() }
  }
}

// MARK: - Registering

extension ContextUndoManager {
  /// True if actions are registered, which `disableUndoRegistration()` prevents.
  public var isUndoRegistrationEnabled: Bool { disabledCount == 0 }

  /// Disables registration until `enableUndoRegistration` has been called the same number of times.
  public func disableUndoRegistration() {
    disabledCount += 1
  }

  /// Reverses one call of `disableUndoRegistration`. Traps if there was no such call.
  public func enableUndoRegistration() {
    guard disabledCount > 0 else {
      trapMisuse("undo registration was enabled more often than it was disabled")
    }
    disabledCount -= 1
  }

  /// Registers an action that undoes a change, or that redoes it if it is registered during an undo.
  ///
  /// The redo stack is cleared unless this is called during an undo or a redo. Traps if no group is open and groups are
  /// not made by event.
  ///
  /// - Parameters:
  ///   - target: The object that the action belongs to, for `removeAllActions(withTarget:)`. It is not retained.
  ///   - body: The action, which runs when its group is undone or redone.
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

  /// Removes all actions from the undo stack, the redo stack and the open groups. Open groups stay open.
  public func removeAllActions() {
    undoStack = []
    redoStack = []
    for index in openGroups.indices { openGroups[index].actions = [] }
  }

  /// Removes the actions of one target, and the groups of the stacks that are empty afterwards. O(actions).
  public func removeAllActions(withTarget target: AnyObject) {
    let identifier = ObjectIdentifier(target)
    undoStack = undoStack.map { $0.without(identifier) }.filter { !$0.actions.isEmpty }
    redoStack = redoStack.map { $0.without(identifier) }.filter { !$0.actions.isEmpty }
    openGroups = openGroups.map { $0.without(identifier) }
  }
}

// MARK: - Grouping

extension ContextUndoManager {
  /// The number of open groups.
  public var groupingLevel: Int { openGroups.count }

  /// Begins a group inside the open group. If no group is open and groups are made by event, the group of the event is
  /// opened first.
  public func beginUndoGrouping() {
    checkpoints.notify(())
    if openGroups.isEmpty, groupsByEvent { openGroups.append(Group()) }
    openGroups.append(Group())
  }

  /// Ends the group that was begun last. A group without actions is discarded.
  public func endUndoGrouping() {
    checkpoints.notify(())
    closeGroup()
  }

  /// Ends the event's group. It is called at the end of each event. Groups that were begun by hand stay open.
  package func endEvent() {
    if groupsByEvent, openGroups.count == 1 { closeGroup() }
  }

  private func closeGroup() {
    guard let group = openGroups.popLast() else {
      trapMisuse("an undo group was ended, but no group was open")
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

extension ContextUndoManager {
  /// True if there is an action to undo, including actions that were registered in the running event.
  public var canUndo: Bool { !undoStack.isEmpty || openGroups.contains { !$0.actions.isEmpty } }

  /// True if there is a group to redo.
  public var canRedo: Bool { !redoStack.isEmpty }

  /// Ends the event's group and undoes the last group. This method does not undo a group if the undo stack is empty.
  ///
  /// Traps inside a group that was begun by hand, and inside an undo or a redo.
  public func undo() {
    prepare(for: "undo")
    guard let group = undoStack.popLast() else { return }
    isUndoing = true
    defer { isUndoing = false }
    run(group)
  }

  /// Redoes the group that was undone last. This method does not redo a group if the redo stack is empty.
  ///
  /// Traps inside a group that was begun by hand, and inside an undo or a redo.
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
    guard openGroups.isEmpty else { trapMisuse("\(what) was called inside an undo group that has not ended") }
  }

  /// Runs a group in reverse order. The actions that this registers become one group with the same name.
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

extension ContextUndoManager {
  /// The name of the outermost open group, for display, or the name of the last group of the undo stack if no group is
  /// open or the open group has no name. Empty if neither has a name.
  public var undoActionName: String { openGroups.first?.name.nonEmpty ?? undoStack.last?.name ?? "" }

  /// The name of the next action to redo; empty if it has no name or the redo stack is empty.
  public var redoActionName: String { redoStack.last?.name ?? "" }

  /// Sets the name of the outermost open group, or of the last group of the undo stack if no group is open.
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

extension [ContextUndoManager.Group] {
  /// Removes the oldest groups beyond the limit. A limit of 0 keeps all groups.
  fileprivate mutating func drop(beyond limit: Int) {
    if limit > 0, count > limit { removeFirst(count - limit) }
  }
}
