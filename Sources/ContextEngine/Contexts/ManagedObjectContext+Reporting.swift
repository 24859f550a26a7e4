import MachineCore

// MARK: - Reporting work

extension ManagedObjectContext {
  /// Work done and not reported yet: reported before the queue is given back.
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

  /// Reports work counted since the last report to the machine, for the role in which it was done, and what the objects
  /// hold.
  package func reportWork() {
    reportTally()
    reportFootprint()
    notePendingChanges()
  }

  /// Reports work counted since the last report.
  ///
  /// Called before an activity of another kind begins and before one ends, so that each pays for its own work.
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

  /// Tells a trace how many objects wait to be saved, where that is another number than the last time. An object that was
  /// rolled back counts until its list is cleared.
  func notePendingChanges() {
    let count = insertedList.count + updatedList.count + deletedList.count
    guard count != notedChangeCount else { return }
    machine.note(.pendingChanges(context: name, difference: count - notedChangeCount))
    notedChangeCount = count
  }

  /// Reports what the objects hold, so that what others report next counts on top of it.
  func reportFootprint() {
    if !newlyRegistered.isEmpty {
      coordinator.rowCache.register(newlyRegistered)
      newlyRegistered.removeAll(keepingCapacity: newlyRegistered.count <= Self.keptPoolSize)
    }
    coordinator.footprint.take(&footprint)
  }

  /// Registers an ID with the row cache: before others can hear of what this block did, and all of a block at once.
  func registerWithRowCache(_ objectID: ObjectID) {
    newlyRegistered.append(objectID)
    if blockDepth == 0 { reportFootprint() }
  }

  /// Registers many.
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
