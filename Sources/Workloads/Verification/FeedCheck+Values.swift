import Glibc

/// A JSON value as SQLite reads it.
enum SecondValue: Hashable {
  case null
  case boolean(Bool)
  /// A number, as its text in the feed.
  case number(String)
  /// A number as SQLite rounds it, which need not be the nearest double.
  case nearly(Double)
  /// A string up to U+0000.
  case string(String)
  /// A list or an object, as text.
  case nested(String)

  /// The value as text for a message.
  var text: String {
    switch self {
    case .null: "absent"
    case .boolean(let value): "\(value)"
    case .number(let text), .nested(let text): text
    case .nearly(let number): "\(number)"
    case .string(let string): JSONBuilder.quoted(string)
    }
  }
}

extension FeedCheck {
  /// Returns true if a value of a payload is what SQLite reads.
  func isSame(_ first: FieldValue, _ second: SecondValue) throws(VerificationError) -> Bool {
    switch (first, second) {
    case (.null, .null): true
    case (.integer(let value), .number(let text)): strtoll(text, nil, 10) == value
    case (.double(let value), .number(let text)): strtod(text, nil) == value
    case (.integer(let value), .nearly(let number)): Double(value).isNearly(number)
    case (.double(let value), .nearly(let number)): value.isNearly(number)
    case (.boolean(let value), .boolean(let other)): value == other
    case (.string(let value), .string(let other)): value.upToNull.hasSameBytes(as: other)
    // An attribute with several types of values holds them as text.
    case (.string(let value), .boolean(let other)): value == "\(other)"
    case (.string(let value), .number(let text)): value == text || strtod(value, nil) == strtod(text, nil)
    case (.string(let value), .nearly(let number)): strtod(value, nil).isNearly(number)
    case (.string(let value), .nested(let text)): try isSame(nested: value, text)
    default: false
    }
  }

  /// Compares lists or objects by their JSON text, regardless of the order of members and the form of strings and
  /// numbers.
  private func isSame(nested first: String, _ second: String) throws(VerificationError) -> Bool {
    let left = try reader.elements(of: first)
    let right = try reader.elements(of: second)
    guard left.count == right.count else { return false }
    for (left, right) in zip(left, right) {
      guard left.name == right.name else { return false }
      switch (left.value, right.value) {
      case (.nested(let left), .nested(let right)): guard try isSame(nested: left, right) else { return false }
      case (.nearly(let left), .nearly(let right)): guard left.isNearly(right) else { return false }
      case (.nearly(let left), .number(let text)): guard left.isNearly(strtod(text, nil)) else { return false }
      default: guard left.value == right.value else { return false }
      }
    }
    return true
  }
}

extension SQLiteFile {
  /// Returns the members of an object, with the texts of numbers.
  func members(of object: String) throws(VerificationError) -> [MemberName: SecondValue] {
    var members: [MemberName: SecondValue] = [:]
    try forEachRow(
      "SELECT key, type, value, CASE WHEN type IN ('integer', 'real') THEN ?1 -> fullkey END FROM json_each(?1)",
      with: object
    ) { row in
      let text = row.string(3)
      members[MemberName(row.string(0))] = text.isEmpty ? row.jsonValue : .number(text)
    }
    for (name, value) in members { members[name] = try unwrapped(value) }
    return members
  }

  /// Returns the value that an object of a dump of MongoDB wraps, such as `{"$oid":"…"}`, or the value itself.
  private func unwrapped(_ value: SecondValue) throws(VerificationError) -> SecondValue {
    guard case .nested(let text) = value, text.hasPrefix("{\"$") else { return value }
    let inner = try members(of: text)
    guard inner.count == 1, let (name, content) = inner.first else { return value }
    switch (name.text, content) {
    case ("$oid", .string), ("$uuid", .string), ("$symbol", .string), ("$date", .string), ("$date", .number):
      return content
    case ("$numberInt", .number), ("$numberLong", .number), ("$numberDouble", .number), ("$numberDecimal", .number):
      return content
    case ("$numberInt", .string(let text)), ("$numberLong", .string(let text)), ("$numberDouble", .string(let text)),
      ("$numberDecimal", .string(let text)):
      let isNumber = text.utf8.allSatisfy { "0123456789+-.eE".utf8.contains($0) } && Double(text)?.isFinite == true
      return isNumber ? .number(text) : content
    case ("$binary", .nested(let parts)):
      return try members(of: parts)[MemberName("base64")] ?? value
    case ("$undefined", .boolean): return .null
    default: return value
    }
  }

  /// Returns the members of an object in the order of the text.
  func entries(of object: String) throws(VerificationError) -> [(name: String, value: SecondValue)] {
    try rows("SELECT key, type, value FROM json_each(?1)", with: object) { ($0.string(0), $0.jsonValue) }
  }

  /// Returns the elements of a list, or the members of an object in the order of the bytes of their names.
  func elements(of nested: String) throws(VerificationError) -> [(name: MemberName, value: SecondValue)] {
    var isObject = false
    var elements = try rows("SELECT key, type, value FROM json_each(?1)", with: nested) { row in
      isObject = !row.isNumber(0)
      return (name: MemberName(row.string(0)), value: row.jsonValue)
    }
    for place in elements.indices { elements[place].value = try unwrapped(elements[place].value) }
    return isObject ? elements.sorted { $0.name.text.bytesPrecede($1.name.text) } : elements
  }
}

extension SQLiteRow {
  /// The value of a row of `json_each` whose columns are key, type and value.
  var jsonValue: SecondValue {
    switch string(1) {
    case "null": .null
    case "true": .boolean(true)
    case "false": .boolean(false)
    case "integer", "real": .nearly(double(2))
    case "text": .string(string(2))
    default: .nested(string(2))
    }
  }
}

extension Double {
  /// Returns true if the numbers are equal or adjacent doubles.
  func isNearly(_ other: Double) -> Bool {
    self == other || nextUp == other || nextDown == other
  }
}

extension String {
  /// The string up to its first U+0000.
  var upToNull: String {
    String(decoding: utf8.prefix { $0 != 0 }, as: UTF8.self)
  }
}
