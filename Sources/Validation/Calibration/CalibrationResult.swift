import MachineCore
import MachineSimulated
import Metrics
import Reporting

/// The text that `stackbench calibrate` prints: each constant with its range, and the errors of predicted scenarios.
package struct CalibrationResult {
  var fit: ProfileFit

  package init(fit: ProfileFit) {
    self.fit = fit
  }

  package var text: String {
    let table = PageTable(
      of: fit.lines,
      [
        PageColumn("work") { $0.part.kind.name }, PageColumn("cost") { $0.part.component.rawValue },
        PageColumn("ns", .right) { FigureText.short($0.value) },
        PageColumn("range", .right) { line in
          let constant = ProfileFit.constant(line.value, deviation: line.deviation, source: "")
          return "\(FigureText.short(constant.low))–\(FigureText.short(constant.high))"
        },
        PageColumn("from") { $0.isDetermined ? "measured" : "near class" },
        PageColumn("share", .right) { percent($0.share) },
      ])
    return (TerminalTable(table).lines + ["", note, "", leftOut]).joined(separator: "\n")
  }

  private var note: String {
    let classes = WorkClass.allCases.compactMap { workClass in
      fit.factors[workClass].map { "\(workClass.rawValue) \(FigureText.short(fit.speed * $0.value))" }
    }
    return """
      share: of the time of all scenarios. near class: the measurements hardly change the
        reference's cost, multiplied by the factor of its class.
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
