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
  static func text(
    of lines: [Line], _ first: String, _ second: String, _ unit: String, sources: OrderedSet<String>
  ) -> String {
    let table = TerminalTable<Line> { line in
      [
        TerminalCell(title: first, value: line.first),
        TerminalCell(title: second, value: line.second),
        TerminalCell(title: unit, value: FigureText.short(line.constant.value), align: .right),
        TerminalCell(title: "range", value: range(line.constant), align: .right),
        TerminalCell(
          title: "source", value: "\((sources.firstIndex(of: line.constant.source) ?? 0) + 1)", align: .right),
      ]
    }
    return table.lines(for: lines).joined(separator: "\n")
  }

  static func range(_ constant: ProfileConstant) -> String {
    "\(FigureText.short(constant.low))–\(FigureText.short(constant.high))"
  }
}
