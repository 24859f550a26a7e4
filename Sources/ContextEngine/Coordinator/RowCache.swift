import MachineCore

/// The rows that a coordinator's contexts have in use, shared by all of them.
///
/// A row stays while any context of the coordinator, at any depth, has its ID registered, and leaves when the last
/// unregisters it. Thread-safe; blocks on its lock only. Temporary IDs are counted too, and handed on to the permanent ID
/// when there is one.
final class RowCache: @unchecked Sendable {
  // `@unchecked`: `tables` and `tally` are touched under `lock` only.
  // Not a lock of the machine: nothing under it waits or reports, and whoever finds it taken would be parked and woken for
  // the sake of a look-up.
  private let lock = Guarded(())
  private let identities: IdentityMap
  /// Nil = what is here does not count, as in a query generation.
  private let footprint: MemoryFootprint?
  private let ages: RowAges
  /// What of the footprint the running call changes.
  @exclusivity(unchecked) private var tally = FootprintTally()
  /// One table per entity.
  @exclusivity(unchecked) private var tables: [KeyTable<Entry>]

  /// Trivial, so that a table moves it about for nothing.
  private struct Entry: Sendable {
    var held: HeldRow?
    /// How many contexts have the ID registered.
    var registrations: Int32

    var row: Row? { held?.row }
  }

  deinit {
    for table in tables {
      for entry in table.elements { entry.held?.release() }
    }
  }

  init(entityCount: Int, identities: IdentityMap, footprint: MemoryFootprint?, ages: RowAges) {
    self.ages = ages
    self.identities = identities
    self.footprint = footprint
    tables = Array(repeating: KeyTable(), count: entityCount)
  }

  func row(for objectID: ObjectID) -> Row? {
    lock.withLock { _ in tables[objectID.entityIndex][objectID.key]?.row }
  }

  /// The cached rows of many objects, nil where there is none. O(n).
  func rows(for objectIDs: [ObjectID]) -> [Row?] {
    lock.withLock { _ in objectIDs.map { tables[$0.entityIndex][$0.key]?.row } }
  }

  /// Those of many objects whose rows are here in another version, with these rows. O(n).
  func rows(ofOtherVersionThan versions: some Collection<(ObjectID, Int64)>) -> [(ObjectID, Row?)] {
    guard !versions.isEmpty else { return [] }
    return lock.withLock { _ in
      versions.compactMap { objectID, version in
        guard let held = tables[objectID.entityIndex][objectID.key]?.held, held.withRow({ $0.version != version })
        else { return nil }
        return (objectID, held.row)
      }
    }
  }

  // MARK: Registering

  func register(_ objectID: ObjectID) {
    changing { retain(identities.canonical(objectID)) }
  }

  /// Counts one more context for each ID. O(n).
  func register(_ objectIDs: [ObjectID]) {
    guard !objectIDs.isEmpty else { return }
    changing {
      if let first = objectIDs.first { tables[first.entityIndex].reserve(objectIDs.count) }
      for objectID in identities.canonical(objectIDs) { retain(objectID) }
    }
  }

  /// Counts one context less for each ID, in the order given; rows that nobody has registered leave. O(n).
  func unregister(_ objectIDs: [ObjectID]) {
    guard !objectIDs.isEmpty else { return }
    var dropped: [ObjectID] = []
    changing {
      for canonical in identities.canonical(objectIDs) {
        tables[canonical.entityIndex].withElement(of: canonical.key) { entry in
          entry?.registrations -= 1
          guard entry?.registrations == 0 else { return }
          drop(&entry)
          if ages.areKept { dropped.append(canonical) }
        }
      }
    }
    ages.forget(dropped)
  }

  /// Hands the registrations of temporary IDs on to the permanent ones, and remembers those that stay in use. O(n).
  func adopt(
    _ permanentIDs: [(temporary: ObjectID, permanent: ObjectID)],
    remembering shared: [(temporary: ObjectID, permanent: ObjectID)]
  ) {
    changing {
      // Both at once: whoever unregisters a temporary ID finds its count under the one or the other.
      identities.record(shared)
      for (temporary, permanent) in permanentIDs {
        let registrations = tables[temporary.entityIndex].withElement(of: temporary.key) { drop(&$0) }
        if let registrations { retain(permanent, count: registrations) }
      }
    }
  }

  // MARK: Rows

  /// Enters rows that were read, where their IDs are registered; an older row never replaces a newer one. O(n).
  func enter(_ rows: some Collection<(ObjectID, Row)>) {
    guard !rows.isEmpty else { return }
    ages.note(rows.lazy.map(\.0))
    changing {
      for (objectID, row) in rows { enter(row, of: objectID) }
    }
  }

  /// The same for rows that were just inserted. O(n).
  func enter(_ insertions: [StoreChanges.Insertion]) {
    guard !insertions.isEmpty else { return }
    changing {
      for index in insertions.indices { enter(insertions[index].row, of: insertions[index].objectID) }
    }
  }

  @inline(__always)
  private func enter(_ row: Row, of objectID: ObjectID) {
    tables[objectID.entityIndex].withElement(of: objectID.key) { entry in
      if let known = entry?.held, known.withRow({ $0.version > row.version }) { return }
      replaceRow(of: &entry, by: row)
    }
  }

  /// Takes out the rows of objects that were deleted; their registrations stay. O(n).
  func remove(_ objectIDs: [ObjectID]) {
    guard !objectIDs.isEmpty else { return }
    changing {
      for objectID in objectIDs {
        tables[objectID.entityIndex].withElement(of: objectID.key) { replaceRow(of: &$0, by: nil) }
      }
    }
  }

  /// Every row that there is. O(entries).
  var rows: [Row] {
    lock.withLock { _ in tables.flatMap { $0.elements.compactMap(\.row) } }
  }

  /// How many rows there are. O(entries).
  var rowCount: Int {
    lock.withLock { _ in tables.reduce(0) { $0 + $1.elements.reduce(0) { $0 + ($1.held == nil ? 0 : 1) } } }
  }

  /// How many IDs are registered. O(entities).
  var entryCount: Int {
    lock.withLock { _ in tables.reduce(0) { $0 + $1.count } }
  }

  /// How many contexts have an ID registered.
  func registrations(of objectID: ObjectID) -> Int {
    lock.withLock { _ in Int(tables[objectID.entityIndex][objectID.key]?.registrations ?? 0) }
  }

  /// Runs `body` under the lock and reports to the footprint what it changed.
  private func changing(_ body: () -> Void) {
    lock.withLock { _ in
      body()
      footprint?.take(&tally)
    }
  }

  /// Takes an entry out with its row.
  ///
  /// - Returns: how many registrations it had; nil if there was no entry.
  @discardableResult
  private func drop(_ entry: inout Entry?) -> Int32? {
    guard let registrations = entry?.registrations else { return nil }
    replaceRow(of: &entry, by: nil)
    tally.remove(ModelledSize.cacheEntry)
    entry = nil
    return registrations
  }

  private func replaceRow(of entry: inout Entry?, by row: Row?) {
    guard entry != nil else { return }
    let old = entry?.held
    if let row, footprint != nil { tally.hold(row) }
    entry?.held = row.map(HeldRow.init)
    if let old {
      if footprint != nil { old.withRow { tally.letGo($0) } }
      old.release()
    }
  }

  private func retain(_ objectID: ObjectID, count: Int32 = 1) {
    tables[objectID.entityIndex].withElement(of: objectID.key) { entry in
      if entry == nil {
        entry = Entry(held: nil, registrations: 0)
        tally.add(ModelledSize.cacheEntry)
      }
      entry?.registrations += count
    }
  }
}
