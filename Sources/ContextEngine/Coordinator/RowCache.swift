import MachineCore

/// The rows that a coordinator's contexts have in use, shared by all of them.
///
/// A row stays while any context of the coordinator, at any depth, has its ID registered, and leaves when the last
/// unregisters it. Thread-safe; blocks on its lock only. Temporary IDs are counted too, and handed on to the permanent ID
/// when there is one.
final class RowCache: Sendable {
  // Not a lock of the machine: nothing under it waits or reports, and whoever finds it taken would be parked and woken for
  // the sake of a look-up.
  private let state: Guarded<State>
  private let identities: IdentityMap
  private let footprint: MemoryFootprint
  private let ages: RowAges

  fileprivate struct State: Sendable {
    /// One table per entity.
    var tables: [KeyTable<RowCacheEntry>]
    /// What of the footprint the running call changes.
    var tally = FootprintTally()

    subscript(objectID: ObjectID) -> RowCacheEntry? { tables[objectID.entityIndex][objectID.key] }
  }

  deinit {
    state.withLock { state in
      for table in state.tables {
        for entry in table.elements { entry.held?.release() }
      }
    }
  }

  init(entityCount: Int, identities: IdentityMap, footprint: MemoryFootprint, ages: RowAges) {
    self.ages = ages
    self.identities = identities
    self.footprint = footprint
    state = Guarded(State(tables: Array(repeating: KeyTable(), count: entityCount)))
  }

  func row(for objectID: ObjectID) -> Row? {
    state.withLock { $0[objectID]?.row }
  }

  /// The cached rows of many objects, nil where there is none. O(n).
  func rows(for objectIDs: [ObjectID]) -> [Row?] {
    state.withLock { state in objectIDs.map { state[$0]?.row } }
  }

  /// Those of many objects whose rows are here in another version, with these rows. O(n).
  func rows(ofOtherVersionThan versions: some Collection<(ObjectID, Int64)>) -> [(ObjectID, Row?)] {
    guard !versions.isEmpty else { return [] }
    return state.withLock { state in
      versions.compactMap { objectID, version in
        guard let held = state[objectID]?.held, held.version != version else { return nil }
        return (objectID, held.row)
      }
    }
  }

  // MARK: Registering

  func register(_ objectID: ObjectID) {
    changing { $0.retain(identities.canonical(objectID)) }
  }

  /// Counts one more context for each ID. O(n).
  func register(_ objectIDs: [ObjectID]) {
    guard let first = objectIDs.first else { return }
    changing { state in
      state.tables[first.entityIndex].reserve(objectIDs.count)
      for objectID in identities.canonical(objectIDs) { state.retain(objectID) }
    }
  }

  /// Counts one context less for each ID, in the order given; rows that nobody has registered leave. O(n).
  func unregister(_ objectIDs: [ObjectID]) {
    guard !objectIDs.isEmpty else { return }
    let keepsAges = ages.areKept
    var dropped: [ObjectID] = []
    changing { state in
      for objectID in identities.canonical(objectIDs) where state.release(objectID) {
        if keepsAges { dropped.append(objectID) }
      }
    }
    ages.forget(dropped)
  }

  /// Hands the registrations of temporary IDs on to the permanent ones, and remembers those that stay in use. O(n).
  func adopt(
    _ permanentIDs: [(temporary: ObjectID, permanent: ObjectID)],
    remembering shared: [(temporary: ObjectID, permanent: ObjectID)]
  ) {
    changing { state in
      // Both at once: whoever unregisters a temporary ID finds its count under the one or the other.
      identities.record(shared)
      for (temporary, permanent) in permanentIDs { state.move(temporary, to: permanent) }
    }
  }

  /// The same with the rows of the new objects, in step with their IDs; those that were permanent before stay. O(n).
  ///
  /// One search for each ID where handing on and entering apart would take two: 3 % of an insert.
  func adopt(
    _ permanentIDs: [(temporary: ObjectID, permanent: ObjectID)],
    remembering shared: [(temporary: ObjectID, permanent: ObjectID)], with insertions: [StoreChanges.Insertion]
  ) {
    changing { state in
      identities.record(shared)
      insertions.withUnsafeBufferPointer { insertions in
        for (position, (temporary, permanent)) in permanentIDs.enumerated() {
          if temporary.isTemporaryID {
            state.move(temporary, to: permanent, with: insertions[position].row)
          } else {
            state.enter(insertions[position].row, of: permanent)
          }
        }
      }
    }
  }

  // MARK: Rows

  /// Enters rows that were fetched, and counts one more context for those that had their IDs not registered. O(n).
  ///
  /// One search for both, and one lock.
  ///
  /// - Parameter isKnown: in step with the rows, whether the ID was registered before; empty = none was.
  func enter(_ rows: [StoreRow], isKnown: [Bool]) {
    guard !rows.isEmpty else { return }
    ages.note(rows.lazy.map(\.objectID))
    changing { state in
      rows.forEachRun { rows, range in state.enter(rows, range, isKnown: isKnown) }
    }
  }

  /// Enters rows that were read, where their IDs are registered; an older row never replaces a newer one. O(n).
  func enter(_ rows: some Collection<(ObjectID, Row)>) {
    guard !rows.isEmpty else { return }
    ages.note(rows.lazy.map(\.0))
    changing { state in
      for (objectID, row) in rows { state.enter(row, of: objectID) }
    }
  }

  /// The same for rows that were just updated. O(n).
  func enter(_ updates: [SaveRequest.Update]) {
    guard !updates.isEmpty else { return }
    ages.note(updates.lazy.map(\.objectID))
    changing { state in
      updates.withUnsafeBufferPointer { updates in
        for index in updates.indices { state.enter(updates[index].row, of: updates[index].objectID) }
      }
    }
  }

  /// Takes out the rows of objects that were deleted; their registrations stay. O(n).
  func remove(_ objectIDs: [ObjectID]) {
    guard !objectIDs.isEmpty else { return }
    changing { state in
      for objectID in objectIDs { state.removeRow(of: objectID) }
    }
  }

  /// Every row that there is. O(entries).
  var rows: [Row] {
    state.withLock { state in state.tables.flatMap { $0.elements.compactMap(\.row) } }
  }

  /// How many rows there are. O(entries).
  var rowCount: Int {
    state.withLock { $0.tables.reduce(0) { $0 + $1.elements.reduce(0) { $0 + ($1.held == nil ? 0 : 1) } } }
  }

  /// How many IDs are registered. O(entities).
  var entryCount: Int {
    state.withLock { $0.tables.reduce(0) { $0 + $1.count } }
  }

  /// How many contexts have an ID registered.
  func registrations(of objectID: ObjectID) -> Int {
    state.withLock { $0[objectID]?.registrations ?? 0 }
  }

  /// Runs `body` under the lock and reports to the footprint what it changed.
  @inline(__always)
  private func changing(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      footprint.take(&state.tally)
    }
  }
}

extension [StoreRow] {
  /// Calls `body` with all rows and the range of each run of rows of one entity.
  @inline(__always)
  fileprivate func forEachRun(_ body: (UnsafeBufferPointer<StoreRow>, Range<Int>) -> Void) {
    withUnsafeBufferPointer { rows in
      var start = 0
      while start < rows.count {
        var end = start + 1
        while end < rows.count, rows[end].objectID.entity == rows[start].objectID.entity { end += 1 }
        body(rows, start..<end)
        start = end
      }
    }
  }
}

// MARK: - Changing entries

extension RowCache.State {
  /// Enters rows of one entity, as `enter(_:isKnown:)`.
  mutating func enter(_ rows: UnsafeBufferPointer<StoreRow>, _ range: Range<Int>, isKnown: [Bool]) {
    var tally = tally
    tables[rows[range.lowerBound].objectID.entityIndex].withElements(
      of: range, key: { rows[$0].objectID.key }
    ) { index, entry in
      let registrations = entry?.registrations ?? 0
      let isNew = isKnown.isEmpty || !isKnown[index]
      if registrations == 0 {
        // Registered in this block, which has not told the row cache yet.
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
      tally.hold(held)
      entry = RowCacheEntry(held: held, registrations: registrations + (isNew ? 1 : 0))
      guard let old else { return }
      tally.letGo(old)
      old.release()
    }
    self.tally = tally
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

  /// - Returns: whether the entry left, with its row.
  mutating func release(_ objectID: ObjectID) -> Bool {
    let dropped = tables[objectID.entityIndex].withElement(of: objectID.key) { entry -> RowCacheEntry? in
      guard var released = entry else { return nil }
      released.registrations -= 1
      guard released.registrations == 0 else {
        entry = released
        return nil
      }
      entry = nil
      return released
    }
    guard let dropped else { return false }
    drop(dropped)
    return true
  }

  /// Hands the registrations of one ID on to another, which nobody had registered as a rule.
  mutating func move(_ objectID: ObjectID, to other: ObjectID) {
    guard let registrations = takeOut(objectID) else { return }
    let isNew = tables[other.entityIndex].withElement(of: other.key) { known in
      let isNew = known == nil
      known = RowCacheEntry(held: known?.held, registrations: (known?.registrations ?? 0) + registrations)
      return isNew
    }
    if isNew { tally.add(ModelledSize.cacheEntry) }
  }

  /// The same, and enters a row under the other ID.
  mutating func move(_ objectID: ObjectID, to other: ObjectID, with row: borrowing Row) {
    guard let registrations = takeOut(objectID) else { return enter(row, of: other) }
    let new = HeldRow(copy row)
    let known = tables[other.entityIndex].withElement(of: other.key) { entry in
      let known = entry
      entry = RowCacheEntry(held: new, registrations: (known?.registrations ?? 0) + registrations)
      return known
    }
    if known == nil { tally.add(ModelledSize.cacheEntry) }
    tally.hold(new)
    if let old = known?.held { letGo(old) }
  }

  mutating func enter(_ row: borrowing Row, of objectID: ObjectID) {
    let new = HeldRow(copy row)
    let replaced = tables[objectID.entityIndex].withElement(of: objectID.key) { entry -> RowCacheEntry? in
      guard let known = entry, known.held.map({ $0.version <= new.version }) ?? true else { return nil }
      entry?.held = new
      return known
    }
    guard let replaced else { return new.release() }
    tally.hold(new)
    if let old = replaced.held { letGo(old) }
  }

  mutating func removeRow(of objectID: ObjectID) {
    let removed = tables[objectID.entityIndex].withElement(of: objectID.key) { entry in
      let held = entry?.held
      entry?.held = nil
      return held
    }
    if let removed { letGo(removed) }
  }

  /// Takes an entry out with its row.
  ///
  /// - Returns: how many registrations it had; nil if there was no entry.
  private mutating func takeOut(_ objectID: ObjectID) -> Int? {
    let entry = tables[objectID.entityIndex].withElement(of: objectID.key) { entry in
      let known = entry
      entry = nil
      return known
    }
    if let entry { drop(entry) }
    return entry?.registrations
  }

  /// Ends what an entry held that was taken out.
  private mutating func drop(_ entry: RowCacheEntry) {
    if let held = entry.held { letGo(held) }
    tally.remove(ModelledSize.cacheEntry)
  }

  private mutating func letGo(_ row: HeldRow) {
    tally.letGo(row)
    row.release()
  }
}
