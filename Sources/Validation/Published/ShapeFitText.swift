import Foundation
import MachineSimulated
import Metrics
import Reporting

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
    let table = PageTable(
      of: fit.fittedShape().groups,
      [
        PageColumn("group") { $0.name }, PageColumn("costs") { $0.title },
        PageColumn("factor", .right) { FigureText.short($0.factor.value) },
        PageColumn("range", .right) {
          "\(FigureText.short($0.factor.low))–\(FigureText.short($0.factor.high))"
        },
        PageColumn("from") { $0.factor.source },
      ])
    return
      (TerminalTable(table).lines
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
