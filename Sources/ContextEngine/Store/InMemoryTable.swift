/// The rows of one entity in a store in memory, in the order of their keys.
///
/// A value: whoever reads takes a copy, which shares the storage until the next save, and sees one state of the table
/// throughout. To-one relationships are indexed, as an SQLite store indexes them.
struct InMemoryTable: Sendable {
  /// Ascending.
  private(set) var keys: [Int64] = []
  /// In step with the keys.
  private(set) var rows: [Row] = []
  /// The last key that was given out.
  private(set) var lastKey: Int64 = 0
  /// For each to-one slot, who refers to an object, by that object's key; ascending.
  private var referrers: [(slot: Int, keys: KeyTable<[Int64]>)]

  init(_ entity: EntityDescription) {
    referrers = entity.slots.indices.compactMap { slot in
      if case .toOne = entity.slots[slot] { (slot, KeyTable()) } else { nil }
    }
  }

  // MARK: Reading

  /// The row with this key; nil = there is none. O(log rows).
  func row(_ key: Int64) -> Row? {
    let position = position(of: key)
    return position < keys.count && keys[position] == key ? rows[position] : nil
  }

  /// The keys of the rows whose to-one relationship at `slot` leads to the object with the given key, ascending.
  func keys(referringTo key: Int64, at slot: Int) -> [Int64] {
    referrers.first { $0.slot == slot }?.keys[key] ?? []
  }

  /// How many keys are below this one. O(log rows).
  private func position(of key: Int64) -> Int {
    Self.position(of: key, in: keys)
  }

  // MARK: Writing

  /// Gives out `count` keys in a row.
  ///
  /// - Returns: the first.
  mutating func reserveKeys(_ count: Int) -> Int64 {
    let first = lastKey + 1
    lastKey += Int64(count)
    return first
  }

  /// Enters a row whose key the table does not have. O(1) behind all others, else O(rows).
  mutating func insert(_ row: Row, at key: Int64) {
    let position = position(of: key)
    keys.insert(key, at: position)
    rows.insert(row, at: position)
    lastKey = max(lastKey, key)
    refer(from: key, by: row)
  }

  /// Replaces the row of a key that the table has. O(log rows).
  mutating func update(_ row: Row, at key: Int64) {
    let position = position(of: key)
    let old = rows[position]
    rows[position] = row
    for index in referrers.indices where old.values[referrers[index].slot] != row.values[referrers[index].slot] {
      forget(key, in: index, by: old)
      note(key, in: index, by: row)
    }
  }

  /// Takes out the rows of ascending keys that the table has. O(rows).
  mutating func delete(_ deleted: [Int64]) {
    guard !deleted.isEmpty else { return }
    for key in deleted {
      let row = rows[position(of: key)]
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
      rows[kept] = rows[position]
      kept += 1
    }
    keys.removeLast(keys.count - kept)
    rows.removeLast(rows.count - kept)
  }

  // MARK: Relationships

  private mutating func refer(from key: Int64, by row: Row) {
    for index in referrers.indices { note(key, in: index, by: row) }
  }

  private mutating func note(_ key: Int64, in index: Int, by row: Row) {
    guard case .object(let target) = row.values[referrers[index].slot] else { return }
    referrers[index].keys.withElement(of: target.key) { keys in
      guard var known = keys else {
        keys = [key]
        return
      }
      // Out of the table while it changes, so that its storage is not shared.
      keys = []
      known.insert(key, at: Self.position(of: key, in: known))
      keys = known
    }
  }

  private mutating func forget(_ key: Int64, in index: Int, by row: Row) {
    guard case .object(let target) = row.values[referrers[index].slot] else { return }
    referrers[index].keys.withElement(of: target.key) { keys in
      guard var known = keys else { return }
      keys = []
      known.remove(at: Self.position(of: key, in: known))
      keys = known.isEmpty ? nil : known
    }
  }

  /// How many of the ascending keys are below this one. O(log n), O(1) behind all others, where new keys go.
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
