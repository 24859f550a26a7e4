import Foundation
import MachineCore

/// Converts the values of a feed to the values of attributes.
///
/// A conversion never loses a part of a value in silence. A value that an attribute cannot hold exactly is a
/// `ConversionFault`, except that numbers of type double and float are rounded to the nearest.
struct FieldConversion {
  let attribute: FeedMapping.Attribute
  private let expression: Regex<AnyRegexOutput>?
  /// The value of all rows, or nil if the values come from a member.
  private var constant: FieldValue?

  init(_ attribute: FeedMapping.Attribute) {
    self.attribute = attribute
    expression = attribute.regularExpression.flatMap { try? Regex($0) }
    if let text = attribute.constant { constant = try? constant(from: text) }
  }

  /// Returns the value of the attribute that a text stands for.
  func constant(from text: String) throws(ConversionFault) -> FieldValue {
    guard let converted = Self.convert(text, attribute.type, attribute.dateForm) else {
      throw ConversionFault("is \(QuotedText.of(text)), which is not a valid \(attribute.type.title)")
    }
    let result = try normalised(converted)
    try check(result)
    return result
  }

  /// Returns the value of the attribute.
  ///
  /// - Parameter value: The value in the record, or nil if the record has no such member.
  /// - Returns: The value as a store holds it.
  /// - Throws: `ConversionFault` if the attribute cannot hold the value.
  func convert(_ value: FeedValue?) throws(ConversionFault) -> FieldValue {
    if let constant { return constant }
    guard let value, !value.isNull else {
      if let defaultValue = attribute.defaultValue { return try normalised(defaultValue.fieldValue) }
      guard attribute.isOptional else { throw ConversionFault("is missing, and \(attribute.name) is required") }
      return .null
    }
    guard let converted = Self.convert(value, to: attribute.type, dateForm: attribute.dateForm) else {
      throw ConversionFault("is \(value.text), which is no \(attribute.type.title)")
    }
    let result = try normalised(converted)
    try check(result)
    return result
  }

  /// Returns a value as a store holds it, or nil if the attribute cannot hold it.
  func fitted(_ value: FieldValue) -> FieldValue? {
    guard let result = try? normalised(value), (try? check(result)) != nil else { return nil }
    return result
  }

  /// Returns the value as a store holds it.
  private func normalised(_ value: FieldValue) throws(ConversionFault) -> FieldValue {
    switch (attribute.type, value) {
    case (.integer16, .integer(let number)) where Int16(exactly: number) == nil,
      (.integer32, .integer(let number)) where Int32(exactly: number) == nil:
      throw ConversionFault("is \(number), which is out of the range of \(attribute.type.title)")
    case (.float, .double(let number)): return .double(Double(Float(number)))
    default: return value
    }
  }

  /// Checks the limits that the model sets.
  private func check(_ value: FieldValue) throws(ConversionFault) {
    if let minimum = attribute.minimum?.fieldValue, value.precedes(minimum) {
      throw ConversionFault("is \(value.text), and \(attribute.name) is at least \(minimum.text)")
    }
    if let maximum = attribute.maximum?.fieldValue, maximum.precedes(value) {
      throw ConversionFault("is \(value.text), and \(attribute.name) is at most \(maximum.text)")
    }
    guard case .string(let text) = value else { return }
    if let least = attribute.minimumLength, text.utf16.count < least {
      throw ConversionFault("has \(text.utf16.count) characters, and \(attribute.name) has at least \(least)")
    }
    if let most = attribute.maximumLength, text.utf16.count > most {
      throw ConversionFault("has \(text.utf16.count) characters, and \(attribute.name) has at most \(most)")
    }
    if let expression, let pattern = attribute.regularExpression, (try? expression.wholeMatch(in: text)) == nil {
      throw ConversionFault("is \(value.text), which does not match \(pattern)")
    }
  }
}

extension FeedMapping.Attribute {
  /// The value of all rows, or nil if the values come from a member.
  package var constantValue: FieldValue? { constant == nil ? nil : try? FieldConversion(self).convert(nil) }
}

/// A reason why a value of a record does not fit an attribute. The sentence follows the name of the member.
struct ConversionFault: Error {
  var sentence: String

  init(_ sentence: String) {
    self.sentence = sentence
  }
}

// MARK: - Types

extension FieldConversion {
  /// Returns a value as a type, or nil if the type cannot hold it.
  static func convert(
    _ value: FeedValue, to type: ValueType, dateForm: FeedMapping.DateForm? = nil
  ) -> FieldValue? {
    if case .string(let text) = value { return convert(text.string, type, dateForm) }
    return switch type {
    case .string: .string(value.plainText)
    case .integer16, .integer32, .integer64: value.wholeNumber.map(FieldValue.integer)
    case .decimal: value.numberText.flatMap { Decimal(exactly: $0) }.map(FieldValue.decimal)
    case .double, .float: value.numberText.flatMap { Double($0) }.flatMap { $0.isFinite ? .double($0) : nil }
    case .boolean: value.truth.map(FieldValue.boolean)
    case .date: value.numberText.flatMap { Double($0) }.flatMap { date($0, form: dateForm) }.map(FieldValue.date)
    case .transformable: .binary(Data(value.plainText.utf8))
    case .binary, .uuid, .uri: nil
    }
  }

  /// Returns the value of a text as a type, or nil if the type cannot hold it.
  static func convert(
    _ text: String, _ type: ValueType, _ dateForm: FeedMapping.DateForm?
  ) -> FieldValue? {
    let trimmed = text.trimmingCharacters(in: .whitespaces)
    return switch type {
    case .string: .string(text)
    case .integer16, .integer32, .integer64:
      (Int64(trimmed) ?? Double(trimmed).flatMap { Int64(exactly: $0) }).map(FieldValue.integer)
    case .decimal: Decimal(exactly: trimmed).map(FieldValue.decimal)
    case .double, .float: Double(trimmed).flatMap { $0.isFinite ? .double($0) : nil }
    case .boolean: truth(text).map(FieldValue.boolean)
    case .date: date(text, trimmed: trimmed, form: dateForm).map(FieldValue.date)
    case .binary: Data(base64: text).map(FieldValue.binary)
    case .transformable: .binary(Data(text.utf8))
    case .uuid: UUID(loosely: text).map(FieldValue.uuid)
    case .uri: (text.isEmpty ? nil : URL(string: text)).map { .uri($0.absoluteURL.absoluteString) }
    }
  }

  private static func truth(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "yes", "1", "t", "y": true
    case "false", "no", "0", "f", "n", "": false
    default: nil
    }
  }

  /// Returns the seconds since 2001 of a date, or nil if the text is not a date of the form.
  private static func date(_ text: String, trimmed: String, form: FeedMapping.DateForm?) -> Double? {
    switch form {
    case .iso8601: DateText.iso8601(text)
    case .rfc822: DateText.rfc822(text)
    case .seconds, .milliseconds: Double(trimmed).flatMap { date($0, form: form) }
    case nil: DateText.iso8601(text) ?? DateText.rfc822(text) ?? Double(trimmed).flatMap { date($0, form: nil) }
    }
  }

  /// Returns the seconds since 2001 of a number since 1970, or nil if numbers are not of the form.
  private static func date(_ number: Double, form: FeedMapping.DateForm?) -> Double? {
    let seconds: Double
    switch form {
    case .iso8601, .rfc822: return nil
    case .seconds: seconds = number
    case .milliseconds: seconds = number / 1_000
    // Seconds reach this number in the year 5138, and milliseconds in 1973.
    case nil: seconds = abs(number) >= 100_000_000_000 ? number / 1_000 : number
    }
    let date = seconds - DateText.secondsFrom1970To2001
    return date.isFinite ? date : nil
  }
}

extension ValueType {
  /// The type in words, without an article.
  package var title: String {
    switch self {
    case .integer16: "integer of 16 bits"
    case .integer32: "integer of 32 bits"
    case .integer64: "integer of 64 bits"
    case .decimal: "decimal number"
    case .double, .float: "number"
    case .boolean: "boolean"
    case .date: "date"
    case .string: "string"
    case .binary: "base64 text"
    case .uuid: "UUID"
    case .uri: "URI"
    case .transformable: "transformable value"
    }
  }
}

extension FeedValue {
  var isNull: Bool {
    if case .null = self { true } else { false }
  }

  /// The string, or nil for any other value.
  var stringIfPresent: String? {
    if case .string(let text) = self { text.string } else { nil }
  }

  /// The value for a message, cut if it is long.
  var text: String {
    var builder = JSONBuilder()
    builder.append(self)
    let text = builder.string
    return text.count > 60 ? text.prefix(59) + "…" : text
  }

  /// The text of a string, or the JSON text of any other value.
  var plainText: String {
    if case .string(let text) = self { return text.string }
    var builder = JSONBuilder()
    builder.append(self)
    return builder.string
  }

  /// The text of a number, or of a boolean as 0 or 1, or nil for any other value.
  fileprivate var numberText: String? {
    switch self {
    case .integer(let number): String(number)
    case .largeInteger(let number), .decimal(let number): number.text
    case .boolean(let isTrue): isTrue ? "1" : "0"
    case .string, .null, .list, .object: nil
    }
  }

  fileprivate var wholeNumber: Int64? {
    switch self {
    case .integer(let number): number
    case .decimal(let number): Int64(exactly: number.double)
    default: numberText.flatMap { Int64($0) ?? Double($0).flatMap { Int64(exactly: $0) } }
    }
  }

  fileprivate var truth: Bool? {
    switch self {
    case .boolean(let isTrue): isTrue
    case .integer(let number): number == 0 ? false : number == 1 ? true : nil
    default: nil
    }
  }
}

extension JSONBuilder {
  /// Appends a value of a feed, with the members of objects sorted by the bytes of their names.
  mutating func append(_ value: FeedValue) {
    switch value {
    case .null: append(raw: "null")
    case .boolean(let isTrue): append(boolean: isTrue)
    case .integer(let number): append(number: number)
    case .largeInteger(let number): append(numberText: number.text)
    case .decimal(let number): append(number: number.double)
    case .string(let text): append(string: text.string)
    case .list(let list):
      append(raw: "[")
      var isFirst = true
      for element in list {
        if !isFirst { append(raw: ",") }
        isFirst = false
        append(element)
      }
      append(raw: "]")
    case .object(let object):
      append(raw: "{")
      var places: [(name: MemberName, place: Range<Int>)] = []
      for member in object {
        if !places.isEmpty { append(raw: ",") }
        let start = bytes.count
        let name = member.name.string
        append(string: name)
        append(raw: ":")
        append(member.value)
        places.append((MemberName(name), start..<bytes.count))
      }
      sort(places)
      append(raw: "}")
    }
  }
}

// MARK: - Text

extension Decimal {
  /// Creates the number that a text is, or nil if the text is not a number or has more digits than a decimal number
  /// keeps.
  init?(exactly text: String) {
    guard text.wholeMatch(of: /[-+]?[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?/) != nil, let number = Decimal(string: text)
    else { return nil }
    let digits = text.prefix { $0 != "e" && $0 != "E" }.filter(\.isNumber).drop { $0 == "0" }
    guard digits.count <= 38 else { return nil }
    self = number
  }
}

extension UUID {
  /// Creates the UUID of a text with or without dashes.
  init?(loosely text: String) {
    if let uuid = UUID(uuidString: text) {
      self = uuid
      return
    }
    guard text.utf8.count == 32 else { return nil }
    var dashed = text
    for place in [8, 13, 18, 23] { dashed.insert("-", at: dashed.index(dashed.startIndex, offsetBy: place)) }
    guard let uuid = UUID(uuidString: dashed) else { return nil }
    self = uuid
  }
}

extension Data {
  /// Creates the bytes of base64 text in the standard or the URL alphabet, with or without padding, also in a `data:`
  /// URL.
  init?(base64 text: String) {
    var content = text[...]
    if content.hasPrefix("data:"), let comma = content.firstIndex(of: ",") {
      content = content[content.index(after: comma)...]
    }
    var plain = content.replacing("-", with: "+").replacing("_", with: "/").filter { !$0.isWhitespace && $0 != "=" }
    plain += String(repeating: "=", count: (4 - plain.count % 4) % 4)
    self.init(base64Encoded: plain)
  }
}
