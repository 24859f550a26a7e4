/// A hash table from the keys of one entity's rows to something small.
///
/// Open addressing, with sixteen neighbouring keys side by side: keys come in runs, as rows are fetched and made, and then
/// one cache miss serves many of them, where `Dictionary` takes one for each and hashes with care that a key does not
/// need. The order of its elements depends on keys and history only, not on the process. No object has the key 0.
struct KeyTable<Element: Sendable>: Sendable {
  private var slots: [Slot] = Array(repeating: Slot(), count: Self.smallestCapacity)
  private(set) var count = 0

  private struct Slot: Sendable {
    /// 0 = free.
    var key: Int64 = 0
    var element: Element?
  }

  // A power of two, and at least a few runs of neighbours.
  private static var smallestCapacity: Int { 64 }

  /// O(1).
  subscript(key: Int64) -> Element? {
    slots[index(of: key)].element
  }

  /// Lets `body` read, change, enter (from nil) or take out (to nil) the element of a key, with one search. O(1) amortised.
  mutating func withElement<Result>(of key: Int64, _ body: (inout Element?) -> Result) -> Result {
    let index = index(of: key)
    let result = body(&slots[index].element)
    let isPresent = slots[index].element != nil
    if isPresent == (slots[index].key != 0) { return result }
    if isPresent {
      slots[index].key = key
      count += 1
      if count * 2 > slots.count { resize(to: slots.count * 2) }
    } else {
      free(index)
      count -= 1
      if slots.count > Self.smallestCapacity, count * 8 < slots.count { resize(to: slots.count / 4) }
    }
    return result
  }

  /// In an order that depends on keys and history only. O(capacity).
  var elements: some Sequence<Element> {
    slots.lazy.compactMap(\.element)
  }

  // MARK: Slots

  /// The slot of a key, or the free one where it would go.
  @inline(__always)
  private func index(of key: Int64) -> Int {
    let mask = slots.count - 1
    var index = home(of: key)
    while slots[index].key != key, slots[index].key != 0 { index = (index + 1) & mask }
    return index
  }

  /// Where a key goes if nothing is in its way: its run of sixteen is scattered, its place in the run kept.
  @inline(__always)
  private func home(of key: Int64) -> Int {
    let bits = UInt64(bitPattern: key)
    // The golden ratio in 64 bits; the high bits of the product are well mixed.
    let scattered = (bits >> 4) &* 0x9e37_79b9_7f4a_7c15 >> 32
    return Int(truncatingIfNeeded: scattered << 4 | bits & 15) & (slots.count - 1)
  }

  /// Empties a slot and moves up what had to go further because of it.
  private mutating func free(_ freed: Int) {
    let mask = slots.count - 1
    var hole = freed
    var index = hole
    while true {
      index = (index + 1) & mask
      let key = slots[index].key
      if key == 0 { break }
      // It may move to the hole unless its home lies behind that.
      let distance = (index - home(of: key)) & mask
      if distance >= (index - hole) & mask {
        slots.swapAt(hole, index)
        hole = index
      }
    }
    slots[hole] = Slot()
  }

  private mutating func resize(to capacity: Int) {
    let old = slots
    slots = Array(repeating: Slot(), count: capacity)
    for slot in old where slot.key != 0 { slots[index(of: slot.key)] = slot }
  }
}
