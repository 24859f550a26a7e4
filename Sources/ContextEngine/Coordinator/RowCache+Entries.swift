import MachineCore

// MARK: - Changing entries

extension RowCache.State {
  /// Enters rows of one entity, for `enter(_:isKnown:body:)`.
  @inline(__always)
  mutating func enter(
    _ rows: UnsafeBufferPointer<StoreRow>, in range: Range<Int>, isKnown: [Bool], body: (Int, HeldRow) -> Void
  ) {
    var tally = tally
    let isCounted = isCounted
    tables[rows[range.lowerBound].objectID.entityIndex].withElements(
      of: range, key: { rows[$0].objectID.key }
    ) { index, entry in
      defer { body(index, HeldRow(unretained: rows[index].row)) }
      let registrations = entry?.registrations ?? 0
      let isNew = isKnown.isEmpty || !isKnown[index]
      if registrations == 0 {
        // The ID was registered in the running block, which has not been reported to the row cache yet.
        guard isNew else { return }
        tally.add(ModelledSize.cacheEntry)
      }
      let old = entry?.held
      let held = HeldRow(rows[index].row)
      if let old, old.version > held.version {
        // An older row never replaces a newer one.
        held.release()
        if isNew { entry?.registrations += 1 }
        return
      }
      if isCounted { tally.hold(held) }
      entry = RowCacheEntry(held: held, registrations: registrations + (isNew ? 1 : 0))
      guard let old else { return }
      if isCounted { tally.letGo(old) }
      old.release()
    }
    self.tally = tally
  }

  /// Enters updated rows of one entity whose IDs are registered, and makes all of the rows shared.
  mutating func enterWritten(_ updates: UnsafeBufferPointer<StoreChanges.Update>, in range: Range<Int>) {
    var tally = tally
    let isCounted = isCounted
    tables[updates[range.lowerBound].objectID.entityIndex].withElements(
      of: range, key: { updates[$0].objectID.key }
    ) { index, entry in
      let row = HeldRow(unretained: updates[index].row)
      // Rows become shared last, because a row that only one object holds counts for fewer bytes.
      defer { row.withRow { $0.becomeShared() } }
      guard let known = entry else { return }
      let old = known.held
      // An older row never replaces a newer one.
      if let old, old.version > row.version { return }
      if isCounted { tally.hold(row) }
      entry = RowCacheEntry(held: row.retained(), registrations: known.registrations)
      guard let old else { return }
      if isCounted { tally.letGo(old) }
      old.release()
    }
    self.tally = tally
  }

  /// Adds one registration for each of several IDs of one entity. The table grows only for new IDs, because in a merge
  /// the context that saved may still have all of them registered.
  mutating func retain(_ objectIDs: UnsafeBufferPointer<ObjectID>, in range: Range<Int>) {
    var newCount = 0
    tables[objectIDs[range.lowerBound].entityIndex].withElements(of: range, key: { objectIDs[$0].key }) { _, entry in
      if entry == nil {
        entry = RowCacheEntry(held: nil, registrations: 1)
        newCount += 1
      } else {
        entry?.registrations += 1
      }
    }
    tally.add(newCount * ModelledSize.cacheEntry)
  }

  mutating func retain(_ objectID: ObjectID) {
    let isNew = tables[objectID.entityIndex].withElement(of: objectID.key) { entry in
      guard entry != nil else {
        entry = RowCacheEntry(held: nil, registrations: 1)
        return true
      }
      entry?.registrations += 1
      return false
    }
    if isNew { tally.add(ModelledSize.cacheEntry) }
  }

  /// Removes one registration of each of several IDs of one entity.
  ///
  /// - Parameters:
  ///   - objectIDs: The IDs.
  ///   - range: The indexes of the IDs to release.
  ///   - noteDropped: A closure that is called with the index of each ID that lost its last registration, so that its
  ///     entry and its row were removed.
  @inline(__always)
  mutating func release(
    _ objectIDs: UnsafeBufferPointer<ObjectID>, in range: Range<Int>, _ noteDropped: (Int) -> Void
  ) {
    var tally = tally
    let isCounted = isCounted
    tables[objectIDs[range.lowerBound].entityIndex].withElements(of: range, key: { objectIDs[$0].key }) {
      index, entry in
      guard var released = entry else { return }
      released.registrations -= 1
      guard released.registrations == 0 else {
        entry = released
        return
      }
      entry = nil
      if let held = released.held {
        if isCounted { tally.letGo(held) }
        held.release()
      }
      tally.remove(ModelledSize.cacheEntry)
      noteDropped(index)
    }
    self.tally = tally
  }

  /// Moves the registrations of one ID to another.
  mutating func move(_ objectID: ObjectID, to other: ObjectID) {
    guard let registrations = takeOut(objectID) else { return }
    let isNew = tables[other.entityIndex].withElement(of: other.key) { known in
      let isNew = known == nil
      known = RowCacheEntry(held: known?.held, registrations: (known?.registrations ?? 0) + registrations)
      return isNew
    }
    if isNew { tally.add(ModelledSize.cacheEntry) }
  }

  /// Moves the registrations of several temporary IDs of one entity to the permanent ones, and enters rows under these.
  ///
  /// Temporary IDs without registrations give none to the permanent ones, whose rows are entered as those of other IDs
  /// are.
  mutating func move(
    _ pairs: UnsafeBufferPointer<(temporary: ObjectID, permanent: ObjectID)>, in range: Range<Int>,
    with insertions: UnsafeBufferPointer<StoreChanges.Insertion>
  ) {
    var tally = tally
    let isCounted = isCounted
    let table = pairs[range.lowerBound].permanent.entityIndex
    withUnsafeTemporaryAllocation(of: Int.self, capacity: range.count) { moved in
      tables[table].withElements(of: range, key: { pairs[$0].temporary.key }) { index, entry in
        moved.initializeElement(at: index - range.lowerBound, to: entry?.registrations ?? 0)
        guard let known = entry else { return }
        entry = nil
        if let held = known.held {
          if isCounted { tally.letGo(held) }
          held.release()
        }
        tally.remove(ModelledSize.cacheEntry)
      }
      tables[table].withElements(of: range, key: { pairs[$0].permanent.key }) { index, entry in
        let row = HeldRow(unretained: insertions[index].row)
        let registrations = moved[index - range.lowerBound]
        let old = entry?.held
        if registrations == 0 {
          guard entry != nil, old.map({ $0.version <= row.version }) ?? true else { return }
        } else if entry == nil {
          tally.add(ModelledSize.cacheEntry)
        }
        if isCounted { tally.hold(row) }
        entry = RowCacheEntry(held: row.retained(), registrations: (entry?.registrations ?? 0) + registrations)
        guard let old else { return }
        if isCounted { tally.letGo(old) }
        old.release()
      }
    }
    self.tally = tally
  }

  mutating func enter(_ row: HeldRow, of objectID: ObjectID) {
    let replaced = tables[objectID.entityIndex].withElement(of: objectID.key) { entry -> RowCacheEntry? in
      guard let known = entry, known.held.map({ $0.version <= row.version }) ?? true else { return nil }
      entry?.held = row.retained()
      return known
    }
    guard let replaced else { return }
    hold(row)
    if let old = replaced.held { letGo(old) }
  }

  /// Removes the rows of several IDs of one entity, whose registrations stay.
  mutating func removeRows(of objectIDs: UnsafeBufferPointer<ObjectID>, in range: Range<Int>) {
    var tally = tally
    let isCounted = isCounted
    tables[objectIDs[range.lowerBound].entityIndex].withElements(of: range, key: { objectIDs[$0].key }) { _, entry in
      guard let held = entry?.held else { return }
      entry?.held = nil
      if isCounted { tally.letGo(held) }
      held.release()
    }
    self.tally = tally
  }

  /// Removes an entry and its row.
  ///
  /// - Returns: The number of registrations of the entry, or nil if there was no entry.
  private mutating func takeOut(_ objectID: ObjectID) -> Int? {
    let entry = tables[objectID.entityIndex].withElement(of: objectID.key) { entry in
      let known = entry
      entry = nil
      return known
    }
    if let entry { drop(entry) }
    return entry?.registrations
  }

  /// Releases the row of a removed entry and subtracts the entry from the footprint.
  private mutating func drop(_ entry: RowCacheEntry) {
    if let held = entry.held { letGo(held) }
    tally.remove(ModelledSize.cacheEntry)
  }

  private mutating func hold(_ row: HeldRow) {
    if isCounted { tally.hold(row) }
  }

  private mutating func letGo(_ row: HeldRow) {
    if isCounted { tally.letGo(row) }
    row.release()
  }
}
