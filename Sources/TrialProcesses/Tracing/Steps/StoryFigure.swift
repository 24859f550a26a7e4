import MachineCore
import Reporting

/// The text of figures in stories.
package enum StoryFigure {
  /// Returns a span in milliseconds with its unit, such as `1,234.5 ms`.
  package static func milliseconds(_ span: TimeSpan) -> String { "\(number(span)) ms" }

  /// Returns the number of milliseconds of a span with three decimal places, or with one from one second on.
  package static func number(_ span: TimeSpan) -> String {
    guard span.nanoseconds.magnitude >= 1_000_000_000 else { return decimal(span) }
    let tenths = (span.nanoseconds.magnitude + 50_000) / 100_000
    return "\(span < .zero ? "-" : "")\(CountText.grouped(Int(tenths / 10))).\(tenths % 10)"
  }

  /// Returns the number of milliseconds of a span with three decimal places, rounded to the nearest microsecond.
  package static func decimal(_ span: TimeSpan) -> String {
    let microseconds = (span.nanoseconds.magnitude + 500) / 1_000
    return "\(span < .zero ? "-" : "")\(microseconds / 1_000).\(String(1_000 + microseconds % 1_000).dropFirst())"
  }

  /// Returns a ratio and the word that follows it, such as `12.8 times`, with one decimal place, or with two below 1.
  package static func times(_ ratio: Double) -> String {
    if ratio < 0.995 { return "0.\(String(100 + Int((ratio * 100).rounded())).suffix(2)) times" }
    let tenths = Int((ratio * 10).rounded())
    return "\(CountText.grouped(tenths / 10)).\(tenths % 10) times"
  }
}
