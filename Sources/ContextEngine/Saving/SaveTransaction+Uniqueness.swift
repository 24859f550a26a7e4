import MachineCore
import OrderedCollections

// Uniqueness constraints: what a save does when its rows meet each other or those of the store, once it has no optimistic
// conflicts any more. Nothing of this is looked at before a store says that a row would not be unique.

extension SaveTransaction {
  /// One of the rows that the save writes.
  private enum Writer: Hashable {
    case insertion(Int)
    case update(Int)
  }

  /// Rows that would have the same values of a constraint.
  private struct Meeting {
    var constraint: UniquenessConstraint
    var values: [Value]
    /// New rows first.
    var writers: [Writer]
    /// The row in the store, which the save leaves as it is.
    var stored: StoreRow?
  }

  /// The values of a constraint in one of several stores, each of which keeps it by itself.
  private struct Place: Hashable {
    var store: Int
    var key: UniqueKey
  }

  /// Finds the rows that meet and lets the policy settle each; under the error policy, throws all of them.
  ///
  /// Where none are found, rows only exchange their values, or another writer was quicker: writing in stages tells.
  mutating func settleUniqueness() throws(PersistenceError) {
    writesInStages = true
    hasMetOthers = true
    let meetings = try meetings()
    guard !meetings.isEmpty else { return }
    coordinator.machine.account(Work(.conflict, count: meetings.count))
    if policy == .error { throw unsettled(meetings) }
    for meeting in meetings { try settle(meeting) }
  }

  // MARK: Who meets whom

  /// In the order of the constraints, then of the rows. One SELECT for each constraint that new or changed rows are under.
  private func meetings() throws(PersistenceError) -> [Meeting] {
    var meetings: [Meeting] = []
    for constraint in coordinator.model.uniquenessConstraints.joined() {
      var writers: OrderedDictionary<Place, [Writer]> = [:]
      for (writer, objectID, row) in written where constraint.scope.includes(objectID.entityIndex) {
        guard let key = UniqueKey(row, constraint) else { continue }
        writers[Place(store: objectID.store, key: key), default: []].append(writer)
      }
      if writers.isEmpty { continue }
      let stored = try storedRows(under: constraint, meeting: writers)
      for (place, writers) in writers where writers.count > 1 || stored[place] != nil {
        let values = constraint.slots.map(row(of: writers[0]).value)
        meetings.append(
          Meeting(constraint: constraint, values: values, writers: writers, stored: stored[place]))
      }
    }
    return meetings
  }

  /// All rows that the save leaves with values of its own, new ones first.
  private var written: [(Writer, ObjectID, Row)] {
    var written: [(Writer, ObjectID, Row)] = []
    for (index, insertion) in insertions.enumerated() where absorbed[index] == nil {
      written.append((.insertion(index), insertion.objectID, insertion.row))
    }
    for (index, update) in updates.enumerated() {
      switch update.action {
      case .write(let row, _, _), .insertAgain(let row): written.append((.update(index), update.objectID, row))
      case .delete, .takeStore: break
      }
    }
    return written
  }

  private func row(of writer: Writer) -> Row {
    switch writer {
    case .insertion(let index): insertions[index].row
    case .update(let index):
      switch updates[index].action {
      case .write(let row, _, _), .insertAgain(let row): row
      case .delete, .takeStore: updates[index].row
      }
    }
  }

  private func objectID(of writer: Writer) -> ObjectID {
    switch writer {
    case .insertion(let index): insertions[index].objectID
    case .update(let index): updates[index].objectID
    }
  }

  /// The rows of the store that the save neither changes nor deletes and that have the values of some that it writes.
  private func storedRows(
    under constraint: UniquenessConstraint, meeting writers: OrderedDictionary<Place, [Writer]>
  ) throws(PersistenceError) -> [Place: StoreRow] {
    let rows = writers.values.map { row(of: $0[0]) }
    let conditions = zip(constraint.names, constraint.slots).map { name, slot in
      Predicate.isIn(constraint.scope.path(name), rows.map { $0.value(at: slot) })
    }
    var changing = Set(written.map(\.1))
    for deletion in deletions {
      if case .delete = deletion.action { changing.insert(deletion.objectID) }
    }
    var found: [Place: StoreRow] = [:]
    let request = StoreFetchRequest(entity: constraint.scope, predicate: .and(conditions), sortDescriptors: [])
    for row in try coordinator.store.fetch(request) where !changing.contains(row.objectID) {
      guard let key = UniqueKey(row.row, constraint) else { continue }
      let place = Place(store: row.objectID.store, key: key)
      if writers[place] != nil { found[place] = row }
    }
    return found
  }

  private func unsettled(_ meetings: [Meeting]) -> PersistenceError {
    var objectIDs: OrderedSet<ObjectID> = []
    let conflicts = meetings.map { meeting in
      let conflicting = meeting.writers.map(knownID)
      objectIDs.append(contentsOf: conflicting)
      return ConstraintConflict(
        entityName: meeting.constraint.scope.name, constraint: meeting.constraint.names,
        constraintValues: meeting.values, databaseObjectID: meeting.stored?.objectID,
        conflictingObjectIDs: conflicting, databaseSnapshot: meeting.stored?.row)
    }
    let first = meetings[0]
    let values = zip(first.constraint.names, first.values).map { "\($0) \($1)" }.joined(separator: ", ")
    var error = PersistenceError(
      .managedObjectConstraintMerge,
      "\(meetings.count) constraints are not kept, the first by several objects of \(first.constraint.scope.name) with "
        + "\(values); change or delete one of them, or set a merge policy that can tell which is to stay",
      objectIDs: objectIDs.elements)
    error.constraintConflicts = conflicts
    return error
  }

  /// An object's ID as the context has it.
  private func knownID(_ writer: Writer) -> ObjectID {
    if case .insertion(let index) = writer { permanentIDs[index].temporary } else { objectID(of: writer) }
  }

  // MARK: Settling

  /// Lets one object stay of those that meet.
  private mutating func settle(_ meeting: Meeting) throws(PersistenceError) {
    // What an earlier meeting has changed is looked at anew when the store is asked again.
    let writers = meeting.writers.filter { writer in
      if case .insertion(let index) = writer, absorbed[index] != nil { return false }
      let row = row(of: writer)
      return zip(meeting.constraint.slots, meeting.values).allSatisfy { row.value(at: $0) == $1 }
    }
    guard writers.count == meeting.writers.count else { return }
    let changed = writers.filter { if case .update = $0 { true } else { false } }
    // Two rows that both exist: none of them can become part of the other.
    guard changed.count <= 1 else { throw unsettled([meeting]) }
    let memoryWins = policy == .objectTrump || policy == .overwrite
    var winner = changed.first ?? writers[0]
    if let stored = meeting.stored {
      if let loser = changed.first, !memoryWins {
        try giveUp(loser, meeting.constraint)
        winner = .update(place(of: stored))
      } else if changed.isEmpty {
        winner = .update(place(of: stored))
      } else {
        throw unsettled([meeting])
      }
    }
    for case .insertion(let index) in writers where winner != .insertion(index) {
      guard objectID(of: winner).entityIndex == insertions[index].objectID.entityIndex else {
        throw unsettled([meeting])
      }
      absorb(index, into: winner, takingItsValues: memoryWins)
    }
  }

  /// The place among the updates of a row that the save had nothing to do with so far.
  private mutating func place(of stored: StoreRow) -> Int {
    if let place = updates.firstIndex(where: { $0.objectID == stored.objectID }) { return place }
    updates.append(
      SaveRequest.Update(
        objectID: stored.objectID, base: stored.row, row: stored.row, slots: 0, resolution: .takeStore(stored.row)))
    return updates.count - 1
  }

  /// Gives up what a changed object has set: all, or by property only what the constraint is over.
  private mutating func giveUp(_ writer: Writer, _ constraint: UniquenessConstraint) throws(PersistenceError) {
    guard case .update(let index) = writer else { return }
    guard let stored = try coordinator.store.row(for: updates[index].objectID) else {
      updates[index].action = .takeStore(nil)
      return
    }
    guard policy == .storeTrump, case .write(let row, var slots, let baseVersion) = updates[index].action else {
      updates[index].action = .takeStore(stored)
      return
    }
    let unique = constraint.slots.reduce(UInt64(0)) { $0 | 1 << UInt64($1) }
    slots &= ~unique
    updates[index].action = .write(row.replacing(unique, by: stored), slots: slots, baseVersion: baseVersion)
  }

  /// Makes a new object part of another one: what refers to it, by a key or in pairs, refers to that, whatever the policy.
  ///
  /// - Parameter takingItsValues: whether the other gets what the new one has set, by the policy all its values.
  private mutating func absorb(_ index: Int, into winner: Writer, takingItsValues: Bool) {
    let old = insertions[index].objectID
    let new = objectID(of: winner)
    if takingItsValues { take(insertions[index].row, into: winner) }
    absorbed[index] = new
    permanentIDs[index].permanent = new
    known = PermanentIDs(given)
    var isReferredTo = relationships.haveChanges(of: permanentIDs[index].temporary)
    for other in insertions.indices {
      isReferredTo = isReferredTo || insertions[other].row.leads(to: old)
      insertions[other].objectID = other == index ? new : insertions[other].objectID
      insertions[other].row = insertions[other].row.leading(to: new, insteadOf: old)
    }
    for other in updates.indices {
      isReferredTo = isReferredTo || updates[other].row.leads(to: old)
      updates[other].row = updates[other].row.leading(to: new, insteadOf: old)
      guard case .write(let row, let slots, let baseVersion) = updates[other].action else { continue }
      updates[other].action = .write(row.leading(to: new, insteadOf: old), slots: slots, baseVersion: baseVersion)
    }
    if isReferredTo { raiseVersion(of: winner) }
  }

  /// Writes a row that other objects refer to from now on, so that whoever has it hears of that.
  private mutating func raiseVersion(of winner: Writer) {
    guard case .update(let index) = winner, case .takeStore(let row?) = updates[index].action else { return }
    updates[index].action = .write(row, slots: 0, baseVersion: row.version)
  }

  /// Puts a new object's values over those of the one that it becomes part of: those that it was not born with, or all.
  private mutating func take(_ row: Row, into winner: Writer) {
    let defaults = coordinator.model.entities[objectID(of: winner).entityIndex].defaultValues
    let known = self.row(of: winner)
    var slots: UInt64 = 0
    let differing = row.slotsDiffering(from: known)
    for slot in 0..<row.slotCount
    where differing & (1 << UInt64(slot)) != 0 && (policy == .overwrite || row.value(at: slot) != defaults[slot]) {
      slots |= 1 << UInt64(slot)
    }
    let merged = known.replacing(slots, by: row)
    switch winner {
    case .insertion(let index): insertions[index].row = merged
    case .update(let index):
      guard slots != 0 else { return }
      updates[index].row = merged
      switch updates[index].action {
      case .write(_, let written, let baseVersion):
        updates[index].action = .write(merged, slots: written | slots, baseVersion: baseVersion)
      case .takeStore(let row?):
        updates[index].slots = slots
        updates[index].action = .write(merged, slots: slots, baseVersion: row.version)
      case .insertAgain: updates[index].action = .insertAgain(merged)
      case .delete, .takeStore: break
      }
    }
  }
}

extension Row {
  /// Whether a to-one relationship of the row leads to an object. O(slots).
  fileprivate func leads(to objectID: ObjectID) -> Bool {
    (0..<slotCount).contains { self.objectID(at: $0) == objectID }
  }

  /// The row with another object behind its to-one relationships; itself where none leads to the old one. O(slots).
  fileprivate func leading(to new: ObjectID, insteadOf old: ObjectID) -> Row {
    let slots = (0..<slotCount).filter { objectID(at: $0) == old }
    if slots.isEmpty { return self }
    var row = copy()
    for slot in slots { row.set(.object(new), at: slot) }
    return row
  }
}
