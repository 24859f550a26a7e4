/// A set of slots of a row.
///
/// The first 64 slots are the bits of one word, so that a set of them needs no memory of its own and its operations
/// take a few instructions. Only a set with a higher slot has an array of further words.
package struct SlotSet: Sendable {
  /// The slots below 64, as bits from the lowest.
  @usableFromInline var first: UInt64
  /// The slots from 64 on, as the bits of words without a zero at the end, or nil if there are none.
  ///
  /// A set of just the slots below 64 has an empty array, because a full first word without an array is the set of all
  /// slots.
  @usableFromInline package internal(set) var others: [UInt64]?

  /// The number of slots in a word.
  package static let wordWidth = UInt64.bitWidth
  /// The greatest number of slots that an entity can have: the columns that a table of SQLite has room for besides
  /// `Z_PK`, `Z_ENT` and `Z_OPT`.
  package static let limit = 1_997

  @inlinable @inline(__always)
  init(first: UInt64, others: [UInt64]?) {
    self.first = first
    self.others = others
  }

  /// Creates an empty set.
  @inlinable @inline(__always)
  package init() { self.init(first: 0, others: nil) }

  /// Creates a set of one slot.
  @inlinable @inline(__always)
  package init(_ slot: Int) {
    self.init()
    insert(slot)
  }

  /// Creates a set of some slots. O(slots).
  package init(_ slots: some Sequence<Int>) {
    self.init()
    for slot in slots { insert(slot) }
  }

  /// Creates a set from the bits of words, the lowest slots first.
  init(words: some Sequence<UInt64>) {
    var words = Array(words)
    let first = words.isEmpty ? 0 : words.removeFirst()
    while words.last == 0 { words.removeLast() }
    self.init(first: first, others: words.isEmpty && first != .max ? nil : words)
  }

  /// Creates a set of slots below 64, given as bits from the lowest.
  @inlinable
  init(firstWord: UInt64) { self.init(first: firstWord, others: firstWord == .max ? [] : nil) }

  /// The set of all slots of any entity.
  @inlinable @inline(__always)
  package static var all: SlotSet { SlotSet(first: .max, others: nil) }
}

// MARK: - Reading

extension SlotSet {
  /// True if the set has every slot of any entity.
  @inlinable @inline(__always)
  package var isAll: Bool { first == .max && others == nil }

  @inlinable @inline(__always)
  package var isEmpty: Bool { first == 0 && others == nil }

  /// True if all slots of the set are below 64, or the set has every slot.
  @inlinable @inline(__always)
  var isNarrow: Bool { others == nil }

  /// Returns true if the set has the slot.
  @inlinable @inline(__always)
  package func contains(_ slot: Int) -> Bool {
    if slot < Self.wordWidth { return first & (1 << UInt64(truncatingIfNeeded: slot)) != 0 }
    return word(slot / Self.wordWidth) & (1 << UInt64(truncatingIfNeeded: slot % Self.wordWidth)) != 0
  }

  /// Returns the bits of the slots from `64 * index` on.
  @usableFromInline
  func word(_ index: Int) -> UInt64 {
    if index == 0 { return first }
    guard let others else { return first == .max ? .max : 0 }
    return index <= others.count ? others[index - 1] : 0
  }

  /// Returns true if the sets have no slot in common.
  @inlinable @inline(__always)
  package func isDisjoint(with other: SlotSet) -> Bool {
    if first & other.first != 0 { return false }
    return isNarrow && other.isNarrow || intersectionOfWords(other).isEmpty
  }

  /// Returns true if the set has all slots of another one.
  @inlinable
  package func isSuperset(of other: SlotSet) -> Bool {
    if isNarrow && other.isNarrow { return other.first & ~first == 0 }
    return isAll || !other.isAll && (0..<other.wordCount).allSatisfy { other.word($0) & ~word($0) == 0 }
  }

  @usableFromInline var wordCount: Int { 1 + (others?.count ?? 0) }

  /// Calls `body` with each slot of the set below a limit, in ascending order.
  @inlinable @inline(__always)
  package func forEach<Failure>(below limit: Int, _ body: (Int) throws(Failure) -> Void) throws(Failure) {
    var start = 0
    while start < limit {
      var remaining = word(start / Self.wordWidth)
      while remaining != 0 {
        let slot = start + remaining.trailingZeroBitCount
        if slot >= limit { return }
        try body(slot)
        remaining &= remaining - 1
      }
      start += Self.wordWidth
    }
  }
}

// MARK: - Changing and combining

extension SlotSet {
  /// Adds a slot.
  @inlinable @inline(__always)
  package mutating func insert(_ slot: Int) {
    if slot < Self.wordWidth {
      let bits = first | 1 << UInt64(truncatingIfNeeded: slot)
      if bits != .max {
        first = bits
        return
      }
    }
    insertIntoWords(slot)
  }

  @usableFromInline
  mutating func insertIntoWords(_ slot: Int) {
    if contains(slot) { return }
    var words = (0..<max(wordCount, slot / Self.wordWidth + 1)).map(word)
    words[slot / Self.wordWidth] |= 1 << UInt64(slot % Self.wordWidth)
    self = SlotSet(words: words)
  }

  /// Adds the slots of another set.
  @inlinable @inline(__always)
  package mutating func formUnion(_ other: SlotSet) {
    let bits = first | other.first
    if isNarrow, other.isNarrow, bits != .max || first == .max || other.first == .max {
      first = bits
    } else {
      self = unionOfWords(other)
    }
  }

  /// Returns the slots that are in at least one of the sets.
  @inlinable
  package func union(_ other: SlotSet) -> SlotSet {
    var result = self
    result.formUnion(other)
    return result
  }

  /// Returns the slots that are in both sets.
  @inlinable @inline(__always)
  package func intersection(_ other: SlotSet) -> SlotSet {
    if isNarrow, other.isNarrow { return SlotSet(first: first & other.first, others: nil) }
    return intersectionOfWords(other)
  }

  /// Returns the slots that are not in another set.
  @inlinable @inline(__always)
  package func subtracting(_ other: SlotSet) -> SlotSet {
    if other.isEmpty { return self }
    if isNarrow, other.isNarrow, first != .max { return SlotSet(first: first & ~other.first, others: nil) }
    return differenceOfWords(other)
  }

  /// Removes the slots of another set.
  @inlinable
  package mutating func subtract(_ other: SlotSet) {
    self = subtracting(other)
  }

  @usableFromInline
  func unionOfWords(_ other: SlotSet) -> SlotSet {
    if isAll || other.isAll { return .all }
    return SlotSet(words: (0..<max(wordCount, other.wordCount)).map { word($0) | other.word($0) })
  }

  @usableFromInline
  func intersectionOfWords(_ other: SlotSet) -> SlotSet {
    if isAll { return other }
    if other.isAll { return self }
    return SlotSet(words: (0..<min(wordCount, other.wordCount)).map { word($0) & other.word($0) })
  }

  /// Returns the difference. If this is the set of all slots, the result has those that an entity can have.
  @usableFromInline
  func differenceOfWords(_ other: SlotSet) -> SlotSet {
    if other.isAll { return SlotSet() }
    let count = isAll ? (Self.limit + Self.wordWidth - 1) / Self.wordWidth : wordCount
    return SlotSet(words: (0..<count).map { word($0) & ~other.word($0) })
  }
}

// MARK: - Protocols

extension SlotSet: ExpressibleByArrayLiteral {
  package init(arrayLiteral slots: Int...) {
    self.init(slots)
  }
}

extension SlotSet: Hashable {
  @inlinable
  package static func == (left: SlotSet, right: SlotSet) -> Bool {
    left.first == right.first && (left.isNarrow && right.isNarrow || left.others == right.others)
  }

  @inlinable
  package func hash(into hasher: inout Hasher) {
    hasher.combine(first)
    if let others { hasher.combine(others) }
  }
}
