/// Any JSON value, as a feed's records are made of.
package enum JSONValue: Sendable {
  case null
  case boolean(Bool)
  case integer(Int64)
  case double(Double)
  case string(String)
  case array([JSONValue])
  case object([MemberName: JSONValue])
}

// MARK: - Text

extension JSONValue {
  /// The value as JSON text: no spaces, an object's members sorted by the bytes of their names.
  package var text: String {
    var text = JSONText()
    text.append(self)
    return text.string
  }
}

/// JSON text in the making; the same value always gives the same bytes.
package struct JSONText: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init() {}

  package var string: String { String(decoding: bytes, as: UTF8.self) }

  package mutating func append(raw text: StaticString) {
    bytes.append(contentsOf: UnsafeBufferPointer(start: text.utf8Start, count: text.utf8CodeUnitCount))
  }

  package mutating func append(_ value: JSONValue) {
    switch value {
    case .null: append(raw: "null")
    case .boolean(let value): value ? append(raw: "true") : append(raw: "false")
    case .integer(let value): append(number: value)
    case .double(let value): append(number: value)
    case .string(let value): append(string: value)
    case .array(let values):
      append(raw: "[")
      for (place, value) in values.enumerated() {
        if place > 0 { append(raw: ",") }
        append(value)
      }
      append(raw: "]")
    case .object(let members): append(members: members)
    }
  }

  package mutating func append(members: [MemberName: JSONValue]) {
    append(raw: "{")
    var isFirst = true
    for (name, value) in members.sorted(by: { $0.key.text.bytesPrecede($1.key.text) }) {
      if !isFirst { append(raw: ",") }
      isFirst = false
      append(string: name.text)
      append(raw: ":")
      append(value)
    }
    append(raw: "}")
  }

  package mutating func append(number: Int64) {
    bytes.append(contentsOf: String(number).utf8)
  }

  /// The shortest text that reads back as the same number; JSON has no others than finite ones.
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
        bytes.append(JSONText.digits[Int(byte >> 4)])
        bytes.append(JSONText.digits[Int(byte & 15)])
      default: bytes.append(byte)
      }
    }
    append(raw: "\"")
  }

  private static let digits = Array("0123456789abcdef".utf8)
}
