import ContextEngine
import MachineCore

/// The contexts of a topology on a coordinator, with the topology's rules in force.
///
/// Contexts that live as long as the app, a lane or a screen are made with the stack. Contexts that live as long as a
/// payload are made by `beginPayload(lane:)`, and those of an edit by `beginEdit(ofScreen:)`. Members may be used from
/// any thread unless their documentation says otherwise.
package final class WiredStack: Sendable {
  package let topology: Topology
  package let coordinator: PersistentStoreCoordinator
  /// The coordinators in addition to the first one, in the order of `Topology.otherCoordinators`.
  package let otherCoordinators: [PersistentStoreCoordinator]
  package let options: WiringOptions
  let delegate: any StackDelegate
  private let state = Guarded(State())

  private struct State {
    /// The lasting contexts by name. Each list is ordered by lane or screen; a context of the app is the only one in
    /// its list.
    var contexts: [String: [ManagedObjectContext]] = [:]
    /// The object that saves the root, or nil if the root's saves are not put off.
    var rootSaves: RootSaves?
    /// The number of payloads that have taken a context of the pool.
    var takenCount = 0
    var remoteMerges: [RemoteMerges] = []
  }

  /// Builds the stack. A context with the lifetime `screen` is made for each of `options.screenEntities`.
  package init(
    _ topology: Topology, coordinator: PersistentStoreCoordinator,
    otherCoordinators: [PersistentStoreCoordinator] = [], options: WiringOptions, delegate: any StackDelegate
  ) {
    guard otherCoordinators.count == topology.otherCoordinators.count else {
      trapMisuse(
        "topology \(topology.title) has \(topology.otherCoordinators.count + 1) coordinators and was given "
          + "\(otherCoordinators.count + 1)")
    }
    self.otherCoordinators = otherCoordinators
    self.topology = topology
    self.coordinator = coordinator
    self.options = options
    self.delegate = delegate
    for description in topology.contexts {
      let count =
        switch description.lifetime {
        case .app: 1
        case .lane: options.laneCount + (options.hasBackgroundWork ? 1 : 0)
        case .screen: options.screenEntities.count
        case .pool: description.poolSize ?? 1
        case .payload, .edit: 0
        }
      for number in 0..<count {
        let context = make(description, number: number)
        state.withLock { $0.contexts[description.name, default: []].append(context) }
        if description.name == topology.savingRoot, options.storeSave != .immediate { putOffSaves(of: context) }
      }
    }
    for rule in topology.rules where rule.trigger == .remoteChange {
      if case .merge(let name) = rule.action { mergeRemoteChanges(into: name) }
    }
  }

  /// Returns the context that a screen shows. If there is only one such context, it is returned for every number;
  /// otherwise a number without a screen traps.
  package func uiContext(ofScreen screen: Int) -> ManagedObjectContext {
    context(topology.uiContext, number: screen)
  }

  /// The contexts that live as long as the stack, parents before children.
  package var lastingContexts: [ManagedObjectContext] {
    topology.contexts.filter(\.lifetime.isLasting).flatMap { description in
      state.withLock { $0.contexts[description.name] ?? [] }
    }
  }

  var remoteMerges: [RemoteMerges] { state.withLock { $0.remoteMerges } }

  func addRemoteMerges(_ merges: RemoteMerges) {
    state.withLock { $0.remoteMerges.append(merges) }
  }

  /// Returns the context in which a lane imports its next payload. It is a new one if the import's contexts live as
  /// long as a payload, and the next one of the pool if they form a pool.
  package func beginPayload(lane: Int) -> ManagedObjectContext {
    let description = description(topology.importContext)
    switch description.lifetime {
    case .payload: return make(description, number: lane)
    case .pool:
      let taken = state.withLock { state in
        defer { state.takenCount += 1 }
        return state.takenCount
      }
      return context(description.name, number: taken % (description.poolSize ?? 1))
    case .app, .lane, .screen, .edit: return context(description.name, number: lane)
    }
  }

  /// Saves what a unit changed. If the import works in the root and the root's saves are put off, the root saves later
  /// instead. Call this method on the import's queue.
  package func saveUnit(in context: ManagedObjectContext) throws(PersistenceError) {
    if let saves = rootSaves(of: context) { saves.noteChange() } else { try context.save() }
  }

  /// Notes that every lane has saved its last unit. A root that waits for the end of the import saves once the UI
  /// context has run the blocks that were posted to it before. This method may be called from any thread.
  package func importEnded() {
    guard let saves = state.withLock({ $0.rootSaves }) else { return }
    // A stack with a UI context for each screen has no UI context if there are no screens.
    guard let first = shownContexts.first else { return saves.importEnded() }
    first.post { saves.importEnded() }
  }

  /// Notes that the last unit of a payload has been saved, and applies the rules for that event. Call this method on
  /// the import's queue. Only rules that refetch all screens or the touched ones have an effect.
  ///
  /// `entities` has the indexes of the entities that the payload touched.
  package func payloadImported(_ payload: Int, touching entities: [Int]) {
    for rule in topology.rules where rule.trigger == .payloadImported {
      switch rule.action {
      case .refetchAllScreens: refetchAll(after: payload)
      case .refetchTouchedScreens: refetch(screensShowing(entities), after: payload)
      case .refetchOtherScreens, .merge, .save: break
      }
    }
  }
}

// MARK: - Making contexts

extension WiredStack {
  /// Makes a context, and puts the rules for its saves in force. `number` is the number of the lane or the screen, or 0
  /// for a context of the app.
  func make(_ description: ContextDescription, number: Int) -> ManagedObjectContext {
    let type: ManagedObjectContext.ConcurrencyType = description.queue == .main ? .mainQueue : .privateQueue
    let coordinator = self.coordinator(of: description)
    let made: ManagedObjectContext
    if description.isConfined {
      let machine = coordinator.machine
      let queue = description.queue == .main ? machine.mainQueue : machine.makeSerialQueue(label: description.name)
      made = ManagedObjectContext(confinedTo: queue, coordinator: coordinator, name: description.name)
      made.mergePolicy = description.mergePolicy ?? options.mergePolicy
    } else if let parent = description.parent {
      made = ManagedObjectContext(type, parent: context(parent, number: number), name: description.name)
    } else {
      made = ManagedObjectContext(type, coordinator: coordinator, name: description.name)
      made.mergePolicy = description.mergePolicy ?? options.mergePolicy
    }
    made.automaticallyMergesChangesFromParent = description.automaticallyMergesChanges
    made.firesUpdatedObjectsBeforeMerging = description.firesUpdatedObjectsBeforeMerging
    if description.queryGeneration == .pinned { pin(made) }
    if !otherCoordinators.isEmpty || options.author != nil { made.transactionAuthor = author(of: description) }
    made.retainsRegisteredObjects = description.retainsRegisteredObjects
    delegate.stack(self, didMake: made)
    if topology.permanentIDs == .beforeSave { obtainPermanentIDs(beforeSavesOf: made) }
    for rule in topology.rules where rule.trigger == .didSave(description.name) {
      apply(rule.action, toSavesOf: made, number: number)
    }
    return made
  }

  /// Pins a context to the newest generation at its next read. Blocks until the context's queue is free.
  private func pin(_ context: ManagedObjectContext) {
    do throws(PersistenceError) {
      try context.run { () throws(PersistenceError) in try context.setQueryGeneration(from: .current) }
    } catch {
      trapMisuse("context \(context.name) of topology \(topology.title) cannot be pinned: \(error)")
    }
  }

  func description(_ name: String) -> ContextDescription {
    guard let description = topology.context(named: name) else {
      trapMisuse("topology \(topology.title) has no context called \(name)")
    }
    return description
  }

  /// Returns a lasting context. If there is only one of that name, it is returned for every number.
  func context(_ name: String, number: Int) -> ManagedObjectContext {
    let all = state.withLock { $0.contexts[name] ?? [] }
    guard let first = all.first else {
      trapMisuse("topology \(topology.title) has no lasting context called \(name)")
    }
    return all.count == 1 ? first : all[number]
  }
}

// MARK: - Rules

extension WiredStack {
  /// Puts a rule in force for the saves of one context. Reactions are posted and never waited for, and a save without
  /// changes has no reactions.
  ///
  /// `number` is the number of the context's lane or screen.
  private func apply(_ action: Rule.Action, toSavesOf context: ManagedObjectContext, number: Int) {
    switch action {
    case .save(let name):
      let target = self.context(name, number: number)
      _ = context.observeDidSave { [unowned self] save in
        if save.isEmpty { return }
        if let saves = rootSaves(of: target) { saves.noteChange() } else { postSave(of: target) }
      }
    case .merge(let name):
      followByMerging(context, into: name)
    case .refetchAllScreens:
      _ = context.observeDidSave { [unowned self] save in
        if !save.isEmpty { refetchAll(after: nil) }
      }
    case .refetchTouchedScreens, .refetchOtherScreens:
      _ = context.observeDidSave { [unowned self] save in
        let touched = (save.insertedIDs + save.updatedIDs + save.deletedIDs).map(\.entityIndex)
        let screens = screensShowing(touched).filter { uiContext(ofScreen: $0) !== save.context }
        refetch(screens, after: nil)
      }
    }
  }

  private func obtainPermanentIDs(beforeSavesOf context: ManagedObjectContext) {
    _ = context.observeWillSave { [unowned self] save in
      do throws(PersistenceError) {
        try save.context.obtainPermanentIDs(for: save.inserted)
      } catch {
        // The save continues with temporary IDs, as it would without the rule.
        delegate.stack(self, save: save.context, failedWith: error)
      }
    }
  }

  private func postSave(of target: ManagedObjectContext) {
    target.post { [unowned self] in save(target) }
  }

  /// Saves a context on its queue, if it has changes. If several saves were posted while the queue was busy, only the
  /// first of them finds changes.
  private func save(_ target: ManagedObjectContext) {
    guard target.hasChanges else { return }
    do throws(PersistenceError) {
      try target.save()
    } catch {
      delegate.stack(self, save: target, failedWith: error)
    }
  }

  /// Reports that a batch insert's rows could not be merged. It is called on the context's queue.
  func batchMergeFailed(in context: ManagedObjectContext, _ error: PersistenceError) {
    delegate.stack(self, save: context, failedWith: error)
  }

  private func putOffSaves(of root: ManagedObjectContext) {
    let saves = RootSaves(root, when: options.storeSave) { [unowned self, unowned root] in save(root) }
    state.withLock { $0.rootSaves = saves }
  }

  /// Returns the object that saves a root, or nil if the context's saves are not put off.
  private func rootSaves(of context: ManagedObjectContext) -> RootSaves? {
    state.withLock { $0.rootSaves }.flatMap { $0.root === context ? $0 : nil }
  }

  /// Merges a context's saves into the lasting contexts with a name. The saving context is left out, and so is a
  /// context from which all changes of the save came.
  private func followByMerging(_ context: ManagedObjectContext, into name: String) {
    let pushes = PushedChanges()
    _ = context.observeDidChange { change in
      if case .push(let child) = change.origin, child.name == name {
        pushes.note(change, from: child)
      } else {
        pushes.note(change, from: nil)
      }
    }
    _ = context.observeDidSave { [unowned self] save in
      if save.isEmpty { return }
      let known = pushes.take()
      // The targets are looked up only now, because a child is made after its parent.
      let targets = state.withLock { $0.contexts[name] ?? [] }.filter { $0 !== save.context }
      let merging = targets.filter { !known.isAll(of: save, from: $0) }
      for target in merging { delegate.stack(self, willPostMergeOf: save, into: target) }
      for target in targets where !merging.contains(where: { $0 === target }) {
        delegate.stack(self, didSkipMergeOf: save, into: target)
      }
      for target in merging {
        target.post { target.mergeChanges(fromContextDidSave: save) }
      }
    }
  }

  private func screensShowing(_ entities: [Int]) -> [Int] {
    options.screenEntities.indices.filter { entities.contains(options.screenEntities[$0]) }
  }

  /// Refetches all screens: in one block of the main queue if they share a context, and otherwise in one block of each
  /// screen's context.
  private func refetchAll(after payload: Int?) {
    let screens = Array(options.screenEntities.indices)
    guard description(topology.uiContext).lifetime == .app else { return refetch(screens, after: payload) }
    uiContext(ofScreen: 0).post { [unowned self] in delegate.stack(self, refetch: screens, after: payload) }
  }

  /// Refetches each screen in a separate block.
  private func refetch(_ screens: [Int], after payload: Int?) {
    for screen in screens {
      uiContext(ofScreen: screen).post { [unowned self] in
        delegate.stack(self, refetch: [screen], after: payload)
      }
    }
  }
}
