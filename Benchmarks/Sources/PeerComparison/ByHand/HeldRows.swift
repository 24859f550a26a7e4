/// The rows that an app without an engine holds: structs in a dictionary by key.
struct HeldRows: Sendable {
  private var items: [Int64: Item] = [:]

  init() {}

  init(_ rows: [RawRow]) {
    items = Dictionary(uniqueKeysWithValues: rows.map { ($0.key, $0.item) })
  }

  var isEmpty: Bool { items.isEmpty }

  /// Returns the values of a row, or nil if the row is not held. O(1).
  @inline(__always)
  subscript(key: Int64) -> Item? { items[key] }

  /// Replaces the values of rows that are held, in place, and ignores the other rows. O(rows).
  ///
  /// - Returns: The number of rows that were replaced.
  mutating func refresh(from saved: SavedRows) -> Int {
    var count = 0
    for offset in saved.keys.indices {
      guard let place = items.index(forKey: saved.keys[offset]) else { continue }
      items.values[place] = saved.items[offset]
      count += 1
    }
    return count
  }

  /// Adds rows. O(rows).
  mutating func add(_ saved: SavedRows) {
    items.reserveCapacity(items.count + saved.keys.count)
    for offset in saved.keys.indices { items[saved.keys[offset]] = saved.items[offset] }
  }

  /// Removes the rows that are held under one of the keys. O(keys).
  mutating func remove(_ keys: [Int64]) {
    for key in keys { items.removeValue(forKey: key) }
  }
}
