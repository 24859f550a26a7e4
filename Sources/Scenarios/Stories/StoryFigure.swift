import MachineCore

/// The text of figures in stories.
enum StoryFigure {
  /// Returns a span in milliseconds with its unit, such as `1,234.5 ms`.
  static func milliseconds(_ span: TimeSpan) -> String { "\(number(span)) ms" }

  /// Returns the number of milliseconds of a span with three decimal places, or with one from one second on.
  static func number(_ span: TimeSpan) -> String {
    let sign = span < .zero ? "-" : ""
    let nanoseconds = span.nanoseconds.magnitude
    if nanoseconds < 1_000_000_000 {
      let microseconds = (nanoseconds + 500) / 1_000
      return "\(sign)\(microseconds / 1_000).\(String(1_000 + microseconds % 1_000).dropFirst())"
    }
    let tenths = (nanoseconds + 50_000) / 100_000
    return "\(sign)\(CountText.grouped(Int(tenths / 10))).\(tenths % 10)"
  }

  /// Returns a ratio and the word that follows it, such as `12.8 times`, with one decimal place, or with two below 1.
  static func times(_ ratio: Double) -> String {
    if ratio < 0.995 { return "0.\(String(100 + Int((ratio * 100).rounded())).suffix(2)) times" }
    let tenths = Int((ratio * 10).rounded())
    return "\(CountText.grouped(tenths / 10)).\(tenths % 10) times"
  }
}

/// The text of counts.
enum CountText {
  /// Returns a count with its unit, in the plural if the count is not 1.
  static func of(_ count: Int, _ unit: String) -> String {
    "\(grouped(count)) \(unit)\(count == 1 ? "" : "s")"
  }

  /// Returns a number with commas between groups of three digits.
  static func grouped(_ number: Int) -> String {
    var digits = String(number.magnitude)
    var groups: [String] = []
    while digits.count > 3 {
      groups.insert(String(digits.suffix(3)), at: 0)
      digits.removeLast(3)
    }
    return (number < 0 ? "-" : "") + ([digits] + groups).joined(separator: ",")
  }
}
