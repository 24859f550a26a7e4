import MachineCore
import Metrics

/// The range of the figures in the files that are read back: tables of results, manifests, plans and trials of sweeps.
///
/// A figure outside its range is damage. Within it, sums of thousands of figures and differences fit into 64 bits.
enum FigureRange {
  /// Eleven days in nanoseconds, a thousand terabytes, or a count that no run comes to.
  private static let largest: Int128 = 1_000_000_000_000_000
  /// The most trials, draws or rows of a plan, with room for a later version.
  private static let largestOrdinal: Int128 = 1_000_000

  /// Returns the range of a column of a table, or of the numbers of a member of a JSON object.
  static func range(of name: String) -> ClosedRange<Int128> {
    switch name {
    case "seed": 0...Int128(UInt64.max)
    case TrialMeasures.verifiedColumn, "consistent", "posted": 0...1
    case "trial", "draw", "index", "count", "number", "schema": 0...largestOrdinal
    default: 0...largest
    }
  }

  /// Returns what is wrong with a figure, or nil if it is an integer of its range.
  ///
  /// - Parameters:
  ///   - text: The figure as the file has it.
  ///   - name: The name of its column or member.
  static func flaw(of text: String, named name: String) -> String? {
    let range = range(of: name)
    let limits = "use \(range.lowerBound) to \(range.upperBound)"
    guard let value = Int128(text) else { return "\(QuotedText.of(text)) is not an integer; \(limits)" }
    return range.contains(value) ? nil : "\(QuotedText.of(text)) is out of range; \(limits)"
  }
}
