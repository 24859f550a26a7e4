import MachineCore

// MARK: - Saving

extension ManagedObjectContext {
  /// Saves every change one level up: into the parent context's memory, or into the store.
  ///
  /// Blocks on the parent's queue, or on the writer's turn and the disk. Validates the changes, calls `willSave` of the
  /// objects' entities until no more changes are made, posts will-save, writes, calls `didSave` and posts did-save. If
  /// the save fails, the context is as it was before, except for changes that callbacks and observers made.
  ///
  /// A save without changes posts will-save and did-save without objects. It uses neither the parent nor the store, and
  /// no context merges it. Changes that an observer of its will-save makes are saved.
  ///
  /// - Throws: `PersistenceError`: the codes of validation (1550 to 1680; 1560 for several failures), 133020 for
  ///   conflicts under the error policy, or SQLite's errors with their statement.
  public func save() throws(PersistenceError) {
    checkQueue()
    guard !isSaving else {
      throw PersistenceError(
        .recursiveSave, "context \(name) was saved during its own save; save it after that has ended")
    }
    isSaving = true
    defer { isSaving = false }
    var isAnnounced = false
    if !hasChanges {
      isAnnounced = announceSaveWithoutChanges()
      guard hasChanges else { return finishSaveWithoutChanges() }
    }
    try advancingGeneration { () throws(PersistenceError) in try saveChanges(isAnnounced: isAnnounced) }
  }

  /// Processes pending changes, which a refresh can have left, and posts will-save if the context has no changes after
  /// that.
  ///
  /// - Returns: true if will-save was posted.
  private func announceSaveWithoutChanges() -> Bool {
    processPendingChanges()
    if hasChanges { return false }
    forgetChanges()
    post(notification(of: Changes(), number: 0, commit: nil), to: willSaveObservers)
    return true
  }

  private func finishSaveWithoutChanges() {
    isSaving = false
    post(notification(of: Changes(), number: 0, commit: nil), to: didSaveObservers)
  }

  /// Saves the context's changes. If `isAnnounced` is true, will-save was posted already, without objects.
  private func saveChanges(isAnnounced: Bool) throws(PersistenceError) {
    reportTally()
    try recorder.during(.save, in: name) { () throws(PersistenceError) in
      machine.account(Work(.saveBegun))
      var changes = try prepareToSave()
      let number = coordinator.saveNumbers.next()
      if !isAnnounced { postWillSave(of: changes, number: number) }
      // Changes that will-save observers made are saved too.
      if !pendingEvent.isEmpty { changes = try prepareToSave() }
      recorder.add(objectCount: changes.count)
      var commit: SaveNotification.Commit?
      reportFootprint()
      notePendingChanges()
      if let parent { try save(changes, into: parent) } else { commit = try saveToStore(&changes) }
      // Rows that a merge policy brought in are reported as changes in this context.
      processPendingChanges()
      changes.dropUnwritten()
      forgetChanges()
      reportWork()
      recorder.add(.flowBegan(number: number))
      isSaving = false
      if coordinator.model.hooks.contains(.didSave) { didSave(changes.all) }
      postDidSave(of: consume changes, number: number, commit: commit)
    }
  }

  private func postWillSave(of changes: Changes, number: Int) {
    guard !willSaveObservers.isEmpty else { return machine.account(Work(.notificationPosted)) }
    post(notification(of: changes, number: number, commit: nil), to: willSaveObservers)
  }

  /// Posts did-save and releases objects that are no longer referenced.
  private func postDidSave(of changes: consuming Changes, number: Int, commit: SaveNotification.Commit?) {
    guard didSaveObservers.isEmpty, automaticMergingOfSaves.isEmpty else {
      let notification = notification(of: changes, number: number, commit: commit)
      post(notification, to: didSaveObservers)
      automaticMergingOfSaves.distribute(notification)
      return
    }
    machine.account(Work(.notificationPosted))
    var (inserted, updated): ([ManagedObject], [ManagedObject]) = ([], [])
    swap(&inserted, &changes.inserted)
    swap(&updated, &changes.updated)
    registry.release(consume inserted)
    registry.release(consume updated)
  }

  /// Validates the changes and calls `willSave`, until neither makes further changes.
  ///
  /// - Throws: `PersistenceError`: the failures that validation found, or `contextStillDirty` after 1,000 rounds, as in
  ///   Core Data.
  private func prepareToSave() throws(PersistenceError) -> Changes {
    var changedAgain: [ManagedObject]?
    for _ in 0..<Self.roundLimit {
      processPendingChanges()
      let changes = Changes(self)
      try validate(changes)
      if coordinator.model.hooks.contains(.willSave) { willSave(changedAgain ?? changes.all) }
      if pendingEvent.isEmpty { return changes }
      changedAgain = pendingEvent.changedObjects
    }
    throw PersistenceError(
      .contextStillDirty,
      "context \(name) is still dirty after \(Self.roundLimit) rounds of validation and willSave: one of them changes an object each time; let it set a value only where that differs",
      objectIDs: (changedAgain ?? []).map(\.objectID))
  }

  private static var roundLimit: Int { 1_000 }

  /// The objects that one save writes, each list in the order in which the objects changed.
  struct Changes {
    var inserted: [ManagedObject]
    var updated: [ManagedObject]
    var deleted: [ManagedObject]
    /// New objects that represent rows which existed before, because of a uniqueness constraint.
    var adopted: [ManagedObject] = []

    /// Creates an empty set of changes.
    init() {
      inserted = []
      updated = []
      deleted = []
    }

    init(_ context: ManagedObjectContext) {
      inserted = context.insertedObjects
      updated = context.updatedObjects
      deleted = context.deletedObjects
    }

    var count: Int { inserted.count + updated.count + deleted.count }

    var all: [ManagedObject] { inserted + updated + deleted }

    /// Removes the changes that a merge policy gave up: changes of rows that no longer exist, and deletions of rows
    /// that stay.
    mutating func dropUnwritten() {
      updated = updated.thoseHeld { !$0.flags.contains(.gone) }
      deleted = deleted.thoseHeld { $0.flags.contains(.gone) }
    }
  }

  /// The contexts that merge this context's saves automatically: its children, and other contexts on the coordinator if
  /// this context has no parent.
  private var automaticMergingOfSaves: CombinedMerging {
    CombinedMerging(children: childMerging, peers: parent == nil ? automaticMerging : nil)
  }

  private struct CombinedMerging {
    let children: AutomaticMerging
    let peers: AutomaticMerging?

    /// True if no context merges the saves.
    var isEmpty: Bool { children.isEmpty && peers?.isEmpty ?? true }

    func distribute(_ save: SaveNotification) {
      peers?.distribute(save)
      children.distribute(save)
    }
  }

  private func notification(of changes: Changes, number: Int, commit: SaveNotification.Commit?) -> SaveNotification {
    SaveNotification(
      context: self, number: number, inserted: changes.inserted, updated: changes.updated, deleted: changes.deleted,
      commit: commit)
  }

  /// Validates all changes: new objects first, deleted objects last. O(changed objects).
  private func validate(_ changes: Changes) throws(PersistenceError) {
    var failures: [ValidationFailure] = []
    changes.inserted.forEachHeld { if $0.needsValidation { failures += $0.failures(in: .insert) } }
    changes.updated.forEachHeld { if $0.needsValidation { failures += $0.failures(in: .update) } }
    changes.deleted.forEachHeld { object in
      if object.entity.validation.checksDeletion { failures += object.failures(in: .delete) }
    }
    if let error = PersistenceError.validation(failures) { throw error }
  }
}
