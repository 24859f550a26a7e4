import Reporting

/// Lines of printed Swift code.
///
/// A literal takes care of indentation: the lines of an interpolated text have the indentation of the line with the
/// interpolation. A line that has only interpolations without text is left out.
struct Code: ExpressibleByStringInterpolation, CustomStringConvertible, Sendable {
  let description: String

  init(_ text: some StringProtocol) { description = String(text) }
  init(stringLiteral text: String) { description = text }
  init(stringInterpolation: StringInterpolation) { description = stringInterpolation.finished }

  var isOneLine: Bool { !description.contains("\n") }

  /// The text of a literal as far as it is read.
  struct StringInterpolation: StringInterpolationProtocol {
    private var text = ""
    /// True if the last line has interpolations, and all of them are without text.
    private var isLeftOut = false

    init(literalCapacity: Int, interpolationCount: Int) {}

    fileprivate var finished: String { isLeftOut ? String(text[..<lastLine.startIndex].dropLast()) : text }
    private var lastLine: Substring { text[(text.lastIndex(of: "\n").map(text.index(after:)) ?? text.startIndex)...] }

    mutating func appendLiteral(_ literal: String) {
      guard !literal.isEmpty else { return }
      let endsLine = isLeftOut && literal.hasPrefix("\n")
      if endsLine { text.removeLast(lastLine.count) }
      text += endsLine ? literal.dropFirst() : literal[...]
      isLeftOut = false
    }

    mutating func appendInterpolation(_ part: (some CustomStringConvertible)?) { append(part?.description ?? "") }
    mutating func appendInterpolation(_ lines: [some CustomStringConvertible]) { append(Code.joined(lines, by: "\n")) }
    /// Appends declarations with empty lines between them.
    mutating func appendInterpolation(members: [Code]) { append(Code.joined(members, by: "\n\n")) }

    private mutating func append(_ part: String) {
      let indentation = lastLine.prefix { $0 == " " }
      if part.isEmpty {
        isLeftOut = isLeftOut || indentation == lastLine
      } else {
        isLeftOut = false
        text += part.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
          .map { $0 == 0 || $1.isEmpty ? $1 : indentation + $1 }.joined(separator: "\n")
      }
    }
  }
}

// MARK: - Parts

extension Code {
  private static func joined(_ parts: [some CustomStringConvertible], by separator: String) -> String {
    parts.map(\.description).filter { !$0.isEmpty }.joined(separator: separator)
  }

  /// Returns a line, or `long` if the line has more characters than a width or is several lines.
  private static func short(_ line: Code, upTo width: Int, else long: Code) -> Code {
    line.isOneLine && line.description.count <= width ? line : long
  }

  /// Returns a statement or a declaration with a block, on one line if it is short.
  static func block(_ start: Code, body: Code, upTo width: Int = 100) -> Code {
    short("\(start) { \(body) }", upTo: width, else: "\(start) {\n  \(body)\n}")
  }

  static func dictionary(_ pairs: [some CustomStringConvertible]) -> Code { array(pairs, empty: "[:]") }

  /// Returns a literal of an array or a dictionary, on one line if it is short.
  static func array(_ elements: [some CustomStringConvertible], empty: Code = "[]") -> Code {
    guard !elements.isEmpty else { return empty }
    return short(
      "[\(joined(elements, by: ", "))]", upTo: 90, else: "[\n  \(elements.map { "\($0)," })\n]")
  }

  /// Returns a call, on one line if it is short.
  static func call(_ name: String, @CodeBuilder _ arguments: () -> [Code]) -> Code {
    let arguments = arguments()
    return short(
      "\(name)(\(joined(arguments, by: ", ")))", upTo: 90, else: "\(name)(\n  \(joined(arguments, by: ",\n")))")
  }

  /// Returns the declarations of a text that are used: those at its beginning, and each that follows a line such as
  /// `#if list, named` if `list` or `named` is used. Of names with `&&` between them, all must be used.
  static func declarations(of text: Code, where isUsed: (Substring) -> Bool) -> [Code] {
    let parts = text.description.split(separator: "\n\n#if ")
    return [Code(parts[0])]
      + parts.dropFirst().compactMap { part in
        let lines = part.split(separator: "\n", maxSplits: 1)
        let isNeeded = lines[0].split(separator: ", ").contains { $0.split(separator: " && ").allSatisfy(isUsed) }
        return isNeeded ? Code(lines[1]) : nil
      }
  }
}

// MARK: - Comments

extension Code {
  /// Returns the lines of a documentation comment.
  static func comment(_ paragraphs: [String], width: Int = 112) -> Code {
    Code(
      paragraphs.flatMap { paragraph -> [String] in
        guard !paragraph.isEmpty else { return ["///"] }
        // An indented line is part of a picture; a line that begins with a hyphen hangs below its first word.
        guard !paragraph.hasPrefix(" ") else { return ["/// " + paragraph] }
        let hanging = paragraph.hasPrefix("- ") ? 2 : 0
        return WrappedText.lines(paragraph, width: width, hanging: hanging).map { "/// " + $0 }
      }.joined(separator: "\n"))
  }

  /// Returns the part of a documentation comment that describes parameters.
  static func comment(onParameters notes: [(name: String, note: String)]) -> Code {
    notes.count == 1
      ? "/// - Parameter \(notes[0].name): \(notes[0].note)"
      : "/// - Parameters:\n\(notes.map { "///   - \($0.name): \($0.note)" })"
  }
}

/// Collects lines or declarations, without those that are nil.
@resultBuilder
enum CodeBuilder {
  static func buildExpression(_ part: Code?) -> [Code] { part.map { [$0] } ?? [] }
  static func buildExpression(_ parts: [Code]) -> [Code] { parts }
  static func buildBlock(_ parts: [Code]...) -> [Code] { parts.flatMap(\.self) }
  static func buildOptional(_ parts: [Code]?) -> [Code] { parts ?? [] }
  static func buildEither(first parts: [Code]) -> [Code] { parts }
  static func buildEither(second parts: [Code]) -> [Code] { parts }
  static func buildArray(_ parts: [[Code]]) -> [Code] { parts.flatMap(\.self) }
  static func buildFinalResult(_ parts: [Code]) -> [Code] { parts }
  static func buildFinalResult(_ parts: [Code]) -> Code { "\(parts)" }
}
