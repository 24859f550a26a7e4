import Metrics
import TextTable

// Both modules have a `Style`, and one a type of its own name.
import enum Rainbow.NamedColor
import enum Rainbow.Style

/// The simple style of tables with colour in the cells that matter.
///
/// A cell is coloured after it has been padded, so that the codes take no room.
enum ColouredStyle: TextTableStyle {
  static func prepare(_ text: String, for column: Column) -> String {
    Simple.prepare(text, for: column)
  }

  static func escape(_ text: String) -> String { text }
  static func begin(_ table: inout String, index: Int, columns: [Column]) {}
  static func end(_ table: inout String, index: Int, columns: [Column]) {}

  static func header(_ table: inout String, index: Int, columns: [Column]) {
    Simple.header(&table, index: index, columns: columns)
  }

  static func row(_ table: inout String, index: Int, columns: [Column]) {
    table += columns.map { coloured($0.string(for: self)) }.joined(separator: " ") + "\n"
  }

  /// Rainbow's own properties of `String` look at a global switch and at the kind of standard output; what this returns
  /// depends on its argument alone.
  private static func coloured(_ cell: String) -> String {
    let text = cell.split(separator: " ").joined(separator: " ")
    guard let codes = codes(for: text) else { return cell }
    return "\u{1B}[\(codes.map { "\($0)" }.joined(separator: ";"))m\(cell)\u{1B}[0m"
  }

  private static func codes(for text: String) -> [UInt8]? {
    if text.hasSuffix("*") { return NamedColor.green.value + Style.bold.value }
    if text.hasSuffix(AdviceTable.missMark) { return NamedColor.red.value }
    switch text {
    case HitchBand.good.rawValue, Verdict.better.rawValue: return NamedColor.green.value
    case HitchBand.fair.rawValue, HitchBand.warning.rawValue: return NamedColor.yellow.value
    case HitchBand.poor.rawValue, HitchBand.critical.rawValue, HitchBand.immediate.rawValue, TerminalReport.failed,
      Verdict.worse.rawValue:
      return NamedColor.red.value
    default: return nil
    }
  }
}
