/// One row of the comparison: five attributes, two of them strings of 15 to 25 characters.
package struct Item: Hashable, Sendable {
  /// Unique, and rising from item to item as the identifiers of an export do: an index over it grows at its end, so
  /// that finding and adding rows costs more than moving pages.
  package var code: String
  package var name: String
  package var rating: Int64
  package var price: Double
  /// Seconds since 2001, whole ones.
  package var updatedAt: Double

  package init(code: String, name: String, rating: Int64, price: Double, updatedAt: Double) {
    self.code = code
    self.name = name
    self.rating = rating
    self.price = price
    self.updatedAt = updatedAt
  }

  /// Creates the item of an index, which is the same in every run and on every computer.
  package init(index: Int) {
    var bits = ItemBits(seed: UInt64(index))
    let digits = String(index)
    code = String(repeating: "0", count: max(0, 8 - digits.count)) + digits + "-" + bits.letters(6...16)
    name = Self.name(of: index, generation: 0)
    rating = Int64(bits.next() % 100_000)
    price = Double(bits.next() % 1_000_000) / 128
    updatedAt = Double(600_000_000 + bits.next() % 100_000_000)
  }

  /// Returns the name of an item after it was renamed `generation` times. Each name has another place in a sorted list.
  package static func name(of index: Int, generation: Int) -> String {
    var bits = ItemBits(seed: UInt64(index) &+ 0x9E37_79B9 &* UInt64(generation + 1) << 20)
    return bits.letters(7...12) + " " + bits.letters(7...12)
  }

  package static func list(_ count: Int) -> [Item] {
    (0..<count).map(Item.init(index:))
  }

  /// The sum over all attributes. It is equal for all subjects that have read the same rows, in any order.
  package var checksum: Int {
    code.utf8.count + name.utf8.count + Int(rating) + Int(price) + Int(updatedAt)
  }

  /// The item's name backwards, which has another place in a sorted list.
  package var otherName: String { String(name.reversed()) }

  /// The item with another name, code and rating.
  package var other: Item {
    Item(
      code: "other-" + code, name: otherName, rating: 99_999 - rating, price: price, updatedAt: updatedAt)
  }

  /// Returns the checksum of a list to which a row is appended. It differs if the order of rows differs.
  @inline(__always)
  package static func checksum(_ checksum: Int, name: String, rating: Int64) -> Int {
    checksum &* 31 &+ name.utf8.count &+ Int(rating)
  }

  /// Returns a number that differs if the names of two lists, or their orders, differ.
  package static func checksum(ofNames names: [String]) -> Int {
    names.reduce(0) { sum, name in name.utf8.reduce(sum &* 31) { $0 &* 31 &+ Int($1) } }
  }
}

/// Bits that follow from a seed (SplitMix64).
private struct ItemBits {
  private var state: UInt64

  init(seed: UInt64) {
    state = seed
  }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var bits = state
    bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
    bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
    return bits ^ (bits >> 31)
  }

  mutating func letters(_ lengths: ClosedRange<Int>) -> String {
    let count = lengths.lowerBound + Int(next() % UInt64(lengths.count))
    return String(decoding: (0..<count).map { _ in UInt8(ascii: "a") + UInt8(next() % 26) }, as: UTF8.self)
  }
}
