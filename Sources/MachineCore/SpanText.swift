/// The text of spans in the values of flags: decimal numbers without trailing zeros.
package enum SpanText {
  /// Returns the number of milliseconds in a span as text.
  package static func milliseconds(_ span: TimeSpan) -> String {
    text(of: span, per: 1_000_000)
  }

  /// Returns the number of microseconds in a span as text.
  package static func microseconds(_ span: TimeSpan) -> String {
    text(of: span, per: 1_000)
  }

  /// Returns a span as a decimal number of units. A unit has `unit` nanoseconds, which is a power of ten.
  private static func text(of span: TimeSpan, per unit: UInt64) -> String {
    let sign = span < .zero ? "-" : ""
    let (whole, rest) = span.nanoseconds.magnitude.quotientAndRemainder(dividingBy: unit)
    guard rest != 0 else { return "\(sign)\(whole)" }
    let digits = String(rest + unit).dropFirst()
    return "\(sign)\(whole).\(digits.reversed().drop { $0 == "0" }.reversed().map(String.init).joined())"
  }
}
