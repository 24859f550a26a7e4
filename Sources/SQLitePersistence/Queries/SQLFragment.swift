import ContextEngine

/// A piece of SQL with the values of its parameters, in the order of their appearance.
///
/// Fragments are combined by string interpolation. Each fragment brings its parameters along, so that text and values
/// always match.
struct SQLFragment: ExpressibleByStringInterpolation {
  private(set) var text: String
  private(set) var parameters: [SQLiteQuery.Parameter] = []
  /// The number of conditions in the text that compare texts without a function.
  private(set) var textRangeCount = 0

  init(stringLiteral text: String) {
    self.text = text
  }

  init(_ text: String, parameters: [SQLiteQuery.Parameter] = []) {
    self.text = text
    self.parameters = parameters
  }

  /// Creates a fragment that is a condition on a range of texts.
  init(textRange: SQLFragment) {
    self = textRange
    textRangeCount += 1
  }

  init(stringInterpolation: Interpolation) {
    self = stringInterpolation.fragment
  }

  struct Interpolation: StringInterpolationProtocol {
    var fragment = SQLFragment("")

    init(literalCapacity: Int, interpolationCount: Int) {
      fragment.text.reserveCapacity(literalCapacity)
    }

    mutating func appendLiteral(_ text: String) {
      fragment.text += text
    }

    mutating func appendInterpolation(_ other: SQLFragment) {
      fragment.append(other)
    }

    mutating func appendInterpolation(_ text: String) {
      fragment.text += text
    }

    mutating func appendInterpolation(_ number: Int32) {
      fragment.text += "\(number)"
    }
  }

  mutating func append(_ other: SQLFragment) {
    text += other.text
    parameters += other.parameters
    textRangeCount += other.textRangeCount
  }

  /// Returns a parameter with a value.
  static func value(_ value: Value) -> SQLFragment { SQLFragment("?", parameters: [.value(value)]) }

  /// Returns a list for the right side of `IN`.
  static func list(_ values: [Value]) -> SQLFragment {
    SQLFragment(SQLiteListTable.selection, parameters: [.list(SQLiteList(values: values))])
  }

  /// Returns a parameter with a list of strings for `Z_LISTED`.
  static func strings(_ values: [Value]) -> SQLFragment {
    SQLFragment("?", parameters: [.list(SQLiteList(strings: values))])
  }

  /// Returns a parameter with a test of strings for `Z_MATCHES`.
  static func matcher(_ matcher: TextMatcher) -> SQLFragment { SQLFragment("?", parameters: [.matcher(matcher)]) }

  /// Returns the fragments with a separator between each two.
  static func joined(_ parts: [SQLFragment], by separator: String) -> SQLFragment {
    var result = SQLFragment("")
    for (place, part) in parts.enumerated() {
      if place > 0 { result.text += separator }
      result.append(part)
    }
    return result
  }
}
