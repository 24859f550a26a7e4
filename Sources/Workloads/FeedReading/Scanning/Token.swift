import Foundation

/// A value or a name in the text of a record.
///
/// The parts of a token share 64 bits, so that the tokens of a record take little more memory than its text.
package struct Token {
  enum Kind: UInt8 {
    case null
    case falseValue
    case trueValue
    /// An integer of 64 bits.
    case integer
    /// An integer of more than 64 bits.
    case largeInteger
    /// A number with a fraction or an exponent.
    case decimal
    case string
    /// A string with at least one escape. The kind that follows `string` and `name` is the one with escapes.
    case escapedString
    case name
    case escapedName
    case list
    case object
  }

  private var bits: UInt64

  @inline(__always)
  init(_ kind: Kind, start: Int, length: Int) {
    bits = UInt64(kind.rawValue) | UInt64(truncatingIfNeeded: length) << 4 | UInt64(truncatingIfNeeded: start) << 34
  }

  @inline(__always)
  var kind: Kind { unsafeBitCast(UInt8(truncatingIfNeeded: bits & 15), to: Kind.self) }

  /// The offset of the first byte in the record. A string or a name starts after its opening quote.
  @inline(__always)
  var start: Int { Int(truncatingIfNeeded: bits >> 34) }

  /// The number of bytes of a scalar's text, without the quotes of a string.
  @inline(__always)
  var length: Int { Int(truncatingIfNeeded: bits >> 4 & 0x3fff_ffff) }

  /// The index of the token after the last one in a list or an object. While the list or object is open, it is the
  /// index of the container around it plus 1, or 0 if there is none.
  @inline(__always)
  var link: Int {
    get { length }
    set { bits = bits & ~(0x3fff_ffff << 4) | UInt64(truncatingIfNeeded: newValue) << 4 }
  }

  @inline(__always)
  var isContainer: Bool { bits & 15 >= UInt64(Kind.list.rawValue) }

  /// True for a string or a name with escapes.
  @inline(__always)
  var hasEscapes: Bool { kind == .escapedString || kind == .escapedName }
}

/// The memory of the tokens of one record, which is used again for the next one.
package final class TokenTape {
  private(set) var tokens: UnsafeMutablePointer<Token>
  package private(set) var capacity: Int
  /// The number of tokens of the record.
  var count = 0
  /// The largest number of tokens.
  let maxCount: Int

  init(maxCount: Int) {
    self.maxCount = maxCount
    capacity = min(256, maxCount)
    tokens = TokenTape.resized(nil, to: capacity)
  }

  deinit { free(tokens) }

  /// Makes room for more tokens and keeps the first `count`.
  ///
  /// - Returns: False if there is no room for more.
  func grow(keeping count: Int) -> Bool {
    guard capacity < maxCount else { return false }
    capacity = min(maxCount, capacity * 2)
    tokens = TokenTape.resized(tokens, to: capacity)
    return true
  }

  /// Returns memory with the contents of another. The C library moves large blocks to new addresses without holding
  /// both copies in memory.
  private static func resized(
    _ tokens: UnsafeMutablePointer<Token>?, to capacity: Int
  ) -> UnsafeMutablePointer<Token> {
    guard let memory = realloc(tokens, capacity * MemoryLayout<Token>.stride) else {
      fatalError("there is no memory for \(capacity) tokens of a record")
    }
    return memory.bindMemory(to: Token.self, capacity: capacity)
  }
}
