import Foundation
import MachineCore

/// Reads one JSON value from UTF-8 text, and throws an error for text that does not follow the grammar of RFC 8259
/// exactly.
///
/// Strings keep every scalar. The members of an object must have different names. A number without fraction and
/// exponent is an integer and must fit into 64 bits; any other number becomes the nearest double. Nested values become
/// text as they are read, so the reader holds no more than the text of one of them.
struct JSONReader {
  /// The largest depth of nested lists and objects. It is limited because reading is recursive.
  static let largestDepth = 512
  /// The largest number of members of one object. Their names are held in memory until the end of the object.
  static let largestMemberCount = 100_000

  private let bytes: UnsafeBufferPointer<UInt8>
  /// The offset of the next byte, counted from 0.
  private(set) var position: Int
  private var depth = 0

  /// Creates a reader of bytes that must outlive it.
  private init(_ bytes: UnsafeBufferPointer<UInt8>, position: Int) {
    self.bytes = bytes
    self.position = position
  }

  /// Calls `body` with a reader at the first byte of the only value in a text. White space may surround the value.
  static func readAll(
    of text: Data, _ body: (inout JSONReader) throws(JSONReadingError) -> Void
  ) throws(JSONReadingError) {
    try read(text) { (reader: inout JSONReader) throws(JSONReadingError) in
      reader.skipSpaces()
      try body(&reader)
      reader.skipSpaces()
      if reader.next != nil { throw reader.damage("there is text after the end of the value") }
    }
  }

  /// Returns the result of `body`, which is called with a reader at a place in a text.
  static func read<Value>(
    _ text: Data, from position: Int = 0, _ body: (inout JSONReader) throws(JSONReadingError) -> Value
  ) throws(JSONReadingError) -> Value {
    let result = text.withUnsafeBytes { buffer in
      Result { () throws(JSONReadingError) in
        var reader = JSONReader(buffer.bindMemory(to: UInt8.self), position: position)
        return try body(&reader)
      }
    }
    return try result.get()
  }

  /// Returns true for the four bytes that JSON allows as white space between its tokens.
  static func isSpace(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\r") || byte == UInt8(ascii: "\t")
  }
}

// MARK: - Tokens

extension JSONReader {
  /// The next byte, or nil at the end of the text.
  var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  mutating func skipSpaces() {
    while let byte = next, Self.isSpace(byte) { position += 1 }
  }

  /// Skips white space, and then a byte if it is the next one. Returns true if the byte was skipped.
  private mutating func skips(_ byte: Unicode.Scalar) -> Bool {
    skipSpaces()
    guard next == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  /// Returns an error at the next byte. At the end of the text, the error says that the text ends too early.
  private func damage(_ sentence: String) -> JSONReadingError {
    JSONReadingError(next == nil ? "the text ends too early" : sentence, isSyntax: true, offset: position)
  }
}

// MARK: - Values

extension JSONReader {
  /// Reads a value. A list or an object becomes text.
  mutating func value() throws(JSONReadingError) -> JSONValue {
    skipSpaces()
    switch next {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let isList = next == UInt8(ascii: "[")
      var text = JSONBuilder()
      try appendNested(to: &text)
      return .nested(text: text.string, isList: isList)
    case UInt8(ascii: "\""): return .string(try string())
    case UInt8(ascii: "-"), .some(UInt8(ascii: "0")...UInt8(ascii: "9")): return try number()
    default:
      for (word, value) in Self.words where bytes[position...].starts(with: word) {
        position += word.count
        return value
      }
      throw damage("a value is expected")
    }
  }

  private static let words: [([UInt8], JSONValue)] = [
    (Array("null".utf8), .null), (Array("true".utf8), .boolean(true)), (Array("false".utf8), .boolean(false)),
  ]

  /// Reads a list or an object and appends its text.
  private mutating func appendNested(to text: inout JSONBuilder) throws(JSONReadingError) {
    if next == UInt8(ascii: "[") {
      text.append(raw: "[")
      try readElements { (reader: inout JSONReader, index: Int) throws(JSONReadingError) in
        if index > 0 { text.append(raw: ",") }
        try reader.appendValue(to: &text)
      }
      text.append(raw: "]")
    } else {
      text.append(raw: "{")
      var members: [(name: MemberName, place: Range<Int>)] = []
      try readMembers { (reader: inout JSONReader, name: MemberName) throws(JSONReadingError) in
        if !members.isEmpty { text.append(raw: ",") }
        let start = text.bytes.count
        text.append(string: name.text)
        text.append(raw: ":")
        try reader.appendValue(to: &text)
        members.append((name, start..<text.bytes.count))
      }
      text.sort(members)
      text.append(raw: "}")
    }
  }

  private mutating func appendValue(to text: inout JSONBuilder) throws(JSONReadingError) {
    skipSpaces()
    if next == UInt8(ascii: "[") || next == UInt8(ascii: "{") {
      try appendNested(to: &text)
    } else {
      text.append(try value())
    }
  }

  /// Reads an object. Its nested values become text.
  mutating func members() throws(JSONReadingError) -> [MemberName: JSONValue] {
    var members: [MemberName: JSONValue] = [:]
    try readMembers { (reader: inout JSONReader, name: MemberName) throws(JSONReadingError) in
      members[name] = try reader.value()
    }
    return members
  }

  /// Reads a list, beginning at its opening bracket. `body` reads an element and receives its index.
  mutating func readElements(
    _ body: (inout JSONReader, Int) throws(JSONReadingError) -> Void
  ) throws(JSONReadingError) {
    try enter()
    defer { depth -= 1 }
    if skips("]") { return }
    var count = 0
    repeat {
      skipSpaces()
      if count > 0, next == UInt8(ascii: "]") { throw damage("there is a comma before the closing bracket") }
      do throws(JSONReadingError) {
        try body(&self, count)
      } catch {
        throw error.inside(.element(count))
      }
      count += 1
    } while skips(",")
    guard skips("]") else { throw damage("a comma or a closing bracket is expected") }
  }

  /// Reads an object, beginning at its opening brace. `body` reads the value of a member and receives the member's
  /// name.
  mutating func readMembers(
    _ body: (inout JSONReader, MemberName) throws(JSONReadingError) -> Void
  ) throws(JSONReadingError) {
    try enter()
    defer { depth -= 1 }
    if skips("}") { return }
    var names: Set<MemberName> = []
    repeat {
      skipSpaces()
      if !names.isEmpty, next == UInt8(ascii: "}") { throw damage("there is a comma before the closing brace") }
      guard next == UInt8(ascii: "\"") else { throw damage("a name in double quotes is expected") }
      let name = try newName(&names)
      guard skips(":") else { throw damage("a colon is expected") }
      skipSpaces()
      do throws(JSONReadingError) {
        try body(&self, name)
      } catch {
        throw error.inside(.member(name.text))
      }
    } while skips(",")
    guard skips("}") else { throw damage("a comma or a closing brace is expected") }
  }

  /// Reads the name of a member and adds it to the names of its object.
  private mutating func newName(_ names: inout Set<MemberName>) throws(JSONReadingError) -> MemberName {
    let start = position
    let name = MemberName(try string())
    guard names.insert(name).inserted else {
      let text = JSONValue.string(QuotedText.of(name.text)).text
      throw JSONReadingError("an object has two members \(text)", isSyntax: false, offset: start)
    }
    guard names.count <= Self.largestMemberCount else {
      throw JSONReadingError(
        "an object has more than \(Self.largestMemberCount) members", isSyntax: false, offset: start)
    }
    return name
  }

  /// Steps over the opening bracket or brace.
  private mutating func enter() throws(JSONReadingError) {
    guard depth < Self.largestDepth else {
      throw JSONReadingError(
        "lists and objects are nested more than \(Self.largestDepth) deep", isSyntax: false, offset: position)
    }
    depth += 1
    position += 1
  }
}

// MARK: - Numbers

extension JSONReader {
  private mutating func number() throws(JSONReadingError) -> JSONValue {
    let start = position
    if next == UInt8(ascii: "-") { position += 1 }
    if next == UInt8(ascii: "0") {
      position += 1
      if let byte = next, Self.isDigit(byte) { throw damage("a number begins with a superfluous zero") }
    } else {
      try skipDigits("a digit is expected after the minus sign")
    }
    let wholeEnd = position
    if next == UInt8(ascii: ".") {
      position += 1
      try skipDigits("a digit is expected after the decimal point")
    }
    let mantissaEnd = position
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      try skipDigits("a digit is expected in the exponent")
    }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    guard position > wholeEnd else {
      if let integer = Int64(text) { return .integer(integer) }
      throw unfit(text, "does not fit into 64 bits; use \(Int64.min) to \(Int64.max), or a string", at: start)
    }
    guard let double = Double(text), double.isFinite else {
      throw unfit(text, "is too large for a double; use at most \(Double.greatestFiniteMagnitude)", at: start)
    }
    let isZero = bytes[start..<mantissaEnd].allSatisfy { !Self.isDigit($0) || $0 == UInt8(ascii: "0") }
    guard double != 0 || isZero else {
      throw unfit(text, "is too small for a double; use 0 or at least \(Double.leastNonzeroMagnitude)", at: start)
    }
    return .double(double)
  }

  private mutating func skipDigits(_ sentence: String) throws(JSONReadingError) {
    guard let byte = next, Self.isDigit(byte) else { throw damage(sentence) }
    while let byte = next, Self.isDigit(byte) { position += 1 }
  }

  private static func isDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
  }

  private func unfit(_ text: String, _ reason: String, at offset: Int) -> JSONReadingError {
    JSONReadingError("\(QuotedText.of(text)) \(reason)", isSyntax: false, offset: offset)
  }
}

// MARK: - Strings

extension JSONReader {
  /// Reads a string, beginning at its opening quote.
  private mutating func string() throws(JSONReadingError) -> String {
    let start = position
    position += 1
    var unescaped: [UInt8] = []
    var runStart = position
    while let byte = next, byte != UInt8(ascii: "\"") {
      if byte < 0x20 { throw damage("a string holds a control character; escape it") }
      guard byte == UInt8(ascii: "\\") else {
        position += 1
        continue
      }
      unescaped += bytes[runStart..<position]
      unescaped += UTF8.encode(try escape())!
      runStart = position
    }
    guard next != nil else { throw damage("") }
    let run = bytes[runStart..<position]
    let text =
      unescaped.isEmpty ? String(validating: run, as: UTF8.self) : String(validating: unescaped + run, as: UTF8.self)
    position += 1
    guard let text else { throw JSONReadingError("a string is not UTF-8", isSyntax: true, offset: start) }
    return text
  }

  /// Reads an escape, beginning at its backslash.
  private mutating func escape() throws(JSONReadingError) -> Unicode.Scalar {
    let start = position
    position += 1
    let scalar: Unicode.Scalar
    switch next {
    case UInt8(ascii: "\""): scalar = "\""
    case UInt8(ascii: "\\"): scalar = "\\"
    case UInt8(ascii: "/"): scalar = "/"
    case UInt8(ascii: "b"): scalar = "\u{8}"
    case UInt8(ascii: "f"): scalar = "\u{c}"
    case UInt8(ascii: "n"): scalar = "\n"
    case UInt8(ascii: "r"): scalar = "\r"
    case UInt8(ascii: "t"): scalar = "\t"
    case UInt8(ascii: "u"):
      position += 1
      return try escapedScalar(from: start)
    default: throw damage(#"a backslash is followed by none of "\/bfnrtu"#)
    }
    position += 1
    return scalar
  }

  /// Reads the digits of an escape, and the second escape of a surrogate pair.
  private mutating func escapedScalar(from start: Int) throws(JSONReadingError) -> Unicode.Scalar {
    let first = try hexadecimalDigits()
    if let scalar = Unicode.Scalar(first) { return scalar }
    if UTF16.isLeadSurrogate(first), bytes[position...].starts(with: #"\u"#.utf8) {
      position += 2
      let second = try hexadecimalDigits()
      if UTF16.isTrailSurrogate(second) {
        return Unicode.Scalar(0x1_0000 + ((UInt32(first) & 0x3ff) << 10 | UInt32(second) & 0x3ff))!
      }
    }
    throw JSONReadingError("an escape is half of a surrogate pair", isSyntax: true, offset: start)
  }

  private mutating func hexadecimalDigits() throws(JSONReadingError) -> UInt16 {
    var number: UInt16 = 0
    for _ in 0..<4 {
      guard let digit = next.flatMap({ Character(Unicode.Scalar($0)).hexDigitValue }) else {
        throw damage("four hexadecimal digits are expected after \\u")
      }
      number = number << 4 | UInt16(digit)
      position += 1
    }
    return number
  }
}
