/// A hash table of rows by key, with open addressing.
///
/// A `Dictionary` would do a different amount of work in each process, because Swift seeds its hashes at random.
final class RowTable {
  private var slots: [YardstickRow?]
  private let mask: Int

  /// Makes an empty table that is at most half full once it holds `capacity` rows.
  init(capacity: Int) {
    var size = 1
    while size < capacity * 2 { size *= 2 }
    slots = Array(repeating: nil, count: size)
    mask = size - 1
  }

  /// Adds a row whose key is not in the table yet; a second row with the same key would not be found. A full table has
  /// room for no row, and a search in it does not end.
  func insert(_ row: YardstickRow) {
    var slot = firstSlot(of: row.key)
    while slots[slot] != nil { slot = (slot + 1) & mask }
    slots[slot] = row
  }

  /// Returns the row with a key, or nil if the table contains no such row.
  func row(forKey key: Int64) -> YardstickRow? {
    var slot = firstSlot(of: key)
    while let row = slots[slot] {
      if row.key == key { return row }
      slot = (slot + 1) & mask
    }
    return nil
  }

  /// All rows, in the order of their slots.
  var all: [YardstickRow] { slots.compactMap(\.self) }

  private func firstSlot(of key: Int64) -> Int {
    Int(truncatingIfNeeded: (UInt64(bitPattern: key) &* 0x9E37_79B9_7F4A_7C15) >> 32) & mask
  }
}
