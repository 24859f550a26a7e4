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

  /// What the lock guards.
  struct State: Sendable {
    /// One table per entity.
    var tables: [KeyTable<RowCacheEntry>]
    /// What of the footprint the running call changes.
    var tally = FootprintTally()
    /// Whether what is held here counts as held: not in a query generation, whose rows are shared with contexts that do.
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

  /// - Parameter isCounted: whether the rows here are part of the footprint.
  init(
    entityCount: Int, identities: IdentityMap, footprint: MemoryFootprint, ages: RowAges, isCounted: Bool = true
  ) {
    self.ages = ages
    self.identities = identities
    self.footprint = footprint
    state = Guarded(State(tables: Array(repeating: KeyTable(), count: entityCount), isCounted: isCounted))
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
    if objectIDs.isEmpty { return }
    changing { state in
      identities.canonical(objectIDs).forEachRun(by: \.entity) { objectIDs, range in state.retain(objectIDs, range) }
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
    remembering shared: [(temporary: ObjectID, permanent: ObjectID)],
    absorbed: [(temporary: ObjectID, permanent: ObjectID)] = []
  ) {
    changing { state in
      // Both at once: whoever unregisters a temporary ID finds its count under the one or the other.
      identities.record(shared)
      identities.recordAbsorbed(absorbed)
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
            state.move(temporary, to: permanent, with: HeldRow(unretained: insertions[position].row))
          } else {
            state.enter(HeldRow(unretained: insertions[position].row), of: permanent)
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
  /// - Parameters:
  ///   - isKnown: in step with the rows, whether the ID was registered before; empty = none was.
  ///   - body: called with the place of each row and with the row, which is at hand then. Runs under the lock.
  @inline(__always)
  func enter(_ rows: [StoreRow], isKnown: [Bool], _ body: (Int, HeldRow) -> Void) {
    guard !rows.isEmpty else { return }
    ages.note(rows.lazy.map(\.objectID))
    changing { state in
      rows.forEachRun(by: \.objectID.entity) { rows, range in state.enter(rows, range, isKnown: isKnown, body) }
    }
  }

  /// Enters a row that was read, where its ID is registered; an older row never replaces a newer one. O(1).
  func enter(_ row: Row, of objectID: ObjectID) {
    if ages.areKept { ages.note(CollectionOfOne(objectID)) }
    changing { $0.enter(HeldRow(unretained: row), of: objectID) }
  }

  /// Enters rows that were read, where their IDs are registered; an older row never replaces a newer one. O(n).
  func enter(_ rows: some Collection<(ObjectID, Row)>) {
    guard !rows.isEmpty else { return }
    ages.note(rows.lazy.map(\.0))
    changing { state in
      for (objectID, row) in rows { state.enter(HeldRow(unretained: row), of: objectID) }
    }
  }

  /// The same for updated rows, which others have from now on. O(n).
  func enterWritten(_ updates: [StoreChanges.Update]) {
    guard !updates.isEmpty else { return }
    ages.note(updates.lazy.map(\.objectID))
    changing { state in
      updates.forEachRun(by: \.objectID.entity) { updates, range in state.enterWritten(updates, range) }
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
