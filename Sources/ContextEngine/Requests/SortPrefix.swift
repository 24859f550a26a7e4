/// The beginning of what an object is sorted by, as two numbers that stand in the same order as the objects.
///
/// A search in a long list looks at these, which lie together and take no reference to any object; objects with equal
/// prefixes have to be compared themselves.
struct SortPrefix: Equatable, Sendable {
  private var high: UInt64
  private var low: UInt64

  /// Of an object that nothing is known of, or whose order cannot be told by numbers.
  static var unknown: SortPrefix { SortPrefix(high: 0, low: 0) }

  /// Whether `left` sorts before `right`; nil where the objects have to be compared.
  var isUnknown: Bool { high | low == 0 }

  @inline(__always)
  static func isOrderedBefore(_ left: SortPrefix, _ right: SortPrefix) -> Bool? {
    if left.isUnknown || right.isUnknown { return nil }
    if left.high != right.high { return left.high < right.high }
    return left.low == right.low ? nil : left.low < right.low
  }

  /// What prefixes are made of, found out once for a list.
  struct Recipe: Sendable {
    fileprivate let first: PropertyPath
    fileprivate let isFirstAscending: Bool
    /// What comes behind a first key that is an exact number.
    fileprivate let second: PropertyPath?
    fileprivate let isSecondAscending: Bool

    /// Nil for an order that numbers cannot tell: along a relationship, or of text by anything but its bytes.
    init?(_ sortDescriptors: [SortDescriptor]) {
      guard let first = sortDescriptors.first, Self.isPlain(first) else { return nil }
      self.first = first.path
      isFirstAscending = first.isAscending
      let second = sortDescriptors.dropFirst().first.flatMap { Self.isPlain($0) ? $0 : nil }
      self.second = second?.path
      isSecondAscending = second?.isAscending ?? true
    }

    private static func isPlain(_ descriptor: SortDescriptor) -> Bool {
      descriptor.keyPath.steps.count == 1 && descriptor.textOrder == .literal
    }
  }

  /// The prefix of an object that has the values of a row.
  init(of row: Row, _ recipe: Recipe?) {
    self.init(recipe) { path in row.withSlot(path.slot) { Self.words(in: $0, at: path.slot) } }
  }

  @inline(__always)
  init(_ recipe: Recipe?, _ words: (PropertyPath) -> Words?) {
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

  /// Never falls as the value rises; nothing is 0. Whole = equal words mean equal values.
  static func words(in parts: RowStorage.Parts, at slot: Int) -> Words? {
    let word = parts.words[slot]
    switch SlotKind.of(parts.kinds[slot]) {
    case SlotKind.null: return (0, 0, false)
    // The smallest number has the word of nothing.
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
    // Minus zero is zero.
    let bits = (number + 0).bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  /// Eight bytes of a string's UTF-8, the first one on top.
  private static func word(_ bytes: UnsafeRawBufferPointer, from start: Int) -> UInt64 {
    if bytes.count >= start + 8 {
      return UInt64(bigEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
    }
    var word: UInt64 = 0
    for index in start..<(start + 8) { word = word << 8 | UInt64(index < bytes.count ? bytes[index] : 0) }
    return word
  }
}
