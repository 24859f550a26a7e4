/// Reads the objects in which a dump of MongoDB wraps values, such as `{"$oid":"…"}` and `{"$numberInt":"5"}`.
///
/// Numbers are written as strings there. One that is not a number in JSON, such as `NaN`, remains a string.
enum WrappedValue {
  /// The names of the members that hold wrapped values.
  static let names = [
    "$oid", "$uuid", "$symbol", "$date", "$numberInt", "$numberLong", "$numberDouble", "$numberDecimal", "$binary",
    "$undefined",
  ]

  /// Returns the value that an object wraps, or nil if the object is not a known wrapper.
  @inline(__always)
  static func value(in object: TokenReference) -> FeedValue? {
    guard object.end > object.index + 1, object.at(object.index + 1).bytes.first == UInt8(ascii: "$") else {
      return nil
    }
    return unwrapped(object)
  }

  @inline(never)
  private static func unwrapped(_ object: TokenReference) -> FeedValue? {
    let inner = object.at(object.index + 2)
    guard inner.end == object.end else { return nil }
    let name = String(decoding: object.at(object.index + 1).bytes, as: UTF8.self)
    switch (name, inner.value) {
    case ("$oid", .string), ("$uuid", .string), ("$symbol", .string): return inner.value
    case ("$date", .string), ("$date", .integer): return inner.value
    case ("$numberInt", let value), ("$numberLong", let value): return number(value, at: inner, isInteger: true)
    case ("$numberDouble", let value), ("$numberDecimal", let value): return number(value, at: inner, isInteger: false)
    case ("$binary", .object(let parts)):
      guard case .string(let base64)? = parts["base64"] else { return nil }
      return .string(base64)
    case ("$undefined", .boolean): return .null
    default: return nil
    }
  }

  private static func number(_ value: FeedValue, at place: TokenReference, isInteger: Bool) -> FeedValue? {
    switch value {
    case .integer, .largeInteger, .decimal: return value
    case .string(let text):
      guard let kind = JSONBytes.kindOfNumber(place.bytes) else { return .string(text) }
      if isInteger, kind == .integer {
        let bytes = place.bytes
        let integer = bytes.baseAddress.flatMap { NumberText($0, count: bytes.count).integer }
        return integer.map(FeedValue.integer) ?? .largeInteger(FeedNumber(place: place))
      }
      let number = FeedNumber(place: place)
      return number.double.isFinite ? .decimal(number) : .string(text)
    default: return nil
    }
  }
}

extension JSONBytes {
  /// Returns the kind of the number that a text is, or nil if the text is not a number by the grammar of JSON.
  static func kindOfNumber(_ text: UnsafeBufferPointer<UInt8>) -> Token.Kind? {
    var rest = text[...]
    func skipDigits() -> Int {
      let count = rest.prefix(while: isDigit).count
      rest = rest.dropFirst(count)
      return count
    }
    func skip(_ bytes: [UInt8]) -> Bool {
      guard let first = rest.first, bytes.contains(first) else { return false }
      rest = rest.dropFirst()
      return true
    }
    _ = skip([UInt8(ascii: "-")])
    if rest.first == UInt8(ascii: "0") { rest = rest.dropFirst() } else if skipDigits() == 0 { return nil }
    var kind = Token.Kind.integer
    if skip([UInt8(ascii: ".")]) {
      guard skipDigits() > 0 else { return nil }
      kind = .decimal
    }
    if skip([UInt8(ascii: "e"), UInt8(ascii: "E")]) {
      _ = skip([UInt8(ascii: "+"), UInt8(ascii: "-")])
      guard skipDigits() > 0 else { return nil }
      kind = .decimal
    }
    return rest.isEmpty ? kind : nil
  }
}
