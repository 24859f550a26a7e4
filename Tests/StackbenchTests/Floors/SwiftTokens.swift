/// The tokens of a Swift source file: identifiers, keywords, numbers and single punctuation marks.
///
/// Comments and regex literals are left out. A string literal is one token `""`; the code in its interpolations follows, since it is code.
struct SwiftTokens {
  struct Token: Equatable {
    var text: String
    var line: Int
    /// A Boolean value that is true if the token can name something: an identifier or a keyword.
    var isWord: Bool
  }

  private(set) var tokens: [Token] = []
  private let bytes: [UInt8]
  private var position = 0
  private var line = 1

  init(_ source: String) {
    bytes = Array(source.utf8)
    readCode(untilParenthesis: false)
  }

  private func byte(_ offset: Int = 0) -> UInt8? {
    position + offset < bytes.count ? bytes[position + offset] : nil
  }

  private func starts(with text: StaticString, at offset: Int = 0) -> Bool {
    for index in 0..<text.utf8CodeUnitCount where byte(offset + index) != text.utf8Start[index] { return false }
    return true
  }

  private mutating func advance(_ count: Int = 1) {
    for _ in 0..<count where position < bytes.count {
      if bytes[position] == UInt8(ascii: "\n") { line += 1 }
      position += 1
    }
  }

  /// Reads tokens up to the end of the file, or up to the parenthesis that ends an interpolation.
  private mutating func readCode(untilParenthesis: Bool) {
    var depth = 0
    while let current = byte() {
      if current <= UInt8(ascii: " ") {
        advance()
      } else if starts(with: "//") {
        while let next = byte(), next != UInt8(ascii: "\n") { advance() }
      } else if starts(with: "/*") {
        skipBlockComment()
      } else if current == UInt8(ascii: "/"), beginsRegex {
        skipRegex()
      } else if current == UInt8(ascii: "\"") || current == UInt8(ascii: "#"), let literal = literalStart() {
        readLiteral(literal)
      } else if Self.isWordByte(current) {
        readWord()
      } else {
        if current == UInt8(ascii: "(") { depth += 1 }
        if current == UInt8(ascii: ")") { depth -= 1 }
        if depth < 0, untilParenthesis { return advance() }
        if current != UInt8(ascii: "`") { append([current], isWord: false) }
        advance()
      }
    }
  }

  private mutating func append(_ text: some Collection<UInt8>, isWord: Bool) {
    tokens.append(Token(text: String(decoding: text, as: UTF8.self), line: line, isWord: isWord))
  }

  private static func isWordByte(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "_"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), 0x80...:
      true
    default: false
    }
  }

  private mutating func readWord() {
    let start = position
    while let current = byte(), Self.isWordByte(current) { position += 1 }
    let isNumber = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(bytes[start])
    append(bytes[start..<position], isWord: !isNumber)
  }

  private mutating func skipBlockComment() {
    var depth = 0
    repeat {
      if starts(with: "/*") {
        depth += 1
        advance(2)
      } else if starts(with: "*/") {
        depth -= 1
        advance(2)
      } else {
        advance()
      }
    } while depth > 0 && position < bytes.count
  }

  /// True if the slash here begins a regex literal: an opening bracket, a comma or an equals sign is before it, and no
  /// space behind it.
  private var beginsRegex: Bool {
    guard let next = byte(1), next > UInt8(ascii: " ") else { return false }
    return tokens.last.map { ["(", ",", "=", ":", "["].contains($0.text) } ?? false
  }

  private mutating func skipRegex() {
    advance()
    while let next = byte(), next != UInt8(ascii: "/"), next != UInt8(ascii: "\n") {
      advance(next == UInt8(ascii: "\\") ? 2 : 1)
    }
    advance()
  }

  /// The delimiters of a string literal.
  private struct Literal {
    var poundCount: Int
    var isMultiline: Bool
  }

  /// Returns the delimiters of the string literal that begins here, or nil if no literal begins here.
  private func literalStart() -> Literal? {
    var poundCount = 0
    while byte(poundCount) == UInt8(ascii: "#") { poundCount += 1 }
    guard byte(poundCount) == UInt8(ascii: "\"") else { return nil }
    return Literal(poundCount: poundCount, isMultiline: starts(with: "\"\"\"", at: poundCount))
  }

  private func isPounds(_ count: Int, at offset: Int) -> Bool {
    (0..<count).allSatisfy { byte(offset + $0) == UInt8(ascii: "#") }
  }

  private mutating func readLiteral(_ literal: Literal) {
    append("\"\"".utf8, isWord: false)
    let quoteCount = literal.isMultiline ? 3 : 1
    advance(literal.poundCount + quoteCount)
    while let current = byte() {
      if current == UInt8(ascii: "\\"), isPounds(literal.poundCount, at: 1) {
        advance(1 + literal.poundCount)
        if byte() == UInt8(ascii: "(") {
          advance()
          readCode(untilParenthesis: true)
        } else {
          advance()
        }
      } else if current == UInt8(ascii: "\""), !literal.isMultiline || starts(with: "\"\"\""),
        isPounds(literal.poundCount, at: quoteCount)
      {
        return advance(quoteCount + literal.poundCount)
      } else {
        advance()
      }
    }
  }
}
