import Foundation
import MachineCore

/// The part of an XML text before its first element. It is checked before the text is parsed, because a document type
/// could declare entities that expand to any size.
struct MarkupProlog {
  private let bytes: [UInt8]
  private let place: String
  private var position = 0
  private var line = 1

  private init(_ text: Data, place: String) {
    bytes = Array(text)
    self.place = place
  }

  /// Checks that the text is UTF-8 and begins with an element, after an XML declaration and comments at most.
  ///
  /// - Parameters:
  ///   - text: The bytes of the file.
  ///   - place: The file, as errors name it.
  /// - Throws: `ModelError` if the text is empty, binary, of another encoding, or declares a document type.
  static func check(_ text: Data, place: String) throws(ModelError) {
    var prolog = MarkupProlog(text, place: place)
    try prolog.checkEncoding()
    try prolog.checkDeclarations()
  }
}

// MARK: - Encoding

extension MarkupProlog {
  private static let byteOrderMark: [UInt8] = [0xef, 0xbb, 0xbf]

  private mutating func checkEncoding() throws(ModelError) {
    if bytes.starts(with: Array("bplist".utf8)) { throw ModelBundle.binary(place) }
    guard !bytes.starts(with: [0xfe, 0xff]), !bytes.starts(with: [0xff, 0xfe]) else {
      throw ModelError(.malformedText, "the text is UTF-16 or UTF-32; save it as UTF-8", place: place)
    }
    if bytes.starts(with: Self.byteOrderMark) { position = Self.byteOrderMark.count }
    guard String(validating: bytes, as: UTF8.self) == nil else { return }
    let lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
    let damaged = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil }
    throw ModelError(
      .malformedText, "the text is not UTF-8; save it as UTF-8", place: place, line: damaged.map { $0 + 1 })
  }
}

// MARK: - Declarations

extension MarkupProlog {
  private mutating func checkDeclarations() throws(ModelError) {
    skipSpace()
    guard position < bytes.count else {
      throw ModelError(.malformedText, "the file is empty; use the XML text of a data model", place: place)
    }
    while position < bytes.count {
      if starts(with: "<?") {
        try checkEncodingName(in: try skip(past: "?>"))
      } else if starts(with: "<!--") {
        try skip(past: "-->")
      } else if starts(with: "<!") {
        throw Self.declaration(place: place, line: line)
      } else if starts(with: "<") {
        return
      } else {
        throw ModelError(
          .malformedText, "the text is not XML, which begins with <; use the XML text of a data model", place: place,
          line: line)
      }
      skipSpace()
    }
    throw ModelError(.malformedText, "the text has no element; use the XML text of a data model", place: place)
  }

  /// Returns the error about a document type or an entity, which could expand to any size.
  static func declaration(place: String, line: Int) -> ModelError {
    ModelError(
      .refusedFile, "a document type or an entity is declared; remove the declaration, which no data model has",
      place: place, line: line)
  }

  /// Throws if an XML declaration names another encoding than UTF-8.
  private func checkEncodingName(in declaration: String) throws(ModelError) {
    guard declaration.hasPrefix("<?xml"), let match = declaration.firstMatch(of: /encoding\s*=\s*["']([^"']*)["']/)
    else { return }
    guard ["utf-8", "utf8", "us-ascii", "ascii"].contains(match.1.lowercased()) else {
      throw ModelError(
        .malformedText, "the encoding \(QuotedText.of(match.1)) is not supported; save the text as UTF-8",
        place: place, line: line)
    }
  }

  private mutating func skipSpace() {
    while position < bytes.count, TagLines.isSpace(bytes[position]) { advance() }
  }

  private mutating func advance() {
    if bytes[position] == UInt8(ascii: "\n") { line += 1 }
    position += 1
  }

  private func starts(with text: String) -> Bool { bytes[position...].starts(with: text.utf8) }

  /// Moves behind the next occurrence of a text, and returns what was skipped.
  @discardableResult
  private mutating func skip(past end: String) throws(ModelError) -> String {
    let (start, firstLine) = (position, line)
    while position < bytes.count {
      if starts(with: end) {
        position += end.utf8.count
        return String(decoding: bytes[start..<position], as: UTF8.self)
      }
      advance()
    }
    throw ModelError(
      .malformedText, "the text ends before \(end), which closes what begins here", place: place, line: firstLine)
  }
}
