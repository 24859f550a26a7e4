import MachineCore
import OrderedCollections

// Uniqueness constraints: the settlement of rows of a save that would have the same values as each other or as rows of
// the store, once all optimistic conflicts are settled. This code runs only after a store has reported that a row would
// not be unique.

extension SaveTransaction {
  /// One of the rows that the save writes.
  private enum Writer: Hashable {
    case insertion(Int)
    case update(Int)
  }

  /// A set of rows that would have the same values of a constraint.
  private struct Meeting {
    var constraint: UniquenessConstraint
    var values: [Value]
    /// The rows that the save writes, new rows first.
    var writers: [Writer]
    /// The row in the store, which the save leaves as it is; nil if the store has no such row.
    var stored: StoreRow?
  }

  /// The values of a constraint in one of several stores, each of which keeps the constraint separately.
  private struct Place: Hashable {
    var store: Int
    var key: UniqueKey
  }

  /// Finds the rows that would have the same values, and lets the policy settle each meeting; under the error policy,
  /// throws all of them.
  ///
  /// If there are no meetings, rows only exchange their values, or another writer was faster. The next attempt writes
  /// in stages and shows which it is.
  mutating func settleUniqueness() throws(PersistenceError) {
    writesInStages = true
    hasMetOthers = true
    let meetings = try meetings()
    guard !meetings.isEmpty else { return }
    coordinator.machine.account(Work(.conflict, count: meetings.count))
    if policy == .error { throw unsettled(meetings) }
    for meeting in meetings { try settle(meeting) }
  }

  // MARK: Meetings

  /// Returns the meetings in the order of the constraints, then of the rows. Runs one SELECT for each constraint that
  /// applies to new or changed rows.
  private func meetings() throws(PersistenceError) -> [Meeting] {
    var meetings: [Meeting] = []
    for constraint in coordinator.model.uniquenessConstraints.joined() {
      var writers: OrderedDictionary<Place, [Writer]> = [:]
      for (writer, objectID, row) in written where constraint.scope.includes(objectID.entityIndex) {
        guard let key = UniqueKey(row, for: constraint) else { continue }
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

  /// The rows that the save writes, new ones first.
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

  /// Returns the rows of the store that the save neither changes nor deletes and that have the same values as rows that
  /// it writes.
  private func storedRows(
    under constraint: UniquenessConstraint, meeting writers: OrderedDictionary<Place, [Writer]>
  ) throws(PersistenceError) -> [Place: StoreRow] {
    let rows = writers.values.map { row(of: $0[0]) }
    let conditions = zip(constraint.names, constraint.slots).map { name, slot in
      FetchPredicate.isIn(constraint.scope.path(name), rows.map { $0.value(at: slot) })
    }
    var changing = Set(written.map(\.1))
    for deletion in deletions {
      if case .delete = deletion.action { changing.insert(deletion.objectID) }
    }
    var found: [Place: StoreRow] = [:]
    let request = StoreFetchRequest(entity: constraint.scope, predicate: .and(conditions), sortDescriptors: [])
    for row in try coordinator.store.fetch(request) where !changing.contains(row.objectID) {
      guard let key = UniqueKey(row.row, for: constraint) else { continue }
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
      "\(meetings.count) constraints are violated, the first by several objects of \(first.constraint.scope.name) with "
        + "\(values); change or delete one of them, or set a merge policy that decides which one stays",
      objectIDs: objectIDs.elements)
    error.constraintConflicts = conflicts
    return error
  }

  /// Returns an object's ID as the context has it.
  private func knownID(_ writer: Writer) -> ObjectID {
    if case .insertion(let index) = writer { permanentIDs[index].temporary } else { objectID(of: writer) }
  }

  // MARK: Settling

  /// Settles a meeting, after which one object has the values.
  private mutating func settle(_ meeting: Meeting) throws(PersistenceError) {
    // Rows that an earlier meeting has changed are examined again when the store is asked the next time.
    let writers = meeting.writers.filter { writer in
      if case .insertion(let index) = writer, absorbed[index] != nil { return false }
      let row = row(of: writer)
      return zip(meeting.constraint.slots, meeting.values).allSatisfy { row.value(at: $0) == $1 }
    }
    guard writers.count == meeting.writers.count else { return }
    let changed = writers.filter { if case .update = $0 { true } else { false } }
    // Two rows that both exist cannot become part of each other.
    guard changed.count <= 1 else { throw unsettled([meeting]) }
    let memoryWins = policy == .objectTrump || policy == .overwrite
    var winner = changed.first ?? writers[0]
    if let stored = meeting.stored {
      if let loser = changed.first, !memoryWins {
        try giveUp(loser, constraint: meeting.constraint)
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

  /// Returns the index in the updates of a row of the store, and adds the row if the save has not involved it so far.
  private mutating func place(of stored: StoreRow) -> Int {
    if let place = updates.firstIndex(where: { $0.objectID == stored.objectID }) { return place }
    updates.append(
      SaveRequest.Update(
        objectID: stored.objectID, base: stored.row, row: stored.row, slots: [], resolution: .takeStore(stored.row)))
    return updates.count - 1
  }

  /// Discards the values that were set on a changed object: all of them, or only those of the constraint under the
  /// store-trump policy.
  private mutating func giveUp(_ writer: Writer, constraint: UniquenessConstraint) throws(PersistenceError) {
    guard case .update(let index) = writer else { return }
    guard let stored = try coordinator.store.row(for: updates[index].objectID) else {
      updates[index].action = .takeStore(nil)
      return
    }
    guard policy == .storeTrump, case .write(let row, var slots, let baseVersion) = updates[index].action else {
      updates[index].action = .takeStore(stored)
      return
    }
    let unique = SlotSet(constraint.slots)
    slots.subtract(unique)
    updates[index].action = .write(row.replacing(unique, by: stored), slots: slots, baseVersion: baseVersion)
  }

  /// Makes a new object part of another one: what refers to the new object, by a key or in pairs, then refers to the
  /// other one, under every policy.
  ///
  /// If `takingItsValues` is true, the other object receives the values that were set on the new one, or all its values
  /// under the overwrite policy.
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

  /// Writes a row to which other objects refer from now on under a new version, so that contexts that have it notice
  /// the change.
  private mutating func raiseVersion(of winner: Writer) {
    guard case .update(let index) = winner, case .takeStore(let row?) = updates[index].action else { return }
    updates[index].action = .write(row, slots: [], baseVersion: row.version)
  }

  /// Puts a new object's values over those of the object of which it becomes part: the values that differ from the
  /// defaults, or all values under the overwrite policy.
  private mutating func take(_ row: Row, into winner: Writer) {
    let defaults = coordinator.model.entities[objectID(of: winner).entityIndex].defaultValues
    let known = self.row(of: winner)
    var slots = SlotSet()
    let differing = row.slotsDiffering(from: known)
    for slot in 0..<row.slotCount
    where differing.contains(slot) && (policy == .overwrite || row.value(at: slot) != defaults[slot]) {
      slots.insert(slot)
    }
    let merged = known.replacing(slots, by: row)
    switch winner {
    case .insertion(let index): insertions[index].row = merged
    case .update(let index):
      guard !slots.isEmpty else { return }
      updates[index].row = merged
      switch updates[index].action {
      case .write(_, let written, let baseVersion):
        updates[index].action = .write(merged, slots: written.union(slots), baseVersion: baseVersion)
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
  /// Returns true if a to-one relationship of the row leads to the object. O(slots).
  fileprivate func leads(to objectID: ObjectID) -> Bool {
    (0..<slotCount).contains { self.objectID(at: $0) == objectID }
  }

  /// Returns the row with `new` in place of `old` in its to-one relationships, or the row itself if it does not refer
  /// to `old`. O(slots).
  fileprivate func leading(to new: ObjectID, insteadOf old: ObjectID) -> Row {
    let slots = (0..<slotCount).filter { objectID(at: $0) == old }
    if slots.isEmpty { return self }
    var row = copy()
    for slot in slots { row.set(.object(new), at: slot) }
    return row
  }
}
