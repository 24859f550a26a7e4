/// The beginning of an object's sort keys as two numbers, which have the same order as the objects.
///
/// A search in a long list compares these prefixes, which are adjacent in memory and need no reference to an object.
/// Objects with equal prefixes have to be compared themselves.
struct SortPrefix: Equatable, Sendable {
  private var high: UInt64
  private var low: UInt64

  /// The prefix of an object whose values are unknown or whose order numbers cannot represent.
  static var unknown: SortPrefix { SortPrefix(high: 0, low: 0) }

  /// True if the prefix does not determine the order.
  var isUnknown: Bool { high | low == 0 }

  /// Returns true if `left` sorts before `right`, or nil if the objects themselves have to be compared.
  @inline(__always)
  static func isOrderedBefore(_ left: SortPrefix, _ right: SortPrefix) -> Bool? {
    if left.isUnknown || right.isUnknown { return nil }
    if left.high != right.high { return left.high < right.high }
    return left.low == right.low ? nil : left.low < right.low
  }

  /// The sort keys from which prefixes are computed, determined once per list.
  struct Recipe: Sendable {
    fileprivate let first: PropertyPath
    fileprivate let isFirstAscending: Bool
    /// The second sort key, which is included if the value of the first one is represented exactly by one word; nil if
    /// there is no such key.
    fileprivate let second: PropertyPath?
    fileprivate let isSecondAscending: Bool

    /// Creates a recipe. Returns nil if there is no sort descriptor or if numbers cannot represent the order: the first
    /// sort key is behind a relationship, or is compared by a text order other than bytes.
    init?(_ sortDescriptors: [FetchSortDescriptor]) {
      guard let first = sortDescriptors.first, Self.isPlain(first) else { return nil }
      self.first = first.path
      isFirstAscending = first.isAscending
      let second = sortDescriptors.dropFirst().first.flatMap { Self.isPlain($0) ? $0 : nil }
      self.second = second?.path
      isSecondAscending = second?.isAscending ?? true
    }

    private static func isPlain(_ descriptor: FetchSortDescriptor) -> Bool {
      descriptor.keyPath.steps.count == 1 && descriptor.textOrder == .literal
    }
  }

  /// Creates the prefix of an object with the values of a row.
  init(of row: Row, _ recipe: Recipe?) {
    self.init(recipe) { path in row.withSlot(path.slot) { Self.words(in: $0, at: path.slot) } }
  }

  @inline(__always)
  init(_ recipe: Recipe?, words: (PropertyPath) -> Words?) {
    self = .unknown
    guard let recipe, let key = words(recipe.first) else { return }
    high = recipe.isFirstAscending ? key.high : ~key.high
    low = key.low
    if key.isWhole {
      if let second = recipe.second, let next = words(second) {
        low = recipe.isSecondAscending ? next.high : ~next.high
      }
    } else if !recipe.isFirstAscending {
      low = ~low
    }
  }

  private init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  typealias Words = (high: UInt64, low: UInt64, isWhole: Bool)

  /// Returns two words that do not decrease as the value increases; null gives 0. `isWhole` is true if equal words mean
  /// equal values. Returns nil for types of values without such words.
  static func words(in parts: RowStorage.Parts, at slot: Int) -> Words? {
    let word = parts.words[slot]
    switch SlotKind.of(parts.kinds[slot]) {
    case SlotKind.null: return (0, 0, false)
    // The smallest integer has the same word as null.
    case SlotKind.integer: return (word ^ 1 << 63, 0, Int64(bitPattern: word) != .min)
    case SlotKind.boolean: return (word == 0 ? 2 : 3, 0, true)
    case SlotKind.double, SlotKind.date: return (words(of: Double(bitPattern: word)), 0, true)
    case SlotKind.string:
      let text = parts.bytes(word)
      return (Self.word(text, from: 0), Self.word(text, from: 8), false)
    default: return nil
    }
  }

  private static func words(of number: Double) -> UInt64 {
    // Negative zero becomes zero.
    let bits = (number + 0).bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  /// Returns eight bytes of a string's UTF-8, of which the first is the most significant.
  private static func word(_ bytes: UnsafeRawBufferPointer, from start: Int) -> UInt64 {
    if bytes.count >= start + 8 {
      return UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
    }
    var word: UInt64 = 0
    for index in start..<(start + 8) { word = word << 8 | UInt64(index < bytes.count ? bytes[index] : 0) }
    return word
  }
}
