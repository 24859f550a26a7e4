import MachineSimulated
import OrderedCollections
import Reporting

/// A table of constants with their ranges and the numbers of their sources.
enum ConstantTable {
  struct Line {
    let first: String
    let second: String
    let constant: ProfileConstant
  }

  /// Returns the text of a table of constants. The titles of the first three columns are `first`, `second` and `unit`,
  /// and the last column has the numbers of the sources, counted from 1 in the order of `sources`.
  /// `sources` must contain the source of each line.
  static func text(
    of lines: [Line], first: String, second: String, unit: String, sources: OrderedSet<String>
  ) -> String {
    let table = PageTable(
      of: lines,
      [
        PageColumn(first) { $0.first }, PageColumn(second) { $0.second },
        PageColumn(unit, .right) { FigureText.short($0.constant.value) },
        PageColumn("range", .right) { range($0.constant) },
        PageColumn("source", .right) { "\((sources.firstIndex(of: $0.constant.source) ?? 0) + 1)" },
      ])
    return TerminalTable(table).lines.joined(separator: "\n")
  }

  static func range(_ constant: ProfileConstant) -> String {
    "\(FigureText.short(constant.low))–\(FigureText.short(constant.high))"
  }
}
