/// The rows of one root entity and of the entities that inherit from it in an in-memory store, in the order of their
/// keys.
///
/// A table is a value: a reader takes a copy, which shares the storage until the next save and does not change while
/// the reader uses it. To-one relationships are indexed, as in an SQLite store.
struct InMemoryTable: Sendable {
  /// The keys in ascending order.
  private var keys: [Int64] = []
  /// The entries in the order of the keys.
  private var entries: [Entry] = []
  /// The last key that was reserved or inserted.
  private var lastKey: Int64 = 0
  /// One index for each slot that is a to-one relationship in some entity, in the order of the slots: the keys of the
  /// referring rows, ascending, by the key of the object that they refer to.
  private var referrers: [(slot: Int, keys: KeyTable<[Int64]>)]

  private struct Entry: Sendable {
    /// The index of the row's actual entity.
    var entity: Int
    var row: Row
  }

  /// Creates an empty table.
  ///
  /// - Parameter family: The entities whose rows the table has.
  init(of family: [EntityDescription]) {
    let slots = Set(
      family.flatMap { entity in
        entity.slots.indices.filter { if case .toOne = entity.slots[$0] { true } else { false } }
      })
    referrers = slots.sorted().map { ($0, KeyTable()) }
  }

  // MARK: Reading

  var count: Int { keys.count }

  func objectID(at position: Int) -> ObjectID {
    ObjectID(entity: entries[position].entity, key: keys[position])
  }

  func row(at position: Int) -> Row { entries[position].row }

  /// Returns the position of the row with this key, or nil if there is no such row. O(log rows).
  func position(of key: Int64) -> Int? {
    let position = Self.position(of: key, in: keys)
    return position < keys.count && keys[position] == key ? position : nil
  }

  /// Returns the row of this object, or nil if there is no such row. O(log rows).
  func row(of objectID: ObjectID) -> Row? {
    guard let position = position(of: objectID.key), entries[position].entity == objectID.entityIndex else {
      return nil
    }
    return entries[position].row
  }

  /// Returns the objects whose to-one relationship at `path` refers to the object with the given key, ascending. Takes
  /// O(k log rows) for k objects.
  func objectIDs(referringTo key: Int64, by path: PropertyPath, _ model: ManagedObjectModel) -> [ObjectID] {
    let keys = referrers.first { $0.slot == path.slot }?.keys[key] ?? []
    return keys.compactMap { position(of: $0).map(objectID) }
      // The slot can be a different relationship in another branch of the family.
      .filter { model.entities[$0.entityIndex].isKind(ofIndex: Int(path.entity)) }
  }

  // MARK: Writing

  /// Reserves `count` consecutive keys.
  ///
  /// - Returns: The first of the keys.
  mutating func reserveKeys(_ count: Int) -> Int64 {
    let first = lastKey + 1
    lastKey += Int64(count)
    return first
  }

  /// Inserts a row whose key the table does not contain. O(1) if the key is the highest, otherwise O(rows).
  mutating func insert(_ row: Row, of objectID: ObjectID) {
    let key = objectID.key
    let position = Self.position(of: key, in: keys)
    keys.insert(key, at: position)
    entries.insert(Entry(entity: objectID.entityIndex, row: row), at: position)
    lastKey = max(lastKey, key)
    for index in referrers.indices { note(key, in: index, by: row) }
  }

  /// Replaces the row of an object that is in the table. O(log rows).
  mutating func update(_ row: Row, of objectID: ObjectID) {
    let key = objectID.key
    let position = Self.position(of: key, in: keys)
    let old = entries[position].row
    entries[position].row = row
    for index in referrers.indices {
      let slot = referrers[index].slot
      guard slot < row.slotCount, !old.isEqual(to: row, at: slot) else { continue }
      forget(key, in: index, by: old)
      note(key, in: index, by: row)
    }
  }

  /// Removes the rows of keys that are in the table and in ascending order. O(rows).
  mutating func delete(_ deleted: [Int64]) {
    guard !deleted.isEmpty else { return }
    for key in deleted {
      let row = entries[Self.position(of: key, in: keys)].row
      for index in referrers.indices { forget(key, in: index, by: row) }
    }
    var next = 0
    var kept = 0
    for position in keys.indices {
      if next < deleted.count, keys[position] == deleted[next] {
        next += 1
        continue
      }
      keys[kept] = keys[position]
      entries[kept] = entries[position]
      kept += 1
    }
    keys.removeLast(keys.count - kept)
    entries.removeLast(entries.count - kept)
  }

  // MARK: Relationships

  private mutating func note(_ key: Int64, in index: Int, by row: Row) {
    guard let target = target(of: row, in: index) else { return }
    referrers[index].keys.withElement(of: target) { keys in
      // The keys are removed from the table while they change, so that their storage is not shared.
      var known = keys ?? []
      keys = []
      known.insert(key, at: Self.position(of: key, in: known))
      keys = known
    }
  }

  private mutating func forget(_ key: Int64, in index: Int, by row: Row) {
    guard let target = target(of: row, in: index) else { return }
    referrers[index].keys.withElement(of: target) { keys in
      guard var known = keys else { return }
      keys = []
      known.remove(at: Self.position(of: key, in: known))
      keys = known.isEmpty ? nil : known
    }
  }

  private func target(of row: Row, in index: Int) -> Int64? {
    let slot = referrers[index].slot
    guard slot < row.slotCount else { return nil }
    return row.objectID(at: slot)?.key
  }

  /// Returns the number of the ascending keys that are lower than `key`. O(log n), or O(1) if all are lower, as for
  /// new keys.
  private static func position(of key: Int64, in keys: [Int64]) -> Int {
    guard let last = keys.last, last >= key else { return keys.count }
    var low = 0
    var high = keys.count
    while low < high {
      let middle = (low + high) / 2
      if keys[middle] < key { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
