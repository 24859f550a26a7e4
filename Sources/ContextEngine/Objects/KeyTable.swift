/// A hash table from the keys of one entity's rows to something small.
///
/// Open addressing, with sixteen neighbouring keys side by side: keys come in runs, as rows are fetched and made, and then
/// one cache miss serves many of them, where `Dictionary` takes one for each and hashes with care that a key does not
/// need. The order of its elements depends on keys and history only, not on the process. No object has the key 0.
struct KeyTable<Element: Sendable>: Sendable {
  private var slots: [Slot] = Array(repeating: Slot(), count: Self.smallestCapacity)
  private(set) var count = 0
  /// How many slots are not free: those in use and the graves.
  private var usedCount = 0
  /// Leaves of 64 hashed bits as many as there are runs of sixteen slots.
  private var shift = UInt64(62)

  private struct Slot: Sendable {
    var key = KeyTable.free
    var element: Element?
  }

  /// Ends a search.
  private static var free: Int64 { 0 }
  /// The key of a slot whose element was taken out and that searches for others have to pass.
  private static var grave: Int64 { .min }
  // A power of two, and at least a few runs of neighbours.
  private static var smallestCapacity: Int { 64 }
  /// Up to here a table keeps its room: it would grow again with the next unit of an import.
  private static var keptCapacity: Int { 8_192 }

  /// O(1).
  subscript(key: Int64) -> Element? {
    slots.withUnsafeBufferPointer { $0[Self.index(of: key, in: $0, shift)].element }
  }

  /// Lets `body` read, change, enter (from nil) or take out (to nil) the element of a key, with one search. O(1) amortised.
  // Always inlined: what `body` makes of an element is then no call, in loops over thousands of keys.
  @inline(__always)
  mutating func withElement<Result>(of key: Int64, _ body: (inout Element?) -> Result) -> Result {
    let shift = shift
    var index = 0
    var turn = Turn.none
    let result = slots.withUnsafeMutableBufferPointer { slots in
      index = Self.index(of: key, in: UnsafeBufferPointer(slots), shift)
      let result = body(&slots[index].element)
      let isPresent = slots[index].element != nil
      if isPresent != (slots[index].key == key) { turn = isPresent ? .occupied : .vacated }
      return result
    }
    switch turn {
    case .none: break
    case .occupied: occupy(index, key)
    case .vacated: vacate(index)
    }
    return result
  }

  /// What became of a slot.
  private enum Turn {
    case none
    case occupied
    case vacated
  }

  /// In an order that depends on keys and history only. O(capacity).
  var elements: [Element] {
    var elements: [Element] = []
    if count == 0 { return elements }
    elements.reserveCapacity(count)
    for slot in slots {
      if let element = slot.element { elements.append(element) }
    }
    return elements
  }

  // MARK: Slots

  /// The slot of a key, or the one where it would go: a grave on the way, or the free one behind.
  @inline(__always)
  private static func index(of key: Int64, in slots: UnsafeBufferPointer<Slot>, _ shift: UInt64) -> Int {
    let mask = slots.count - 1
    var index = home(of: key, shift)
    var vacant: Int?
    while slots[index].key != key {
      if slots[index].key == free { return vacant ?? index }
      if slots[index].key == grave, vacant == nil { vacant = index }
      index = (index + 1) & mask
    }
    return index
  }

  /// Where a key goes if nothing is in its way: its run of sixteen is scattered, its place in the run kept.
  @inline(__always)
  private static func home(of key: Int64, _ shift: UInt64) -> Int {
    let bits = UInt64(bitPattern: key)
    // Fibonacci hashing: the high bits of the product with the golden ratio lie evenly for keys in a row.
    let run = ((bits >> 4) &* 0x9e37_79b9_7f4a_7c15) >> shift
    return Int(truncatingIfNeeded: run << 4 | bits & 15)
  }

  private mutating func occupy(_ index: Int, _ key: Int64) {
    if slots[index].key == Self.free { usedCount += 1 }
    slots[index].key = key
    count += 1
    if usedCount * 2 > slots.count { rebuild() }
  }

  /// Makes a slot a grave; where none is needed, because the next slot ends every search, it and those before it are freed.
  private mutating func vacate(_ index: Int) {
    let mask = slots.count - 1
    slots[index].key = Self.grave
    count -= 1
    var last = index
    if slots[(index + 1) & mask].key == Self.free {
      while slots[last].key == Self.grave {
        slots[last].key = Self.free
        usedCount -= 1
        last = (last - 1) & mask
      }
    }
    if slots.count > Self.keptCapacity, count * 16 < slots.count { rebuild() }
  }

  /// Makes room for so many elements more, if they are many.
  mutating func reserve(_ additional: Int) {
    if (usedCount + additional) * 2 > slots.count, additional > Self.smallestCapacity {
      rebuild(for: (count + additional + 1) / 2)
    }
  }

  private mutating func rebuild() { rebuild(for: count) }

  /// Without graves, with room for four times as many elements as are wanted.
  private mutating func rebuild(for wantedCount: Int) {
    let old = slots
    var capacity = old.count >= Self.keptCapacity ? Self.keptCapacity : Self.smallestCapacity
    while capacity < wantedCount * 4 { capacity *= 2 }
    slots = Array(repeating: Slot(), count: capacity)
    shift = UInt64(64 + 4 - capacity.trailingZeroBitCount)
    usedCount = count
    let shift = shift
    slots.withUnsafeMutableBufferPointer { slots in
      for slot in old where slot.element != nil {
        slots[Self.index(of: slot.key, in: UnsafeBufferPointer(slots), shift)] = slot
      }
    }
  }
}
