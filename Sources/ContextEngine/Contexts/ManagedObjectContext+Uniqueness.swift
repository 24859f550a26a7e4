import MachineCore

// This extension applies the results of uniqueness constraints to the objects of a save.

extension ManagedObjectContext {
  /// Applies the outcome of a save to new objects that a uniqueness constraint made part of other objects.
  ///
  /// If the other object is neither in the context nor in a list of it, the new object represents it from now on.
  /// Otherwise the new object is removed as if it had been deleted, and the other one has its values. It is called
  /// before the new objects get their IDs.
  func settleAbsorbed(_ changes: inout Changes, result: inout SaveResult) {
    guard !result.absorbed.isEmpty else { return }
    let written = result.insertions.indices.filter { result.absorbed[$0] == nil }
    var taken = Set(written.map { result.insertions[$0].objectID })
    var kept: [Int] = []
    for index in changes.inserted.indices {
      let object = changes.inserted[index]
      guard let target = result.absorbed[index] else {
        kept.append(index)
        continue
      }
      registerIfListed(target)
      let row = result.others.first { $0.objectID == target }?.outcome
      if taken.contains(target) || !object.objectID.isTemporaryID || registered(target, besides: object) != nil {
        pendingEvent.noteDeleted(object)
        retire(object)
      } else if case .row(let row)? = row {
        taken.insert(target)
        result.insertions[index].row = row
        changes.adopted.append(object)
        pendingEvent.noteRefreshed(object, slots: .all)
        kept.append(index)
      } else {
        pendingEvent.noteDeleted(object)
        retire(object)
      }
    }
    changes.inserted = kept.map { changes.inserted[$0] }
    result.insertions = kept.map { result.insertions[$0] }
  }

  /// Applies the outcome of a save to objects that were not among its changes: those that new objects became part of,
  /// and those whose derived attributes changed. It is called after the new objects got their IDs.
  func settleOthers(_ changes: inout Changes, result: SaveResult) {
    guard !result.absorbed.isEmpty || !result.others.isEmpty else { return }
    let merged = Set(result.absorbed.values)
    for other in result.others {
      guard let object = registered(other.objectID, besides: nil), case .row(let row) = other.outcome else { continue }
      if changes.adopted.contains(where: { $0 === object }) || object.isDeleted { continue }
      guard object.version != row.version || other.isFollower else { continue }
      if !object.isFault {
        rebase(object, onto: row)
      } else if merged.contains(other.objectID) {
        pendingEvent.noteRefreshed(object, slots: .all)
      }
      if other.isWritten { changes.updated.append(object) }
    }
    // Their relationships may have more members than were read.
    for object in changes.inserted + changes.updated where !object.toManys.isEmpty {
      object.changeToManys { toManys in
        for place in toManys.indices { toManys[place].base = nil }
      }
    }
    // A new object that represents an existing row does not count as inserted.
    let written = Set(result.others.filter(\.isWritten).map(\.objectID))
    changes.inserted.removeAll { object in changes.adopted.contains { $0 === object } }
    changes.updated += changes.adopted.filter { written.contains($0.objectID) }
  }

  /// Registers a row as a fault if a list has its ID, so that the list does not get the row a second time.
  private func registerIfListed(_ objectID: ObjectID) {
    // The new object is known under the row's ID already, but not registered under it.
    guard !controllers.isEmpty, registry.object(for: objectID) == nil else { return }
    let row = SoughtRow(objectID)
    controllers.notify(.sought(row))
    if row.isListed { pendingEvent.noteRefreshed(registerFault(objectID), slots: .all) }
  }

  private func registered(_ objectID: ObjectID, besides object: ManagedObject?) -> ManagedObject? {
    guard let registered = registeredObject(for: objectID), registered !== object else { return nil }
    return registered
  }
}
