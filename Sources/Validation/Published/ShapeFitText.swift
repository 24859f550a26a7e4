import Foundation
import MachineSimulated
import Metrics
import Reporting
import TextTable

/// The text that `validate --published all --fit` prints.
struct ShapeFitText {
  private let fit: ShapeFit

  init(_ fit: ShapeFit) {
    self.fit = fit
  }

  var text: String {
    [groups, "", tables, ""].joined(separator: "\n")
  }

  private var groups: String {
    let table = TerminalTable<CostGroup> { group in
      [
        TerminalCell(title: "group", value: group.name), TerminalCell(title: "costs", value: group.title),
        TerminalCell(title: "factor", value: FigureText.short(group.factor.value), align: .right),
        TerminalCell(
          title: "range", value: "\(FigureText.short(group.factor.low))–\(FigureText.short(group.factor.high))",
          align: .right),
        TerminalCell(title: "from", value: group.factor.source),
      ]
    }
    return
      (table.lines(for: fit.fittedShape().groups)
      + [
        "",
        "Factors of Core Data's own groups are drawn towards \(FigureText.short(fit.commonFactor)), with a deviation of "
          + "\(FigureText.short(fit.priorDeviation)):",
        "the strongest whose error, with tables left out, lies within a standard error of the least.",
      ]
      + fit.scores.map { deviation, score in
        "  \(FigureText.short(deviation)): mean |log error| \(FigureText.short(score.mean)) ± \(FigureText.short(score.standardError))"
      }).joined(separator: "\n")
  }

  private var tables: String {
    var lines = ["Each table left out and predicted by the others:"]
    lines += fit.tableErrors.map { "  \($0.table): \(percent(exp($0.mean) - 1)) on average" }
    lines.append("  Over tables: \(percent(exp(fit.scatterBetweenTables) - 1)), which is the band of a device's speed.")
    return lines.joined(separator: "\n")
  }

  private func percent(_ part: Double) -> String {
    let rounded = Int((100 * part).rounded())
    return rounded > 0 ? "+\(rounded) %" : "\(rounded) %"
  }
}
