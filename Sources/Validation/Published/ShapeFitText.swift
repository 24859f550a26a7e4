import Foundation
import MachineSimulated
import Metrics
import Reporting

/// The text that `validate --published all --fit` prints.
struct ShapeFitText {
  private let fit: ShapeFit
  private let published: [PublishedTable]

  init(_ fit: ShapeFit, _ published: [PublishedTable]) {
    self.fit = fit
    self.published = published
  }

  var text: String {
    [groups, "", tables, "", orders, ""].joined(separator: "\n")
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
        "Within left-out tables, figures are \(FigureText.short(fit.excessWithinTables)) times as far off as the fit "
          + "expects, so that ranges are as much wider.",
      ]
      + fit.scores.map { deviation, score in
        "  \(FigureText.short(deviation)): mean |log error| \(FigureText.short(score.mean)) ± \(FigureText.short(score.standardError))"
      }).joined(separator: "\n")
  }

  private var tables: String {
    var lines = ["Each table left out and predicted by the others:"]
    lines += fit.tableErrors.map { "  \($0.table): \(percent(exp($0.mean) - 1)) on average" }
    lines.append("  Over tables: \(percent(exp(fit.scatterBetweenTables) - 1)), which is the band of a device's speed.")
    lines.append("  Figures of one table against each other: \(percent(exp(fit.scatterWithinTables) - 1)).")
    return lines.joined(separator: "\n")
  }

  /// The orders of all tables, as the fit has them and as it has them without their table.
  private var orders: String {
    struct Line {
      let fitted: PublishedOrder
      let leftOut: PublishedOrder
    }
    let lines = published.flatMap { table in
      zip(orders(of: table, fit.time(ofFigure:)), orders(of: table, fit.timeWithoutTable(ofFigure:))).map(Line.init)
    }
    let page = PageTable(
      of: lines,
      [
        PageColumn("order") { $0.fitted.name },
        PageColumn("fitted", .right) { value($0.fitted) }, PageColumn("holds") { $0.fitted.passed ? "yes" : "no" },
        PageColumn("left out", .right) { value($0.leftOut) }, PageColumn("holds") { $0.leftOut.passed ? "yes" : "no" },
      ])
    let (fitted, leftOut) = (lines.count { $0.fitted.passed }, lines.count { $0.leftOut.passed })
    return
      (TerminalTable(page).lines + [
        "", "\(fitted) of \(lines.count) orders hold, and \(leftOut) when their table is left out.",
      ]).joined(separator: "\n")
  }

  private func orders(of table: PublishedTable, _ time: (Int) -> Double) -> [PublishedOrder] {
    table.orders { row, figure in
      let row = table.rows[row]
      let figure = row.figures[figure]
      let place = fit.figures.firstIndex { ($0.table, $0.row, $0.name) == (table.name, row.title, figure.name) }
      return figure.overheadAmount + (place.map { Int64(time($0).rounded()) } ?? 0)
    }
  }

  private func value(_ order: PublishedOrder) -> String {
    order.valuePartsPerMillion.map { FigureText.short(Double($0) / 1e6) } ?? "–"
  }

  private func percent(_ part: Double) -> String {
    let rounded = Int((100 * part).rounded())
    return rounded > 0 ? "+\(rounded) %" : "\(rounded) %"
  }
}
