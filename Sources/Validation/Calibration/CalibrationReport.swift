import MachineCore
import MachineSimulated
import Metrics
import Reporting
import TextTable

/// The text that `stackbench calibrate` prints: each constant with its range, and the errors of predicted scenarios.
package struct CalibrationReport {
  var fit: ProfileFit

  package init(fit: ProfileFit) {
    self.fit = fit
  }

  private struct Row {
    let cells: [String]
  }

  private static var columns: [(title: String, alignment: Alignment)] {
    [
      ("work", .left), ("cost", .left), ("ns", .right), ("range", .right), ("from", .left), ("share", .right),
    ]
  }

  package var text: String {
    let table = TerminalTable<Row> { row in
      zip(CalibrationReport.columns, row.cells).map { TerminalCell(title: $0.title, value: $1, align: $0.alignment) }
    }
    let lines = table.lines(for: fit.lines.map(row)).map(\.self)
    return (lines + ["", note, "", leftOut]).joined(separator: "\n")
  }

  private func row(_ line: ProfileFit.Line) -> Row {
    let constant = ProfileFit.constant(line.value, deviation: line.deviation, source: "")
    return Row(cells: [
      line.part.kind.name, line.part.component.rawValue, FigureText.short(line.value),
      "\(FigureText.short(constant.low))–\(FigureText.short(constant.high))",
      line.isDetermined ? "measured" : "near class", percent(line.share),
    ])
  }

  private var note: String {
    let classes = WorkClass.allCases.compactMap { workClass in
      fit.factors[workClass].map { "\(workClass.rawValue) \(FigureText.short(fit.speed * $0.value))" }
    }
    return """
      share: of the time of all scenarios. near class: the measurements hardly move the
        constant away from the reference's times the factor of its class.
      Nanoseconds for each reference instruction: \(classes.joined(separator: ", ")).
      """
  }

  private var leftOut: String {
    let scored = fit.leftOut.filter(\.isScored).sorted { $0.error > $1.error }
    var lines = [
      "Each scenario left out and predicted by the others: mean error \(percent(fit.meanError)) over \(scored.count);",
      "  drawn towards the reference with a deviation of \(FigureText.short(fit.priorDeviation)). The largest:",
    ]
    lines += scored.prefix(5).map { "  \($0.scenario): \(percent($0.error))" }
    let others = fit.leftOut.filter { !$0.isScored }
    if !others.isEmpty { lines.append("Not scored, since no other scenario does the same work:") }
    lines += others.map { "  \($0.scenario): \($0.uniqueWork.joined(separator: ", "))" }
    return lines.joined(separator: "\n")
  }

  private func percent(_ part: Double) -> String { "\((1_000 * part).rounded() / 10) %" }
}
