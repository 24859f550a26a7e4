import MachineCore
import Metrics

/// The ranges of the figures in the files that are read back: tables of results, manifests, plans and trials of sweeps.
///
/// A figure outside its range counts as damage. Sums of thousands of figures inside the range, and their differences,
/// fit into 64 bits.
enum FigureRange {
  /// The largest figure: eleven days in nanoseconds, a thousand terabytes, or a count that no run reaches.
  private static let largest: Int128 = 1_000_000_000_000_000
  /// The largest number of trials, draws or rows of a plan, with room for a later version.
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

  /// Checks a figure that was read from a file.
  ///
  /// - Parameters:
  ///   - text: The figure as the file has it.
  ///   - name: The name of its column or member.
  /// - Returns: A description of the flaw, or nil if the figure is an integer in its range.
  static func flaw(of text: String, named name: String) -> String? {
    let range = range(of: name)
    let limits = "use \(range.lowerBound) to \(range.upperBound)"
    guard let value = Int128(text) else { return "\(QuotedText.of(text)) is not an integer; \(limits)" }
    return range.contains(value) ? nil : "\(QuotedText.of(text)) is out of range; \(limits)"
  }
}
