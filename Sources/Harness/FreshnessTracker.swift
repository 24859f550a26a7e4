import ContextEngine
import MachineCore
import Metrics
import Topologies

/// Follows payloads and edits through a stack: into which context each has come, when a screen holds it, which COMMIT made
/// it durable.
///
/// A *mark* enters the context in which the last of a payload, or an edit, is about to be saved. It moves up inside each
/// push, under the parent's queue, and turns durable with the save that reaches the store. A merge takes along the marks
/// of the save that it merges.
final class FreshnessTracker: Sendable {
  enum Mark: Hashable, Sendable {
    case payload(Int)
    case edit(Int)
  }

  private let payloads: PayloadLedger
  private let edits: EditLedger
  private let screenCount: Int
  private let mergesSaves: Bool
  private let state = Guarded(State())

  private struct State {
    var marks: [ObjectIdentifier: [Mark]] = [:]
    /// Marks by the number of the save that carried them, until it is merged.
    var carried: [Int: [Mark]] = [:]
    /// The save of each context of which a merge was posted last.
    var lastPosted: [ObjectIdentifier: Int] = [:]
    /// Saves of which a merge was posted and has not ended.
    var unmerged: Set<Int> = []
    /// Contexts that screens show.
    var uiContexts: [ObjectIdentifier] = []
    var mergeBacklog = 0
    var largestMergeBacklog = 0
    /// Screens that still have to fetch again after a payload.
    var awaited: [Int: Set<Int>] = [:]
    var heldPayloads: Set<Int> = []
    /// Payloads that a screen shows and that came to be held by all since somebody asked.
    var newlyHeld: [Int] = []
    var durablePayloads: Set<Int> = []

    /// Every screen concerned holds the payload; one that concerns none is held from its arrival on.
    mutating func hold(_ payload: Int) {
      if heldPayloads.insert(payload).inserted { newlyHeld.append(payload) }
    }
  }

  /// - Parameter mergesSaves: whether the stack merges into the UI context what others save.
  init(payloads: PayloadLedger, edits: EditLedger, screenCount: Int, mergesSaves: Bool) {
    self.payloads = payloads
    self.edits = edits
    self.screenCount = screenCount
    self.mergesSaves = mergesSaves
  }

  /// The most merges that were posted and not begun at one time.
  var largestMergeBacklog: Int { state.withLock { $0.largestMergeBacklog } }

  var mergeBacklog: Int { state.withLock { $0.mergeBacklog } }

  var durablePayloadCount: Int { state.withLock { $0.durablePayloads.count } }

  /// The payloads that every screen concerned has come to hold since the last call; in a main block of its own.
  func takeNewlyHeld() -> [Int] {
    state.withLock { state in
      defer { state.newlyHeld = [] }
      return state.newlyHeld
    }
  }

  /// How many payloads every screen concerned holds.
  var heldPayloadCount: Int { state.withLock { $0.heldPayloads.count } }
}

// MARK: - Marks

extension FreshnessTracker {
  /// What the mark stands for is complete in this context and about to be saved; on the context's queue.
  func enter(_ mark: Mark, in context: ManagedObjectContext) {
    state.withLock { $0.marks[ObjectIdentifier(context), default: []].append(mark) }
  }

  /// The save of a context with this mark had nothing to save: whatever it stands for has been saved before, unless the
  /// context's saves are put off; then the next takes the mark along.
  func settle(_ mark: Mark, in context: ManagedObjectContext, at instant: Instant) {
    let isLeft = state.withLock { state in
      state.marks[ObjectIdentifier(context)]?.contains(mark) == true
    }
    guard isLeft else { return }
    if let parent = context.parent {
      parent.performAndWait {
        move(from: context, to: parent)
        if !parent.hasChanges { settle(mark, in: parent, at: instant) }
      }
    } else if !context.hasChanges {
      becomeDurable(context, saveNumber: nil, at: instant)
    }
  }

  /// A batch insert has committed what the payload stands for, past all contexts.
  func batchCommitted(_ payload: Int, at instant: Instant) {
    state.withLock { _ = $0.durablePayloads.insert(payload) }
    payloads.durable(payload, at: instant)
  }

  private func move(from child: ManagedObjectContext, to parent: ManagedObjectContext) {
    let (marks, isShown) = state.withLock { state in
      let marks = state.marks.removeValue(forKey: ObjectIdentifier(child)) ?? []
      state.marks[ObjectIdentifier(parent), default: []].append(contentsOf: marks)
      return (marks, state.uiContexts.contains(ObjectIdentifier(parent)))
    }
    guard isShown else { return }
    payloads.causedBlock()
    hold(marks)
  }

  private func becomeDurable(_ context: ManagedObjectContext, saveNumber: Int?, at instant: Instant) {
    let (marks, isShown) = state.withLock { state in
      let marks = state.marks.removeValue(forKey: ObjectIdentifier(context)) ?? []
      if let saveNumber, !marks.isEmpty { state.carried[saveNumber] = marks }
      for case .payload(let payload) in marks { state.durablePayloads.insert(payload) }
      return (marks, state.uiContexts.contains(ObjectIdentifier(context)))
    }
    for mark in marks {
      switch mark {
      case .payload(let payload): payloads.durable(payload, at: instant)
      case .edit(let edit): edits.durable(edit, at: instant)
      }
    }
    if isShown {
      hold(marks)
    } else if saveNumber == nil {
      bringNothingNew(marks, savedBy: context)
    }
  }

  /// The UI holds what these marks stand for as soon as it has merged the context's saves before: there was nothing else.
  ///
  /// Where that has happened already, the end of the next main block counts.
  private func bringNothingNew(_ marks: [Mark], savedBy context: ManagedObjectContext) {
    guard mergesSaves, !marks.isEmpty else { return }
    let isHeld = state.withLock { state in
      guard let last = state.lastPosted[ObjectIdentifier(context)], state.unmerged.contains(last) else { return true }
      state.carried[last, default: []].append(contentsOf: marks)
      return false
    }
    if isHeld { hold(marks) }
  }

  /// Every screen holds the payloads among these marks once the running main block ends.
  private func hold(_ marks: [Mark]) {
    for case .payload(let payload) in marks {
      for screen in 0..<screenCount { payloads.held(payload: payload, screen: screen) }
      state.withLock { $0.hold(payload) }
    }
  }

  /// Which screens show something of a payload that arrives; every one of them is waited for.
  func arrived(_ payload: Int, concerning screens: [Int]) {
    state.withLock { state in
      if screens.isEmpty { state.heldPayloads.insert(payload) } else { state.awaited[payload] = Set(screens) }
    }
  }

  /// A screen has fetched its list again after a payload; inside a main block.
  func refetched(_ payload: Int, by screen: Int) {
    payloads.held(payload: payload, screen: screen)
    state.withLock { state in
      state.awaited[payload]?.remove(screen)
      if state.awaited[payload]?.isEmpty == true { state.hold(payload) }
    }
  }
}

// MARK: - Watching contexts

extension FreshnessTracker {
  /// Follows marks through a context; before it is used.
  func watch(_ context: ManagedObjectContext, isShown: Bool) {
    if isShown { state.withLock { $0.uiContexts.append(ObjectIdentifier(context)) } }
    _ = context.observeDidChange { [unowned self, unowned context] change in
      if case .push(let child) = change.origin { move(from: child, to: context) }
    }
    _ = context.observeDidSave { [unowned self, unowned context] save in
      guard let instant = save.committedAt else { return }
      becomeDurable(context, saveNumber: save.number, at: instant)
    }
    _ = context.observeMerges { [unowned self] merge in didMerge(merge) }
  }

  /// A merge was posted to a main queue.
  func mergePosted(of save: SaveNotification) {
    state.withLock { state in
      state.lastPosted[ObjectIdentifier(save.context)] = save.number
      state.unmerged.insert(save.number)
      state.mergeBacklog += 1
      state.largestMergeBacklog = max(state.largestMergeBacklog, state.mergeBacklog)
    }
  }

  /// A save will not be merged: the UI has all that it carried.
  func mergeSkipped(of save: SaveNotification) {
    let marks = state.withLock { $0.carried.removeValue(forKey: save.number) ?? [] }
    bringNothingNew(marks, savedBy: save.context)
  }

  private func didMerge(_ merge: MergeNotification) {
    switch merge.stage {
    case .posted:
      mergePosted(of: merge.save)
    case .begun:
      state.withLock { $0.mergeBacklog -= 1 }
      payloads.causedBlock()
    case .ended:
      let marks = state.withLock { state in
        state.unmerged.remove(merge.save.number)
        return state.carried.removeValue(forKey: merge.save.number) ?? []
      }
      hold(marks)
    }
  }

  /// Merges of a batch insert's IDs were posted to so many contexts that screens show.
  func batchMergesPosted(_ count: Int) {
    state.withLock { state in
      state.mergeBacklog += count
      state.largestMergeBacklog = max(state.largestMergeBacklog, state.mergeBacklog)
    }
  }

  /// One of them begins; in its main block.
  func batchMergeBegan() {
    state.withLock { $0.mergeBacklog -= 1 }
    payloads.causedBlock()
  }

  /// Every screen's context has merged the last of a payload; in a main block.
  func batchMerged(_ payload: Int) {
    hold([.payload(payload)])
  }

  /// Forgets a context that has gone: another may come to lie at its address.
  func forget(_ context: ManagedObjectContext) {
    state.withLock { _ = $0.marks.removeValue(forKey: ObjectIdentifier(context)) }
  }
}
