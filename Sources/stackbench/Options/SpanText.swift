import MachineCore

/// How flags write spans: decimal numbers without digits that say nothing.
enum SpanText {
  static func milliseconds(_ span: Span) -> String {
    text(of: span, per: 1_000_000)
  }

  static func microseconds(_ span: Span) -> String {
    text(of: span, per: 1_000)
  }

  /// - Parameter unit: a power of ten, in nanoseconds.
  private static func text(of span: Span, per unit: Int64) -> String {
    let (whole, rest) = span.nanoseconds.quotientAndRemainder(dividingBy: unit)
    guard rest != 0 else { return "\(whole)" }
    let digits = String(rest + unit).dropFirst()
    return "\(whole).\(digits.reversed().drop { $0 == "0" }.reversed().map(String.init).joined())"
  }
}
