/// A table that maps the keys of one entity's rows to small elements.
///
/// Keys come in runs, because rows are fetched and created in order. Therefore sixty-four neighbouring keys share a
/// page, whose elements lie side by side in the order of their keys, and pages are found by open addressing. A loop
/// over a run of keys reads memory in order, however large the table is, where `Dictionary` has a cache miss for each
/// key and a stronger hash function than such keys need. A page reserves no more room than it has had elements, rounded
/// up, so that isolated keys take little. The order of the elements depends on keys and history only, not on the
/// process.
package struct KeyTable<Element: Sendable>: Sendable {
  private var pages: [Page] = Array(repeating: Page(), count: Self.smallestCapacity)
  /// The number of elements.
  package private(set) var count = 0
  /// The number of pages that have elements.
  private var pageCount = 0
  /// The number of graves: pages that lost all their elements and that searches for other pages still pass.
  private var graveCount = 0

  package init() {}

  private typealias Pages = UnsafeMutableBufferPointer<Page>

  /// The number of an unused page, at which a search ends.
  private static var free: Int64 { .min }
  /// The number of a page that lost all its elements and that searches for other pages still pass.
  private static var grave: Int64 { .min + 1 }
  private static var smallestCapacity: Int { 8 }
  /// The number of pages below which a table does not shrink, because it would grow again with the next unit of an
  /// import.
  private static var keptCapacity: Int { 256 }

  /// Returns the element of a key, or nil if there is no such element. O(1).
  package subscript(key: Int64) -> Element? {
    pages.withUnsafeBufferPointer { pages in
      pages[Self.index(of: Self.pageNumber(of: key), in: Pages(mutating: pages))].element(at: Self.bit(of: key))
    }
  }

  /// Calls `body` to read, change, insert (from nil) or remove (to nil) the element of a key, with one search. O(1)
  /// amortised.
  @inline(__always)
  package mutating func withElement<Result>(of key: Int64, _ body: (inout Element?) -> Result) -> Result {
    let number = Self.pageNumber(of: key)
    let (result, index, before, after) = pages.withUnsafeMutableBufferPointer { pages in
      let index = Self.index(of: number, in: pages)
      let before = pages[index].count
      let result = pages[index].withElement(at: Self.bit(of: key), expecting: 1, body)
      return (result, index, before, pages[index].count)
    }
    count += after - before
    if before == 0, after > 0 {
      open(index, number: number)
    } else if before > 0, after == 0 {
      close(index)
    }
    return result
  }

  /// Calls `body` to read, change, insert or remove the elements of many keys, one after the other. O(n) amortised.
  ///
  /// Consecutive keys of one page take one search, and room for all of them is reserved at once.
  @inline(__always)
  package mutating func withElements(of range: Range<Int>, key: (Int) -> Int64, _ body: (Int, inout Element?) -> Void) {
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
      count += after - before
      next = end
      if before == 0, after > 0 {
        open(index, number: number)
      } else if before > 0, after == 0 {
        close(index)
      }
    }
  }

  /// The elements, in an order that depends on keys and history only. O(capacity).
  package var elements: [Element] {
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
  /// The number of neighbouring keys that share a page: the number of bits in a word.
  private static var pageSize: Int { 64 }

  /// A page: the elements of up to sixty-four neighbouring keys.
  private struct Page: Sendable {
    var number = KeyTable.free
    /// The keys that have a place in `elements`, as bits; a key keeps its place until the page is replaced.
    private var places: UInt64 = 0
    /// The number of elements, without the places that are nil.
    private(set) var count = 0
    /// The elements in the order of their keys; nil at the places of removed elements.
    private(set) var elements: [Element?] = []

    init(number: Int64 = KeyTable.free) {
      self.number = number
    }

    @inline(__always)
    func element(at bit: UInt64) -> Element? {
      places & bit == 0 ? nil : elements[place(of: bit)]
    }

    /// Calls `body` to read, change, insert or remove the element of a key, and returns its result. `expected` is the
    /// number of elements, including this one, that are about to be inserted.
    @inline(__always)
    mutating func withElement<Result>(
      at bit: UInt64, expecting expected: Int, _ body: (inout Element?) -> Result
    ) -> Result {
      let place = place(of: bit)
      let hasPlace = places & bit != 0
      // The element is moved out of the page while `body` may change it, so that its storage is not shared.
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
        // The capacity at least doubles, because otherwise every insertion would move all elements.
        elements.reserveCapacity(min(elements.count + max(expected, elements.count, 4), KeyTable.pageSize))
      }
      if place == elements.count { elements.append(element) } else { elements.insert(element, at: place) }
    }

    /// Returns the index of a key's element: the number of keys before it that have a place.
    @inline(__always)
    private func place(of bit: UInt64) -> Int {
      let lower = bit - 1
      let before = places & lower
      // Usually all keys before it have a place.
      return before == lower ? bit.trailingZeroBitCount : before.nonzeroBitCount
    }
  }

  /// Returns the number of the page that a key belongs to. Temporary keys are negative and count downwards from zero.
  @inline(__always)
  private static func pageNumber(of key: Int64) -> Int64 {
    let number = Int64(truncatingIfNeeded: key.magnitude >> 6)
    return key < 0 ? ~number : number
  }

  @inline(__always)
  private static func bit(of key: Int64) -> UInt64 { 1 << (key.magnitude & 63) }

  /// Returns the index of a page. If the page does not exist, returns the index at which to insert it: the first grave
  /// that the search passes, or else the free page at which the search ends.
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

  /// Returns the index at which the search for a page begins.
  @inline(__always)
  private static func home(of number: Int64, _ capacity: Int) -> Int {
    // Fibonacci hashing: multiplication by the golden ratio spreads consecutive numbers evenly. The high bits select
    // the index by multiplication, so that the capacity need not be a power of two.
    let scattered = UInt64(bitPattern: number) &* 0x9e37_79b9_7f4a_7c15
    return Int(truncatingIfNeeded: scattered.multipliedFullWidth(by: UInt64(capacity)).high)
  }

  /// Gives a page that has received its first element its number, so that searches find it.
  private mutating func open(_ index: Int, number: Int64) {
    if pages[index].number == Self.grave { graveCount -= 1 }
    pages[index].number = number
    pageCount += 1
    // The new table is half full, so that another quarter fits before the next rebuild.
    if pageCount + graveCount >= Self.limit(of: pages.count) { rebuild(pageCount * 2) }
  }

  /// Turns a page that has lost its last element into a grave. If the next page is free, no search needs the grave: it
  /// and the graves directly before it become free.
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

  /// Returns the number of pages, graves included, that a table of this capacity may use before it is rebuilt.
  private static func limit(of capacity: Int) -> Int { capacity / 4 * 3 }

  /// Rebuilds the table without graves, with at least the wanted capacity and at least the minimum for a table of its
  /// size.
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
