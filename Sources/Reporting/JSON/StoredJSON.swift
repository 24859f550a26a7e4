import Foundation
import MachineCore
import OutputFiles

/// Reads JSON files of results and checks their figures.
package enum StoredJSON {
  /// Decodes a value if each number in its text is an integer in the range of its member.
  ///
  /// - Parameters:
  ///   - type: The type of the value.
  ///   - text: The JSON text.
  ///   - path: The path that errors name.
  ///   - line: The number of the line if the text is a single line of the file, or nil if it is the whole file.
  ///   - content: A description of the expected contents, for the error.
  ///   - decoder: The decoder of the value.
  /// - Returns: The decoded value.
  /// - Throws: `FileError` with code `malformed`, naming the file, the line of a number, and the member.
  package static func decode<Value: Decodable>(
    _ type: Value.Type, from text: Data, path: String, line: Int? = nil, expected content: String,
    decoder: JSONDecoder = JSONDecoder()
  ) throws(FileError) -> Value {
    var scanner = NumberScanner(text: text, line: line ?? 1)
    if let wrong = scanner.firstFlaw() {
      throw FileError(.malformed, path: path, line: wrong.line, message: "\(wrong.member): \(wrong.flaw)")
    }
    do {
      return try decoder.decode(type, from: text)
    } catch {
      throw FileError(.malformed, path: path, line: line, message: "not \(content)\(reason(of: error))")
    }
  }

  /// Returns a text on the member that is missing or has a value of another type, or an empty text if the text is not
  /// JSON.
  private static func reason(of error: any Error) -> String {
    func name(_ keys: [any CodingKey]) -> String {
      QuotedText.of(keys.filter { $0.intValue == nil }.map(\.stringValue).joined(separator: "."))
    }
    switch error {
    case DecodingError.keyNotFound(let key, let context):
      return ": \(name(context.codingPath + [key])) is missing"
    case DecodingError.typeMismatch(_, let context), DecodingError.valueNotFound(_, let context):
      return context.codingPath.isEmpty ? "" : ": \(name(context.codingPath)) has a value of another type"
    default: return ""
    }
  }
}

/// Finds the numbers of a JSON text without decoding it. Text that is not JSON is left to the decoder.
private struct NumberScanner {
  struct Wrong {
    var line: Int
    /// The names of the members on the path to the number, separated by points.
    var member: String
    var flaw: String
  }

  private let bytes: [UInt8]
  private var position = 0
  private var line: Int
  /// The names of the members that contain the open objects and lists.
  private var open: [String] = []
  /// The last string, which is the name of a member if a colon follows it.
  private var string = ""
  private var member = ""

  init(text: Data, line: Int) {
    bytes = Array(text)
    self.line = line
  }

  mutating func firstFlaw() -> Wrong? {
    while position < bytes.count {
      switch bytes[position] {
      case UInt8(ascii: "\n"): line += 1
      case UInt8(ascii: "\""): skipString()
      case UInt8(ascii: ":"): member = string
      case UInt8(ascii: "{"), UInt8(ascii: "["): open.append(member)
      case UInt8(ascii: "}"), UInt8(ascii: "]"): _ = open.popLast()
      // The next element of a list belongs to the same member.
      case UInt8(ascii: ","): member = open.last ?? ""
      case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
        let number = number()
        if let flaw = FigureRange.flaw(of: number, named: member) {
          return Wrong(line: line, member: path, flaw: flaw)
        }
        continue
      default: break
      }
      position += 1
    }
    return nil
  }

  private var path: String {
    let names = (open + [member]).reduce(into: [String]()) { names, name in
      if !name.isEmpty, names.last != name { names.append(name) }
    }
    return names.isEmpty ? "a number" : QuotedText.of(names.joined(separator: "."))
  }

  /// Skips a string up to its closing quote.
  private mutating func skipString() {
    position += 1
    let start = position
    while position < bytes.count, bytes[position] != UInt8(ascii: "\"") {
      position += bytes[position] == UInt8(ascii: "\\") ? 2 : 1
    }
    position = min(position, bytes.count)
    string = String(decoding: bytes[start..<position], as: UTF8.self)
  }

  /// Returns the number at the position, and moves the position behind it.
  private mutating func number() -> String {
    let start = position
    while position < bytes.count, Self.isOfNumber(bytes[position]) { position += 1 }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "+"), UInt8(ascii: "."),
      UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }
}
