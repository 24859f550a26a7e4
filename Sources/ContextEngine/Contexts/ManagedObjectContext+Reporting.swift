import MachineCore

// MARK: - Reporting work

extension ManagedObjectContext {
  /// The work done since the last report. It is reported before the queue is released.
  struct Tally {
    var propertiesSet = 0
    var relationshipsSet = 0
    var objectsChanged = 0
    var objectsDeleted = 0
    var objectsTested = 0
    var objectsCompared = 0
    var listElementsPassed = 0
    var objectsRegistered = 0
    var objectsReleased = 0
  }

  /// Reports to the machine the work counted since the last report, for the role in which it was done, and the memory
  /// that the objects hold.
  package func reportWork() {
    reportTally()
    reportFootprint()
    notePendingChanges()
  }

  /// Reports the work counted since the last report.
  ///
  /// It is called before an activity of another kind begins and before one ends, so that each activity is charged for
  /// its own work.
  func reportTally() {
    if tally.propertiesSet > 0 { machine.account(Work(.propertySet, count: tally.propertiesSet)) }
    if tally.relationshipsSet > 0 { machine.account(Work(.relationshipSet, count: tally.relationshipsSet)) }
    if tally.objectsChanged > 0 { machine.account(Work(.objectChanged, count: tally.objectsChanged)) }
    if tally.objectsDeleted > 0 { machine.account(Work(.objectDeleted, count: tally.objectsDeleted)) }
    if tally.objectsTested > 0 { machine.account(Work(.objectTested, count: tally.objectsTested)) }
    if tally.objectsCompared > 0 { machine.account(Work(.objectCompared, count: tally.objectsCompared)) }
    if tally.listElementsPassed > 0 { machine.account(Work(.listElementPassed, count: tally.listElementsPassed)) }
    if tally.objectsRegistered > 0 { machine.account(Work(.objectRegistered, count: tally.objectsRegistered)) }
    if tally.objectsReleased > 0 { machine.account(Work(.objectReleased, count: tally.objectsReleased)) }
    tally = Tally()
  }

  /// Reports the number of objects with unsaved changes to a trace if it has changed since the last report. An object
  /// that was rolled back counts until its list is cleared.
  func notePendingChanges() {
    let count = insertedList.count + updatedList.count + deletedList.count
    guard count != notedChangeCount else { return }
    recorder.add(.counterChanged("pending changes", series: name, by: count - notedChangeCount))
    notedChangeCount = count
  }

  /// Reports the memory that the objects hold, so that later reports by others are added to it.
  func reportFootprint() {
    if !newlyRegistered.isEmpty {
      coordinator.rowCache.register(newlyRegistered)
      newlyRegistered.removeAll(keepingCapacity: newlyRegistered.count <= Self.keptPoolSize)
    }
    if !footprint.isEmpty { coordinator.footprint.take(&footprint) }
  }

  /// Registers an ID with the row cache. Within a block, all IDs are registered at once, before the results of the
  /// block become visible to others.
  func registerWithRowCache(_ objectID: ObjectID) {
    newlyRegistered.append(objectID)
    if blockDepth == 0 { reportFootprint() }
  }

  /// Registers several IDs with the row cache.
  func registerWithRowCache(_ objectIDs: [ObjectID]) {
    newlyRegistered += objectIDs
    if blockDepth == 0 { reportFootprint() }
  }

  func countPropertySet() { tally.propertiesSet += 1 }
  func countRelationshipSet() { tally.relationshipsSet += 1 }
  func countObjectsTested(_ count: Int) { tally.objectsTested += count }
  func countObjectsCompared(_ count: Int) { tally.objectsCompared += count }
  func countListElementsPassed(_ count: Int) { tally.listElementsPassed += count }
  func countObjectsRegistered(_ count: Int) { tally.objectsRegistered += count }
}
