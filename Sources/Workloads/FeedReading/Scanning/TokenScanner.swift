/// Scans the text of one JSON value into tokens, and accepts only text that follows the grammar of RFC 8259 exactly.
///
/// The text is followed by zero bytes, which are part of no token. A scan therefore checks for the end of the text only
/// after it has found a fault. A fault at the end means that more text is needed.
struct TokenScanner {
  enum Outcome {
    /// The value ends before `next`.
    case complete
    /// The text ends before the value does.
    case incomplete
    /// The text is wrong at `faultPlace`.
    case fault
  }

  /// The first byte of the text, from which the tokens count their places.
  let start: UnsafePointer<UInt8>
  /// The place after the last byte of the text.
  let end: UnsafePointer<UInt8>
  private let isLast: Bool
  private let tape: TokenTape
  private let duplicates: DuplicateCheck
  private var tokens: UnsafeMutablePointer<Token>
  private var capacity: Int
  /// The next byte.
  var next: UnsafePointer<UInt8>
  private(set) var count = 0
  /// The depth of open lists and objects. The deepest one is that of the whole value.
  private var depth: Int
  private(set) var deepest: Int
  /// The index of the innermost open list or object plus 1, or 0 outside of all of them.
  private(set) var container = 0
  private var isInObject = false
  private(set) var fault = ScanFault.valueExpected
  private(set) var faultPlace: UnsafePointer<UInt8>

  /// Creates a scanner.
  ///
  /// - Parameters:
  ///   - text: The first byte of the text.
  ///   - end: The place after its last byte. Zero bytes follow.
  ///   - isLast: True if the file has no more bytes.
  ///   - depth: The depth of lists and objects around the value.
  ///   - tape: The memory of the tokens.
  ///   - duplicates: The check of the names of each object.
  init(
    _ text: UnsafePointer<UInt8>, end: UnsafePointer<UInt8>, isLast: Bool, depth: Int, tape: TokenTape,
    duplicates: DuplicateCheck
  ) {
    start = text
    self.end = end
    self.isLast = isLast
    self.tape = tape
    self.duplicates = duplicates
    tokens = tape.tokens
    capacity = tape.capacity
    next = text
    self.depth = depth
    deepest = depth
    faultPlace = text
  }

  /// Scans a value that begins at the first byte.
  ///
  /// - Parameters:
  ///   - hasName: True if a name and a colon come before the value. The name becomes the first token.
  ///   - checksOutermost: False if the names of the outermost object are checked elsewhere.
  /// - Returns: The outcome of the scan.
  mutating func scan(hasName: Bool, checksOutermost: Bool) -> Outcome {
    if hasName, !scanName() { return failure }
    values: while true {
      switch next.pointee {
      case UInt8(ascii: "\""):
        guard scanString(.string) else { return failure }
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        guard scanNumber() else { return failure }
      case UInt8(ascii: "{"):
        guard open(.object) else { return failure }
        skipSpaces()
        if next.pointee != UInt8(ascii: "}") {
          guard scanName() else { return failure }
          continue values
        }
        close()
      case UInt8(ascii: "["):
        guard open(.list) else { return failure }
        skipSpaces()
        if next.pointee != UInt8(ascii: "]") { continue values }
        close()
      default:
        guard scanWord() else { return failure }
      }
      while container > 0 {
        skipSpaces()
        let byte = next.pointee
        if byte == UInt8(ascii: ",") {
          next += 1
          skipSpaces()
          guard isInObject ? scanNextName() : !isAtBracketAfterComma() else { return failure }
          continue values
        }
        guard byte == (isInObject ? UInt8(ascii: "}") : UInt8(ascii: "]")) else {
          fail(isInObject ? .commaOrBraceExpected : .commaOrBracketExpected)
          return failure
        }
        if isInObject, container > 1 || checksOutermost, !checkNames() { return failure }
        close()
      }
      // A number at the end of the text may continue in the file.
      return next == end && !isLast && !isTerminated ? .incomplete : .complete
    }
  }

  /// Records a fault at the next byte or at another place.
  ///
  /// - Returns: Always false.
  @discardableResult
  mutating func fail(_ fault: ScanFault, at place: UnsafePointer<UInt8>? = nil) -> Bool {
    self.fault = fault
    faultPlace = place ?? next
    return false
  }

  private var failure: Outcome { faultPlace >= end ? .incomplete : .fault }

  /// True if the value ends in a bracket, a brace or a quote.
  private var isTerminated: Bool {
    let last = next[-1]
    return last == UInt8(ascii: "}") || last == UInt8(ascii: "]") || last == UInt8(ascii: "\"")
  }
}

// MARK: - Tokens

extension TokenScanner {
  /// Appends a token.
  ///
  /// - Parameters:
  ///   - kind: The kind of the token.
  ///   - first: Its first byte.
  ///   - length: The number of its bytes.
  /// - Returns: False if the record has too many tokens.
  @inline(__always)
  mutating func append(_ kind: Token.Kind, from first: UnsafePointer<UInt8>, length: Int) -> Bool {
    if count == capacity, !grow() { return fail(.tooManyTokens, at: first) }
    tokens[count] = Token(kind, start: first - start, length: length)
    count += 1
    return true
  }

  private mutating func grow() -> Bool {
    let hasGrown = tape.grow(keeping: count)
    tokens = tape.tokens
    capacity = tape.capacity
    return hasGrown
  }

  @inline(__always)
  mutating func skipSpaces() {
    while next.pointee <= UInt8(ascii: " "), JSONBytes.isSpace(next.pointee) { next += 1 }
  }

  @inline(__always)
  private mutating func scanNextName() -> Bool {
    if next.pointee == UInt8(ascii: "}") { return fail(.commaBeforeBrace) }
    return scanName()
  }

  @inline(__always)
  private mutating func isAtBracketAfterComma() -> Bool {
    guard next.pointee == UInt8(ascii: "]") else { return false }
    fail(.commaBeforeBracket)
    return true
  }

  /// Scans a name, the colon after it, and the white space around the colon.
  @inline(__always)
  private mutating func scanName() -> Bool {
    guard next.pointee == UInt8(ascii: "\"") else { return fail(.nameExpected) }
    guard scanString(.name) else { return false }
    skipSpaces()
    guard next.pointee == UInt8(ascii: ":") else { return fail(.colonExpected) }
    next += 1
    skipSpaces()
    return true
  }

  /// Opens a list or an object at its bracket or brace.
  @inline(__always)
  private mutating func open(_ kind: Token.Kind) -> Bool {
    guard depth < FeedLimits.maxDepth else { return fail(.tooDeep) }
    guard append(kind, from: next, length: container) else { return false }
    container = count
    isInObject = kind == .object
    depth += 1
    if depth > deepest { deepest = depth }
    next += 1
    return true
  }

  /// Closes the innermost list or object at its bracket or brace.
  @inline(__always)
  private mutating func close() {
    let closed = container - 1
    container = tokens[closed].link
    tokens[closed].link = count
    isInObject = container > 0 && tokens[container - 1].kind == .object
    depth -= 1
    next += 1
  }

  /// Checks that the names of the innermost object differ.
  private mutating func checkNames() -> Bool {
    guard count > container + 2 else { return true }
    switch duplicates.check(start, tokens: tokens, from: container, to: count) {
    case .distinct: return true
    case .repeated(let name): return fail(.repeatedName, at: start + tokens[name].start - 1)
    case .tooMany(let name): return fail(.tooManyMembers, at: start + tokens[name].start - 1)
    }
  }

  private mutating func scanWord() -> Bool {
    switch next.pointee {
    case UInt8(ascii: "t"): scan("true", as: .trueValue)
    case UInt8(ascii: "f"): scan("false", as: .falseValue)
    case UInt8(ascii: "n"): scan("null", as: .null)
    default: fail(.valueExpected)
    }
  }

  @inline(__always)
  private mutating func scan(_ word: StaticString, as kind: Token.Kind) -> Bool {
    var length = 1
    while length < word.utf8CodeUnitCount {
      // The text may end within the word.
      guard next[length] == word.utf8Start[length] else {
        return fail(.valueExpected, at: next + length >= end ? end : next)
      }
      length += 1
    }
    guard append(kind, from: next, length: length) else { return false }
    next += length
    return true
  }
}
