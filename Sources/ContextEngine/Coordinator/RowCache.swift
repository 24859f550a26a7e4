import MachineCore

/// The rows that a coordinator's contexts use, shared by all of them.
///
/// A row stays while any context of the coordinator, at any depth, has its ID registered, and is removed when the last
/// one unregisters it. Thread-safe; blocks only on its lock. Temporary IDs are counted too, and their registrations
/// are moved to the permanent ID when it is assigned.
package final class RowCache: Sendable {
  // This is not a lock of the machine, because no code under it waits or reports, and a thread that finds a machine
  // lock taken would be parked and woken for a mere look-up.
  private let state: Guarded<State>
  private let identities: IdentityMap
  private let footprint: MemoryFootprint
  private let ages: RowAges

  /// The state that the lock protects.
  struct State: Sendable {
    /// One table for each entity.
    var tables: [KeyTable<RowCacheEntry>]
    /// The footprint changes of the running call.
    var tally = FootprintTally()
    /// Indicates whether the rows count for the footprint. It is false in a query generation, whose rows are shared
    /// with contexts that count them.
    var isCounted = true

    subscript(objectID: ObjectID) -> RowCacheEntry? { tables[objectID.entityIndex][objectID.key] }
  }

  deinit {
    state.withLock { state in
      for table in state.tables {
        for entry in table.elements { entry.held?.release() }
      }
    }
  }

  /// Creates an empty cache. The cached rows are part of the footprint if `isCounted` is true.
  init(
    entityCount: Int, identities: IdentityMap, footprint: MemoryFootprint, ages: RowAges, isCounted: Bool = true
  ) {
    self.ages = ages
    self.identities = identities
    self.footprint = footprint
    state = Guarded(State(tables: Array(repeating: KeyTable(), count: entityCount), isCounted: isCounted))
  }

  package func row(for objectID: ObjectID) -> Row? {
    state.withLock { $0[objectID]?.row }
  }

  /// Returns the cached rows of many objects, with nil for objects without a cached row. O(n).
  package func rows(for objectIDs: [ObjectID]) -> [Row?] {
    state.withLock { state in objectIDs.map { state[$0]?.row } }
  }

  /// Returns the objects whose cached rows have another version than the given one, with these rows. O(n).
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

  package func register(_ objectID: ObjectID) {
    changing { $0.retain(identities.canonical(objectID)) }
  }

  /// Adds one registration for each ID. O(n).
  func register(_ objectIDs: [ObjectID]) {
    if objectIDs.isEmpty { return }
    changing { state in
      identities.canonical(objectIDs).forEachRun(by: \.entity) { objectIDs, range in state.retain(objectIDs, in: range)
      }
    }
  }

  /// Removes one registration for each ID, in the given order, and removes the rows without registrations. The pairs of
  /// IDs of deleted rows are forgotten with the last registration. O(n).
  package func unregister(_ objectIDs: [ObjectID]) {
    guard !objectIDs.isEmpty else { return }
    let keepsAges = ages.areKept
    var dropped: [ObjectID] = []
    changing { state in
      let notesDropped = keepsAges || identities.isWaiting
      identities.canonical(objectIDs).forEachRun(by: \.entity) { objectIDs, range in
        state.release(objectIDs, in: range) { index in
          if notesDropped { dropped.append(objectIDs[index]) }
        }
      }
      if identities.isWaiting { identities.wereUnregistered(dropped) }
    }
    ages.forget(dropped)
  }

  /// Moves the registrations of temporary IDs to the permanent ones, and records the `shared` pairs, which stay in
  /// use. O(n).
  func adopt(
    _ permanentIDs: [(temporary: ObjectID, permanent: ObjectID)],
    remembering shared: [(temporary: ObjectID, permanent: ObjectID)],
    absorbed: [(temporary: ObjectID, permanent: ObjectID)] = []
  ) {
    changing { state in
      // Both happen under one lock, so that a caller that unregisters a temporary ID finds its count under one of the
      // two IDs.
      identities.record(shared)
      identities.recordAbsorbed(absorbed)
      for (temporary, permanent) in permanentIDs { state.move(temporary, to: permanent) }
    }
  }

  /// Moves the registrations of temporary IDs to the permanent ones and enters the rows of the new objects, which are
  /// in the order of the IDs. For IDs that were permanent before, only the row is entered. O(n).
  ///
  /// Doing both at once takes one search for each ID instead of two, which saves 3 % of an insert.
  func adopt(
    _ permanentIDs: [(temporary: ObjectID, permanent: ObjectID)],
    remembering shared: [(temporary: ObjectID, permanent: ObjectID)], with insertions: [StoreChanges.Insertion]
  ) {
    changing { state in
      identities.record(shared)
      insertions.withUnsafeBufferPointer { insertions in
        permanentIDs.forEachRun(by: { MovedGroup(entity: $0.permanent.entity, isNew: $0.temporary.isTemporaryID) }) {
          pairs, range in
          guard pairs[range.lowerBound].temporary.isTemporaryID else {
            for index in range { state.enter(HeldRow(unretained: insertions[index].row), of: pairs[index].permanent) }
            return
          }
          state.move(pairs, in: range, with: insertions)
        }
      }
    }
  }

  /// The neighbouring pairs of IDs that are moved together.
  private struct MovedGroup: Equatable {
    let entity: Int32
    let isNew: Bool
  }

  // MARK: Rows

  /// Enters rows that were fetched, and adds one registration for each row whose ID was not registered yet. O(n).
  ///
  /// Both are done with one search for each row, under one lock.
  ///
  /// - Parameters:
  ///   - rows: The fetched rows.
  ///   - isKnown: Flags in the order of the rows that indicate whether the ID was registered before; empty if no ID
  ///     was.
  ///   - body: A closure that is called with the position of each row and the row, under the lock.
  @inline(__always)
  func enter(_ rows: [StoreRow], isKnown: [Bool], body: (Int, HeldRow) -> Void) {
    guard !rows.isEmpty else { return }
    ages.note(rows.lazy.map(\.objectID))
    changing { state in
      rows.forEachRun(by: \.objectID.entity) { rows, range in state.enter(rows, in: range, isKnown: isKnown, body: body)
      }
    }
  }

  /// Enters a row that was read if its ID is registered. An older row never replaces a newer one. O(1).
  func enter(_ row: Row, of objectID: ObjectID) {
    if ages.areKept { ages.note(CollectionOfOne(objectID)) }
    changing { $0.enter(HeldRow(unretained: row), of: objectID) }
  }

  /// Enters rows that were read if their IDs are registered. An older row never replaces a newer one. O(n).
  package func enter(_ rows: some Collection<(ObjectID, Row)>) {
    guard !rows.isEmpty else { return }
    ages.note(rows.lazy.map(\.0))
    changing { state in
      for (objectID, row) in rows { state.enter(HeldRow(unretained: row), of: objectID) }
    }
  }

  /// Enters updated rows if their IDs are registered, and makes the rows shared. An older row never replaces a newer
  /// one. O(n).
  func enterWritten(_ updates: [StoreChanges.Update]) {
    guard !updates.isEmpty else { return }
    ages.note(updates.lazy.map(\.objectID))
    changing { state in
      updates.forEachRun(by: \.objectID.entity) { updates, range in state.enterWritten(updates, in: range) }
    }
  }

  /// Removes rows that were deleted from the store. Their registrations stay, as do the pairs of registered IDs. O(n).
  func removeDeleted(_ objectIDs: [ObjectID]) {
    guard !objectIDs.isEmpty else { return }
    changing { state in
      objectIDs.forEachRun(by: \.entity) { objectIDs, range in state.removeRows(of: objectIDs, in: range) }
      identities.rowsWereDeleted(objectIDs) { state[$0] != nil }
    }
  }

  /// Removes the rows of objects that the store does not have. Their registrations stay. O(n).
  package func remove(_ objectIDs: [ObjectID]) {
    guard !objectIDs.isEmpty else { return }
    changing { state in
      objectIDs.forEachRun(by: \.entity) { objectIDs, range in state.removeRows(of: objectIDs, in: range) }
    }
  }

  /// All cached rows. O(entries).
  package var rows: [Row] {
    state.withLock { state in state.tables.flatMap { $0.elements.compactMap(\.row) } }
  }

  /// The number of cached rows. O(entries).
  package var rowCount: Int {
    state.withLock { $0.tables.reduce(0) { $0 + $1.elements.reduce(0) { $0 + ($1.held == nil ? 0 : 1) } } }
  }

  /// The number of registered IDs. O(entities).
  package var entryCount: Int {
    state.withLock { $0.tables.reduce(0) { $0 + $1.count } }
  }

  /// Returns the number of registrations of an ID.
  func registrations(of objectID: ObjectID) -> Int {
    state.withLock { $0[objectID]?.registrations ?? 0 }
  }

  /// Runs `body` under the lock and adds its changes to the footprint.
  @inline(__always)
  private func changing(_ body: (inout State) -> Void) {
    state.withLock { state in
      body(&state)
      footprint.take(&state.tally)
    }
  }
}
