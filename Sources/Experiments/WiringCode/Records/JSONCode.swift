/// The Swift code of an enumeration of JSON values, with the conversions to the values of attributes.
struct JSONCode: Sendable {
  let conversions: [Conversion]

  /// The declaration of the enumeration, with those members that the conversions use.
  var declaration: Code {
    let names = conversions.map { "\($0)" }
    let isEncoded = names.contains("text") || names.contains("textData")
    return """
      /// A JSON value whose form differs from that of its attribute.
      nonisolated enum JSON: \(isEncoded ? "Codable" : "Decodable"), Sendable {
        case null
        case boolean(Bool)
        case number(Decimal)
        case string(String)
        case list([JSON])
        case object([String: JSON])

        \(members: Code.declarations(of: Self.members) { names.contains(String($0)) })
      }
      """
  }

  /// The members of the enumeration. The conditions name cases of `Conversion`.
  private static let members: Code = """
    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if value.decodeNil() {
        self = .null
      } else if let string = try? value.decode(String.self) {
        self = .string(string)
      } else if let boolean = try? value.decode(Bool.self) {
        self = .boolean(boolean)
      } else if let number = try? value.decode(Decimal.self) {
        self = .number(number)
      } else if let list = try? value.decode([JSON].self) {
        self = .list(list)
      } else {
        self = .object(try value.decode([String: JSON].self))
      }
    }

    #if text, textData
    func encode(to encoder: any Encoder) throws {
      var value = encoder.singleValueContainer()
      switch self {
      case .null: try value.encodeNil()
      case .boolean(let boolean): try value.encode(boolean)
      case .number(let number): try value.encode(number)
      case .string(let string): try value.encode(string)
      case .list(let list): try value.encode(list)
      case .object(let object): try value.encode(object)
      }
    }

    #if text, textData
    /// The string, or the JSON text of any other value.
    var text: String? {
      if case .string(let string) = self { return string }
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
      return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) }
    }

    #if double, float, seconds, milliseconds, date, integer, decimal, boolean
    private var numberText: String? {
      switch self {
      case .boolean(let boolean): boolean ? "1" : "0"
      case .number(let number): "\\(number)"
      case .string(let string): string.trimmingCharacters(in: .whitespaces)
      case .null, .list, .object: nil
      }
    }

    #if integer
    func integer<T: FixedWidthInteger>() -> T? {
      numberText.flatMap { text in T(text) ?? Double(text).flatMap { T(exactly: $0) } }
    }

    #if double, float, seconds, milliseconds, date
    var double: Double? { numberText.flatMap { Double($0) } }

    #if decimal
    var decimal: Decimal? { numberText.flatMap { Decimal(string: $0) } }

    #if boolean
    var boolean: Bool? {
      switch numberText?.lowercased() {
      case "1", "true", "yes", "t", "y": true
      case "0", "false", "no", "f", "n", "": false
      default: nil
      }
    }

    #if uuid, url, data, date
    private var string: String? {
      if case .string(let string) = self { string } else { nil }
    }

    #if uuid
    /// The UUID of a text with or without hyphens.
    var uuid: UUID? {
      guard var text = string else { return nil }
      if text.utf8.count == 32 {
        for place in [8, 13, 18, 23] { text.insert("-", at: text.index(text.startIndex, offsetBy: place)) }
      }
      return UUID(uuidString: text)
    }

    #if url
    var url: URL? { string.flatMap { URL(string: $0) } }

    #if data
    /// The bytes of base64 text in the standard or the URL alphabet, also in a URL that begins with `data:`.
    var data: Data? {
      guard var text = string else { return nil }
      if text.hasPrefix("data:"), let comma = text.firstIndex(of: ",") { text = String(text[comma...].dropFirst()) }
      text = text.replacing("-", with: "+").replacing("_", with: "/").filter { !$0.isWhitespace && $0 != "=" }
      text += String(repeating: "=", count: (4 - text.count % 4) % 4)
      return Data(base64Encoded: text)
    }

    #if date
    /// The date of a text in the format of ISO 8601 or RFC 822, or of a number of seconds or milliseconds since 1970.
    var date: Date? {
      if let string, let date = Self.iso8601(string) ?? Self.rfc822(string) { return date }
      // Seconds reach this number in the year 5138, and milliseconds in 1973.
      return double.map { Date(timeIntervalSince1970: abs($0) >= 100_000_000_000 ? $0 / 1_000 : $0) }
    }

    /// The time, its seconds and the time zone may be missing.
    private static func iso8601(_ text: String) -> Date? {
      let day = #/(\\d{4}-\\d\\d-\\d\\d)/#
      let time = #/[Tt ](\\d\\d:\\d\\d)(:\\d\\d)?(?:[.,](\\d+))? ?([Zz]|[-+]\\d\\d:?(?:\\d\\d)?)?/#
      guard let first = text.prefixMatch(of: day) else { return nil }
      let rest = text[first.range.upperBound...]
      guard !rest.isEmpty else { return try? Date("\\(first.1)T00:00:00Z", strategy: .iso8601) }
      guard let second = rest.wholeMatch(of: time),
        let date = try? Date("\\(first.1)T\\(second.1)\\(second.2 ?? ":00")Z", strategy: .iso8601)
      else { return nil }
      let fraction = second.3.flatMap { Double("0.\\($0)") } ?? 0
      return date + (fraction - offset(second.4 ?? "Z"))
    }

    /// Returns the seconds of a time zone such as `Z`, `+0100` or `-05:30`.
    private static func offset(_ zone: Substring) -> TimeInterval {
      let digits = zone.filter(\\.isNumber)
      let minutes = 60 * (Double(digits.prefix(2)) ?? 0) + (Double(digits.dropFirst(2)) ?? 0)
      return zone.first == "-" ? -60 * minutes : 60 * minutes
    }

    /// The text is one such as `Mon, 02 Jan 2006 15:04:05 GMT`.
    private static func rfc822(_ text: String) -> Date? {
      let form = #/(?:\\w{3},? +)?(\\d\\d?) +(\\w{3})\\w* +(\\d{4}) +(\\d\\d:\\d\\d(?::\\d\\d)?)(?: +(\\w{1,4}|[-+]\\d{4}))?/#
      let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
      let zones = ["EST": "-05", "EDT": "-04", "CST": "-06", "CDT": "-05", "MST": "-07", "MDT": "-06", "PST": "-08", "PDT": "-07"]
      guard let (_, day, name, year, time, zone) = text.wholeMatch(of: form)?.output,
        let month = months.firstIndex(of: name.capitalized)
      else { return nil }
      let date = [String(year), month < 9 ? "0\\(month + 1)" : "\\(month + 1)", day.count == 1 ? "0\\(day)" : "\\(day)"]
      let offset = zone.map { $0.first?.isLetter == true ? zones[$0.uppercased()] ?? "Z" : String($0) } ?? "Z"
      return iso8601("\\(date.joined(separator: "-"))T\\(time)\\(offset)")
    }
    """
}
