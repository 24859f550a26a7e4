import MachineCore
import MachineSimulated
import Metrics
import Reporting
import TextTable

/// What `stackbench calibrate` prints: each constant, how sure it is, and what it makes up of an import.
struct CalibrationReport {
  var fit: ProfileFit
  /// Scenarios that stand for a run as a whole.
  var whole: [WorkMeasurement]

  private struct Row {
    let cells: [String]
  }

  private static var columns: [(title: String, alignment: Alignment)] {
    [
      ("work", .left), ("of", .left), ("ns", .right), ("range", .right), ("held-out error", .right),
      ("share of an import", .right),
    ]
  }

  var text: String {
    let table = TerminalTable<Row> { row in
      zip(CalibrationReport.columns, row.cells).map { TerminalCell(title: $0.title, value: $1, align: $0.alignment) }
    }
    return table.lines(for: fit.lines.map(row)).joined(separator: "\n")
  }

  private func row(_ line: ProfileFit.Line) -> Row {
    let constant = line.constant
    let error = constant.heldOutError.map { "\(Int((100 * $0).rounded())) %" } ?? "-"
    let range = "\(FigureText.short(constant.low))–\(FigureText.short(constant.high))"
    return Row(cells: [
      line.column.kind.name, line.column.component.rawValue,
      constant.isDetermined ? FigureText.short(constant.value) : "with others", range, error, share(of: line),
    ])
  }

  private func share(of line: ProfileFit.Line) -> String {
    guard line.column.component.isCPU else { return "" }
    let total = whole.reduce(0.0) { sum, measurement in
      sum
        + fit.lines.reduce(0.0) { part, other in
          other.column.component.isCPU ? part + other.constant.value * other.column.count(in: measurement) : part
        }
    }
    guard total > 0 else { return "" }
    let part = whole.reduce(0.0) { $0 + line.constant.value * line.column.count(in: $1) }
    return part / total >= 0.0005 ? "\((1_000 * part / total).rounded() / 10) %" : ""
  }
}
