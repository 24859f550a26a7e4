/// A builder of JSON text. Equal values always give the same bytes.
package struct JSONBuilder: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package var string: String { String(decoding: bytes, as: UTF8.self) }

  package mutating func append(raw text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  /// Returns a string as JSON text, with its quotes.
  package static func quoted(_ string: String) -> String {
    var builder = JSONBuilder()
    builder.append(string: string)
    return builder.string
  }

  package mutating func append(boolean: Bool) {
    boolean ? append(raw: "true") : append(raw: "false")
  }

  /// Sorts the members of an object by the bytes of their names.
  ///
  /// - Parameter members: The names and places of all members. The text must end with these members; their places do
  ///   not include the commas between them.
  mutating func sort(_ members: [(name: MemberName, place: Range<Int>)]) {
    guard let first = members.first?.place.lowerBound else { return }
    let sorted = members.sorted { $0.name.text.bytesPrecede($1.name.text) }
    guard zip(sorted, members).contains(where: { $0.place != $1.place }) else { return }
    let unsorted = Array(bytes[first...])
    bytes.removeLast(unsorted.count)
    for member in sorted {
      if bytes.count > first { append(raw: ",") }
      bytes.append(contentsOf: unsorted[member.place.lowerBound - first..<member.place.upperBound - first])
    }
  }

  package mutating func append(number: Int64) {
    bytes.append(contentsOf: String(number).utf8)
  }

  /// Appends a number by the text that it has in a feed.
  package mutating func append(numberText: String) {
    bytes.append(contentsOf: numberText.utf8)
  }

  /// Appends the shortest text that reads back as the same number. The number must be finite, as all JSON numbers are.
  package mutating func append(number: Double) {
    bytes.append(contentsOf: number.description.utf8)
  }

  package mutating func append(string: String) {
    append(raw: "\"")
    for byte in string.utf8 {
      switch byte {
      case UInt8(ascii: "\""): append(raw: "\\\"")
      case UInt8(ascii: "\\"): append(raw: "\\\\")
      case 0..<0x20:
        append(raw: "\\u00")
        bytes.append(JSONBuilder.digits[Int(byte >> 4)])
        bytes.append(JSONBuilder.digits[Int(byte & 15)])
      default: bytes.append(byte)
      }
    }
    append(raw: "\"")
  }

  private static let digits = Array("0123456789abcdef".utf8)
}
