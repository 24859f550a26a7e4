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
  @inline(__always)
  static func isOrderedBefore(_ left: SortPrefix, _ right: SortPrefix) -> Bool? {
    if left == right || left == unknown || right == unknown { return nil }
    return (left.high, left.low) < (right.high, right.low)
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

  /// The prefix of an object that is no fault.
  init(of object: ManagedObject, _ recipe: Recipe?) {
    self = .unknown
    guard let recipe, let key = Self.words(of: object[recipe.first]) else { return }
    high = recipe.isFirstAscending ? key.high : ~key.high
    low = key.low
    if key.isWhole {
      if let second = recipe.second, let next = Self.words(of: object[second]) {
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

  private typealias Words = (high: UInt64, low: UInt64, isWhole: Bool)

  /// Never falls as the value rises; nothing is 0. Whole = equal words mean equal values.
  private static func words(of value: Value) -> Words? {
    switch value {
    case .null: (0, 0, false)
    case .integer(let number):
      // The smallest number has the word of nothing.
      (UInt64(bitPattern: number) ^ 1 << 63, 0, number != .min)
    case .boolean(let isTrue): (isTrue ? 3 : 2, 0, true)
    case .double(let number), .date(let number): (words(of: number), 0, true)
    case .string(let string): words(of: string)
    default: nil
    }
  }

  private static func words(of number: Double) -> UInt64 {
    // Minus zero is zero.
    let bits = (number + 0).bitPattern
    return bits >> 63 == 0 ? bits | 1 << 63 : ~bits
  }

  /// The first sixteen bytes of the string's UTF-8, the first byte on top.
  private static func words(of string: String) -> Words {
    var string = string
    return string.withUTF8 { (word($0, from: 0), word($0, from: 8), false) }
  }

  private static func word(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> UInt64 {
    if bytes.count >= start + 8 {
      return UInt64(bigEndian: UnsafeRawBufferPointer(bytes).loadUnaligned(fromByteOffset: start, as: UInt64.self))
    }
    var word: UInt64 = 0
    for index in start..<(start + 8) { word = word << 8 | UInt64(index < bytes.count ? bytes[index] : 0) }
    return word
  }
}
