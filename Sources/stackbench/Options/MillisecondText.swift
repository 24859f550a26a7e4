import MachineCore

/// How flags write spans.
enum MillisecondText {
  /// Milliseconds without digits that say nothing.
  static func of(_ span: Span) -> String {
    let (whole, rest) = span.nanoseconds.quotientAndRemainder(dividingBy: 1_000_000)
    guard rest != 0 else { return "\(whole)" }
    let digits = String(rest + 1_000_000).dropFirst()
    return "\(whole).\(digits.reversed().drop { $0 == "0" }.reversed().map(String.init).joined())"
  }
}
