/// A hash table from the keys of one entity's rows to something small.
///
/// Open addressing, with sixteen neighbouring keys side by side: keys come in runs, as rows are fetched and made, and then
/// one cache miss serves many of them, where `Dictionary` takes one for each and hashes with care that a key does not
/// need. Three quarters full at most, and of any size, so that room made for many is no more than they need. The order of
/// its elements depends on keys and history only, not on the process. No object has the key 0.
struct KeyTable<Element: Sendable>: Sendable {
  private var slots: [Slot] = Array(repeating: Slot(), count: Self.smallestCapacity)
  private(set) var count = 0
  /// How many slots are not free: those in use and the graves.
  private var usedCount = 0

  private struct Slot: Sendable {
    var key = KeyTable.free
    var element: Element?
  }

  private typealias Slots = UnsafeMutableBufferPointer<Slot>

  /// Ends a search.
  private static var free: Int64 { 0 }
  /// The key of a slot whose element was taken out and that searches for others have to pass.
  private static var grave: Int64 { .min }
  /// Keys that lie side by side; every capacity is a multiple.
  private static var runLength: Int { 16 }
  // At least a few runs of neighbours.
  private static var smallestCapacity: Int { 64 }
  /// Up to here a table keeps its room: it would grow again with the next unit of an import.
  private static var keptCapacity: Int { 8_192 }

  /// O(1).
  subscript(key: Int64) -> Element? {
    slots.withUnsafeBufferPointer { $0[Self.index(of: key, in: Slots(mutating: $0))].element }
  }

  /// Lets `body` read, change, enter (from nil) or take out (to nil) the element of a key, with one search. O(1) amortised.
  @inline(__always)
  mutating func withElement<Result>(of key: Int64, _ body: (inout Element?) -> Result) -> Result {
    let (result, change) = slots.withUnsafeMutableBufferPointer { Self.withElement(of: key, in: $0, body) }
    if let change { take(change) }
    return result
  }

  /// Lets `body` read, change or enter, but not take out, the elements of many keys, one after the other, with one search
  /// each. O(n) amortised.
  ///
  /// Looks once whether the table is nobody else's, where `withElement` looks for each key, and makes room for all that are
  /// to come when the first finds none.
  @inline(__always)
  mutating func withElements(of range: Range<Int>, key: (Int) -> Int64, _ body: (Int, inout Element?) -> Void) {
    var next = range.lowerBound
    while next < range.upperBound {
      // One more than may be taken is no harm for a moment.
      let room = Self.elementCount(of: slots.count) - usedCount
      let entered = slots.withUnsafeMutableBufferPointer { slots in
        var entered = (elements: 0, slots: 0)
        while next < range.upperBound, entered.slots <= room {
          switch Self.withElement(of: key(next), in: slots, { body(next, &$0) }).change {
          case .entered(let takesFreeSlot):
            entered.elements += 1
            if takesFreeSlot { entered.slots += 1 }
          case .vacated: preconditionFailure("an element was taken out while others were entered")
          case nil: break
          }
          next += 1
        }
        return entered
      }
      count += entered.elements
      usedCount += entered.slots
      if entered.slots > room { reserve(range.upperBound - next) }
    }
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

  /// What a call did to a slot.
  private enum Change {
    case entered(takesFreeSlot: Bool)
    /// Its key still stands there.
    case vacated(Int)
  }

  @inline(__always)
  private static func withElement<Result>(
    of key: Int64, in slots: Slots, _ body: (inout Element?) -> Result
  ) -> (result: Result, change: Change?) {
    let index = index(of: key, in: slots)
    let result = body(&slots[index].element)
    let isPresent = slots[index].element != nil
    let old = slots[index].key
    if isPresent == (old == key) { return (result, nil) }
    guard isPresent else { return (result, .vacated(index)) }
    slots[index].key = key
    return (result, .entered(takesFreeSlot: old == free))
  }

  /// The slot of a key, or the one where it would go: a grave on the way, or the free one behind.
  @inline(__always)
  private static func index(of key: Int64, in slots: Slots) -> Int {
    var index = home(of: key, slots.count)
    if slots[index].key == key { return index }
    var vacant: Int?
    while slots[index].key != key {
      if slots[index].key == free { return vacant ?? index }
      if slots[index].key == grave, vacant == nil { vacant = index }
      index += 1
      if index == slots.count { index = 0 }
    }
    return index
  }

  /// Where a key goes if nothing is in its way: its run of sixteen is scattered, its place in the run kept.
  @inline(__always)
  private static func home(of key: Int64, _ capacity: Int) -> Int {
    let bits = UInt64(bitPattern: key)
    // Fibonacci hashing: the products with the golden ratio lie evenly for keys in a row. Their high bits choose a run by
    // multiplication, for which the number of runs need not be a power of two.
    let scattered = (bits >> 4) &* 0x9e37_79b9_7f4a_7c15
    let run = scattered.multipliedFullWidth(by: UInt64(capacity / runLength)).high
    return Int(truncatingIfNeeded: run << 4 | bits & 15)
  }

  private mutating func take(_ change: Change) {
    switch change {
    case .entered(let takesFreeSlot):
      count += 1
      if takesFreeSlot { usedCount += 1 }
      // Half full then, so that a quarter of its slots can be taken before the next time.
      if usedCount > Self.elementCount(of: slots.count) { rebuild(count * 2) }
    case .vacated(let index): vacate(index)
    }
  }

  /// Makes a slot a grave; where none is needed, because the next slot ends every search, it and those before it are freed.
  private mutating func vacate(_ index: Int) {
    count -= 1
    let freed = slots.withUnsafeMutableBufferPointer { slots in
      slots[index].key = Self.grave
      let next = index + 1 == slots.count ? 0 : index + 1
      guard slots[next].key == Self.free else { return 0 }
      var freed = 0
      var last = index
      while slots[last].key == Self.grave {
        slots[last].key = Self.free
        freed += 1
        last = (last == 0 ? slots.count : last) - 1
      }
      return freed
    }
    usedCount -= freed
    if slots.count > Self.keptCapacity, count * 16 < slots.count { rebuild(count * 2) }
  }

  /// Makes room for so many elements more, if they are many: just enough where the table has to grow much for them.
  mutating func reserve(_ additional: Int) {
    if usedCount + additional <= Self.elementCount(of: slots.count) { return }
    rebuild(max((count + additional) * 4 / 3, count * 2))
  }

  /// How many slots of so many may be taken.
  private static func elementCount(of capacity: Int) -> Int { capacity / 4 * 3 }

  /// Without graves, with so many slots or a few more.
  private mutating func rebuild(_ wantedCapacity: Int) {
    let old = slots
    let least = old.count >= Self.keptCapacity ? Self.keptCapacity : Self.smallestCapacity
    let capacity = max(wantedCapacity + Self.runLength, least) / Self.runLength * Self.runLength
    slots = Array(repeating: Slot(), count: capacity)
    usedCount = count
    slots.withUnsafeMutableBufferPointer { slots in
      for slot in old where slot.element != nil { slots[Self.index(of: slot.key, in: slots)] = slot }
    }
  }
}
