import ContextEngine
import MachineCore
import Metrics
import Topologies

/// A tracker that follows payloads and edits through a stack: the contexts that each reaches, the instant at which a
/// screen holds it, and the COMMIT that makes it durable.
///
/// A *mark* represents a payload or an edit. It enters the context that is about to save the last record of the
/// payload, or the edit. It moves up during each push, on the parent's queue, and becomes durable with the save that
/// reaches the store. A merge carries the marks of the save that it merges.
final class FreshnessTracker: Sendable {
  enum Mark: Hashable, Sendable {
    case payload(Int)
    case edit(Int)
  }

  let payloads: PayloadLedger
  private let edits: EditLedger
  private let mergesSaves: Bool
  /// Receives each commit: the payloads that it completes, its instant, and the token of its transaction, which is nil if
  /// the last unit of the payloads had no changes.
  private let didSave: (@Sendable ([Int], Instant, PersistentHistoryToken?) -> Void)?
  /// The journal of an app that dies, in which each commit is written, or nil.
  private let journal: AppJournal?
  private let state = Guarded(State())

  private struct RemoteMarks {
    /// The token of the save that carries the marks.
    let token: PersistentHistoryToken
    var marks: [Mark]
  }

  private struct State {
    var marks: [ObjectIdentifier: [Mark]] = [:]
    /// The marks of saves that are not merged yet, by the numbers of the saves.
    var carried: [Int: [Mark]] = [:]
    /// The marks of saves on other coordinators than that of the screens, which history brings there, in order.
    var remote: [RemoteMarks] = []
    /// The token of the last save on another coordinator.
    var lastRemoteSave: PersistentHistoryToken?
    /// The end of the history that each UI context has merged.
    var mergedHistory: [ObjectIdentifier: PersistentHistoryToken] = [:]
    /// The coordinator of the screens' contexts.
    var shownCoordinator: ObjectIdentifier?
    /// The number of the save of each context whose merge was posted last.
    var lastPosted: [ObjectIdentifier: Int] = [:]
    /// The numbers of merges into UI contexts that were posted and have not ended, by the numbers of the saves.
    var unmergedCounts: [Int: Int] = [:]
    /// The contexts that screens show.
    var uiContexts: [ObjectIdentifier] = []
    var mergeBacklog = 0
    var largestMergeBacklog = 0

    /// Returns true if every UI context has merged the history up to a token.
    func hasMergedHistory(upTo token: PersistentHistoryToken) -> Bool {
      uiContexts.allSatisfy { context in mergedHistory[context].map { !token.isLater(than: $0) } ?? false }
    }
  }

  /// Creates a tracker without payloads or edits. `mergesSaves` is true if the stack merges the saves of other contexts
  /// into the UI context. `didSave` is called on the saving context's queue.
  init(
    payloads: PayloadLedger, edits: EditLedger, mergesSaves: Bool, journal: AppJournal? = nil,
    didSave: (@Sendable ([Int], Instant, PersistentHistoryToken?) -> Void)? = nil
  ) {
    self.didSave = didSave
    self.journal = journal
    self.payloads = payloads
    self.edits = edits
    self.mergesSaves = mergesSaves
  }

  /// The largest number of merges that were posted and had not begun at one time.
  var largestMergeBacklog: Int { state.withLock { $0.largestMergeBacklog } }

  var mergeBacklog: Int { state.withLock { $0.mergeBacklog } }

  /// Returns true if the next save of a context carries a mark.
  func has(_ mark: Mark, in context: ManagedObjectContext) -> Bool {
    state.withLock { $0.marks[ObjectIdentifier(context)]?.contains(mark) ?? false }
  }
}

// MARK: - Marks

extension FreshnessTracker {
  /// Records that the mark's payload or edit is complete in a context and about to be saved. Call it on the context's
  /// queue.
  func enter(_ mark: Mark, in context: ManagedObjectContext) {
    state.withLock { $0.marks[ObjectIdentifier(context), default: []].append(mark) }
  }

  /// Moves a mark on if the save of its context had no changes to save.
  ///
  /// An earlier save has then saved the payload or edit. If the context postpones its saves, the next save carries the
  /// mark.
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
      becomeDurable(context, save: nil, at: instant)
    }
  }

  /// Records that a batch insert has committed a payload without using a context.
  func batchCommitted(_ payload: Int, at instant: Instant) {
    payloads.saved()
    committed(.payload(payload), at: instant)
  }

  /// Records that the COMMIT of a payload or an edit has returned.
  private func committed(_ mark: Mark, at instant: Instant) {
    switch mark {
    case .payload(let payload):
      payloads.durable(payload, at: instant)
      journal?.write(.committed(payload: payload))
    case .edit(let edit):
      edits.durable(edit, at: instant)
      journal?.write(.editCommitted(edit: edit))
    }
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

  private func becomeDurable(_ context: ManagedObjectContext, save: SaveNotification?, at instant: Instant) {
    let (marks, isShown, isRemote) = state.withLock { state in
      let marks = state.marks.removeValue(forKey: ObjectIdentifier(context)) ?? []
      let isRemote = state.shownCoordinator.map { $0 != ObjectIdentifier(context.coordinator) } ?? false
      let isShown = state.uiContexts.contains(ObjectIdentifier(context))
      // A save that is never merged into a UI context would keep its marks for ever.
      if let save, !marks.isEmpty, !isRemote, !isShown, mergesSaves { state.carried[save.number] = marks }
      return (marks, isShown, isRemote)
    }
    if save != nil, !isShown { payloads.saved() }
    for mark in marks { committed(mark, at: instant) }
    didSave?(Self.payloads(of: marks), instant, save?.historyToken)
    if isShown {
      hold(marks)
    } else if isRemote {
      waitForHistory(marks, upTo: save?.historyToken)
    } else if save == nil {
      bringNothingNew(marks, savedBy: context)
    }
  }

  private static func payloads(of marks: [Mark]) -> [Int] {
    marks.compactMap { mark in if case .payload(let payload) = mark { payload } else { nil } }
  }

  /// Records that a save in another process has completed payloads. The token is that of its transaction, or nil if the
  /// last unit of the payloads had no changes.
  func savedElsewhere(_ payloads: [Int], at instant: Instant, upTo token: PersistentHistoryToken?) {
    for payload in payloads { committed(.payload(payload), at: instant) }
    waitForHistory(payloads.map(Mark.payload), upTo: token)
  }

  /// Records marks that the screens hold once history up to a token has been merged, or, for a save without changes, once
  /// the history of the saves before it has.
  ///
  /// If that is the case already, the marks are held at the end of the next main block.
  private func waitForHistory(_ marks: [Mark], upTo token: PersistentHistoryToken?) {
    let isHeld = state.withLock { state in
      if let token { state.lastRemoteSave = token }
      guard let token = token ?? state.lastRemoteSave, !state.hasMergedHistory(upTo: token) else { return true }
      guard mergesSaves, !marks.isEmpty else { return false }
      state.remote.append(RemoteMarks(token: token, marks: marks))
      return false
    }
    if isHeld, mergesSaves { hold(marks) }
  }

  /// Records a stage of a merge of history into a context. `isShown` is true for a context that a screen shows.
  func remoteMerge(_ stage: RemoteMergeStage, into context: ManagedObjectContext, isShown: Bool) {
    switch stage {
    case .posted: batchMergesPosted(1)
    case .begun:
      state.withLock { $0.mergeBacklog -= 1 }
      if isShown { payloads.causedBlock() }
    case .ended(let token):
      guard isShown else { return }
      let marks = state.withLock { state in
        state.mergedHistory[ObjectIdentifier(context)] = token
        let isMerged = state.remote.map { state.hasMergedHistory(upTo: $0.token) }
        let known = zip(state.remote, isMerged)
        state.remote = known.filter { !$0.1 }.map(\.0)
        return known.filter(\.1).flatMap(\.0.marks)
      }
      hold(marks)
    }
  }

  /// Records marks whose save is not merged because it had no changes for the UI. The UI holds them once it has merged
  /// the context's earlier saves.
  ///
  /// If it has merged those already, the marks are held at the end of the next main block.
  private func bringNothingNew(_ marks: [Mark], savedBy context: ManagedObjectContext) {
    guard mergesSaves, !marks.isEmpty else { return }
    let isHeld = state.withLock { state in
      guard let last = state.lastPosted[ObjectIdentifier(context)], state.unmergedCounts[last] != nil else {
        return true
      }
      state.carried[last, default: []].append(contentsOf: marks)
      return false
    }
    if isHeld { hold(marks) }
  }

  /// Records that every screen holds the payloads and edits of these marks when the running main block ends.
  private func hold(_ marks: [Mark]) {
    for mark in marks {
      switch mark {
      case .payload(let payload):
        for screen in 0..<payloads.screenCount { payloads.held(payload: payload, screen: screen) }
      case .edit(let edit): edits.held(edit)
      }
    }
  }
}

// MARK: - Watching contexts

extension FreshnessTracker {
  /// Follows marks through a context. Call it before the context is used.
  func watch(_ context: ManagedObjectContext, isShown: Bool) {
    if isShown {
      state.withLock { state in
        state.uiContexts.append(ObjectIdentifier(context))
        state.shownCoordinator = ObjectIdentifier(context.coordinator)
      }
    }
    _ = context.observeDidChange { [unowned self, unowned context] change in
      if case .push(let child) = change.origin { move(from: child, to: context) }
    }
    _ = context.observeDidSave { [unowned self, unowned context] save in
      guard let instant = save.committedAt else { return }
      becomeDurable(context, save: save, at: instant)
    }
    _ = context.observeMerges { [unowned self] merge in didMerge(merge, isShown: isShown) }
  }

  /// Records that the merge of a save is posted to a context's queue. `isShown` is true for a context that a screen
  /// shows.
  func mergePosted(of save: SaveNotification, isShown: Bool) {
    state.withLock { state in
      if isShown {
        state.lastPosted[ObjectIdentifier(save.context)] = save.number
        state.unmergedCounts[save.number, default: 0] += 1
      }
      state.mergeBacklog += 1
      state.largestMergeBacklog = max(state.largestMergeBacklog, state.mergeBacklog)
    }
  }

  /// Records that a save is not merged into a context that a screen shows, because the context has its changes already.
  /// It has no effect if other contexts that screens show still merge the save.
  func mergeSkipped(of save: SaveNotification) {
    let marks = state.withLock { state in
      state.unmergedCounts[save.number] == nil ? state.carried.removeValue(forKey: save.number) ?? [] : []
    }
    bringNothingNew(marks, savedBy: save.context)
  }

  private func didMerge(_ merge: MergeNotification, isShown: Bool) {
    switch merge.stage {
    case .posted:
      mergePosted(of: merge.save, isShown: isShown)
    case .begun:
      state.withLock { $0.mergeBacklog -= 1 }
      if isShown { payloads.causedBlock() }
    case .ended:
      if isShown { hold(marksMerged(by: merge.save.number)) }
    }
  }

  /// Records that one context that is shown has merged a save. Returns the save's marks if all such contexts have, and
  /// no marks otherwise.
  private func marksMerged(by saveNumber: Int) -> [Mark] {
    state.withLock { state in
      let left = (state.unmergedCounts[saveNumber] ?? 1) - 1
      state.unmergedCounts[saveNumber] = left > 0 ? left : nil
      return left > 0 ? [] : state.carried.removeValue(forKey: saveNumber) ?? []
    }
  }

  /// Records that merges of a batch insert's IDs were posted to a number of contexts that screens show.
  func batchMergesPosted(_ count: Int) {
    state.withLock { state in
      state.mergeBacklog += count
      state.largestMergeBacklog = max(state.largestMergeBacklog, state.mergeBacklog)
    }
  }

  /// Records that one of these merges begins. Call it in the merge's main block.
  func batchMergeBegan() {
    state.withLock { $0.mergeBacklog -= 1 }
    payloads.causedBlock()
  }

  /// Records that the context of every screen has merged the last records of a payload. Call it in a main block.
  func batchMerged(_ payload: Int) {
    hold([.payload(payload)])
  }

  /// Removes the marks of a context that is about to be freed, because another context may get its address.
  func forget(_ context: ManagedObjectContext) {
    state.withLock { _ = $0.marks.removeValue(forKey: ObjectIdentifier(context)) }
  }
}
