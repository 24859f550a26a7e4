/// A table from the keys of one entity's rows to something small.
///
/// Keys come in runs, as rows are fetched and made. So sixty-four neighbouring keys share a page, whose elements lie side by
/// side in the order of their keys, and pages are found by open addressing: who goes over a run of keys goes over memory in
/// order, however large the table is, where `Dictionary` takes a cache miss for each and hashes with care that a key does
/// not need. A page has no more room than it has had elements, rounded up, so that lone keys take little. The order of the
/// elements depends on keys and history only, not on the process.
struct KeyTable<Element: Sendable>: Sendable {
  private var pages: [Page] = Array(repeating: Page(), count: Self.smallestCapacity)
  /// How many elements there are.
  private(set) var count = 0
  /// How many of the pages have elements.
  private var pageCount = 0
  /// How many had, and are passed by searches for others.
  private var graveCount = 0

  private typealias Pages = UnsafeMutableBufferPointer<Page>

  /// Ends a search.
  private static var free: Int64 { .min }
  /// The number of a page whose elements were all taken out and that searches for others have to pass.
  private static var grave: Int64 { .min + 1 }
  private static var smallestCapacity: Int { 8 }
  /// Up to here a table keeps its room: it would grow again with the next unit of an import.
  private static var keptCapacity: Int { 256 }

  /// O(1).
  subscript(key: Int64) -> Element? {
    pages.withUnsafeBufferPointer { pages in
      pages[Self.index(of: Self.pageNumber(of: key), in: Pages(mutating: pages))].element(at: Self.bit(of: key))
    }
  }

  /// Lets `body` read, change, enter (from nil) or take out (to nil) the element of a key, with one search. O(1) amortised.
  @inline(__always)
  mutating func withElement<Result>(of key: Int64, _ body: (inout Element?) -> Result) -> Result {
    let number = Self.pageNumber(of: key)
    let (result, index, before, after) = pages.withUnsafeMutableBufferPointer { pages in
      let index = Self.index(of: number, in: pages)
      let before = pages[index].count
      let result = pages[index].withElement(at: Self.bit(of: key), expecting: 1, body)
      return (result, index, before, pages[index].count)
    }
    count += after - before
    if before == 0, after > 0 {
      open(index, number)
    } else if before > 0, after == 0 {
      close(index)
    }
    return result
  }

  /// Lets `body` read, change or enter, but not take out, the elements of many keys, one after the other. O(n) amortised.
  ///
  /// One search for the keys of one page that follow each other, and room made for all of them at once.
  @inline(__always)
  mutating func withElements(of range: Range<Int>, key: (Int) -> Int64, _ body: (Int, inout Element?) -> Void) {
    var next = range.lowerBound
    while next < range.upperBound {
      let number = Self.pageNumber(of: key(next))
      var end = next + 1
      while end < range.upperBound, Self.pageNumber(of: key(end)) == number { end += 1 }
      let (index, before, after) = pages.withUnsafeMutableBufferPointer { pages in
        let index = Self.index(of: number, in: pages)
        let before = pages[index].count
        for position in next..<end {
          pages[index].withElement(at: Self.bit(of: key(position)), expecting: end - position) { body(position, &$0) }
        }
        return (index, before, pages[index].count)
      }
      precondition(before <= after, "an element was taken out while others were entered")
      count += after - before
      next = end
      if before == 0, after > 0 { open(index, number) }
    }
  }

  /// In an order that depends on keys and history only. O(capacity).
  var elements: [Element] {
    var elements: [Element] = []
    if count == 0 { return elements }
    elements.reserveCapacity(count)
    for page in pages where page.count > 0 {
      for element in page.elements {
        if let element { elements.append(element) }
      }
    }
    return elements
  }
}

// MARK: - Pages

extension KeyTable {
  /// Keys that lie side by side: as many as a word has bits.
  private static var pageSize: Int { 64 }

  /// What there is for up to sixty-four neighbouring keys.
  private struct Page: Sendable {
    var number = KeyTable.free
    /// The keys that have a place among the elements, as bits; a place stays until the page ends.
    private var places: UInt64 = 0
    /// How many elements there are.
    private(set) var count = 0
    /// In the order of the keys; nil where one was taken out.
    private(set) var elements: [Element?] = []

    init(number: Int64 = KeyTable.free) {
      self.number = number
    }

    @inline(__always)
    func element(at bit: UInt64) -> Element? {
      places & bit == 0 ? nil : elements[place(of: bit)]
    }

    /// - Parameter expected: how many elements, this one included, are about to be entered.
    @inline(__always)
    mutating func withElement<Result>(
      at bit: UInt64, expecting expected: Int, _ body: (inout Element?) -> Result
    ) -> Result {
      let place = place(of: bit)
      let hasPlace = places & bit != 0
      // Out of the page while it may change, so that its storage is not shared.
      var element: Element?
      if hasPlace { swap(&element, &elements[place]) }
      if element != nil { count -= 1 }
      let result = body(&element)
      if element != nil { count += 1 }
      if hasPlace {
        swap(&element, &elements[place])
      } else if element != nil {
        insert(element, at: place, expecting: expected)
        places |= bit
      }
      return result
    }

    @inline(__always)
    private mutating func insert(_ element: consuming Element?, at place: Int, expecting expected: Int) {
      if elements.count == elements.capacity {
        // At least doubled, or one by one would move all each time.
        elements.reserveCapacity(min(elements.count + max(expected, elements.count, 4), KeyTable.pageSize))
      }
      if place == elements.count { elements.append(element) } else { elements.insert(element, at: place) }
    }

    /// How many places lie before that of a key.
    @inline(__always)
    private func place(of bit: UInt64) -> Int {
      let lower = bit - 1
      let before = places & lower
      // As a rule all keys before it have one.
      return before == lower ? bit.trailingZeroBitCount : before.nonzeroBitCount
    }
  }

  /// The page of a key. Temporary keys fall where others rise, and count from zero as well.
  @inline(__always)
  private static func pageNumber(of key: Int64) -> Int64 {
    let number = Int64(truncatingIfNeeded: key.magnitude >> 6)
    return key < 0 ? ~number : number
  }

  @inline(__always)
  private static func bit(of key: Int64) -> UInt64 { 1 << (key.magnitude & 63) }

  /// The place of a page, or the one where it would go: a grave on the way, or the free one behind.
  @inline(__always)
  private static func index(of number: Int64, in pages: Pages) -> Int {
    var index = home(of: number, pages.count)
    if pages[index].number == number { return index }
    var vacant: Int?
    while pages[index].number != number {
      if pages[index].number == free { return vacant ?? index }
      if pages[index].number == grave, vacant == nil { vacant = index }
      index += 1
      if index == pages.count { index = 0 }
    }
    return index
  }

  /// Where a page goes if nothing is in its way.
  @inline(__always)
  private static func home(of number: Int64, _ capacity: Int) -> Int {
    // Fibonacci hashing: the products with the golden ratio lie evenly for numbers in a row. Their high bits choose by
    // multiplication, for which the capacity need not be a power of two.
    let scattered = UInt64(bitPattern: number) &* 0x9e37_79b9_7f4a_7c15
    return Int(truncatingIfNeeded: scattered.multipliedFullWidth(by: UInt64(capacity)).high)
  }

  /// Makes a page found under its number, which has got its first element.
  private mutating func open(_ index: Int, _ number: Int64) {
    if pages[index].number == Self.grave { graveCount -= 1 }
    pages[index].number = number
    pageCount += 1
    // Half full then, so that a quarter can be taken before the next time.
    if pageCount + graveCount >= Self.limit(of: pages.count) { rebuild(pageCount * 2) }
  }

  /// Makes a page that has lost its last element a grave; where none is needed, because the next one ends every search, it and
  /// those before it are freed.
  private mutating func close(_ index: Int) {
    pageCount -= 1
    let freed = pages.withUnsafeMutableBufferPointer { pages in
      pages[index] = Page(number: Self.grave)
      let next = index + 1 == pages.count ? 0 : index + 1
      guard pages[next].number == Self.free else { return 0 }
      var freed = 0
      var last = index
      while pages[last].number == Self.grave {
        pages[last].number = Self.free
        freed += 1
        last = (last == 0 ? pages.count : last) - 1
      }
      return freed
    }
    graveCount += 1 - freed
    if pages.count > Self.keptCapacity, pageCount * 16 < pages.count { rebuild(pageCount * 2) }
  }

  /// How many pages of so many may be taken.
  private static func limit(of capacity: Int) -> Int { capacity / 4 * 3 }

  /// Without graves, with room for so many pages, or for as many as a table of its size keeps.
  private mutating func rebuild(_ wantedCapacity: Int) {
    let old = pages
    let least = old.count >= Self.keptCapacity ? Self.keptCapacity : Self.smallestCapacity
    pages = Array(repeating: Page(), count: max(wantedCapacity, least))
    graveCount = 0
    pages.withUnsafeMutableBufferPointer { pages in
      for page in old where page.count > 0 { pages[Self.index(of: page.number, in: pages)] = page }
    }
  }
}
