import Foundation
import MachineSimulated
import Metrics
import Reporting

/// The text that `validate --published all --fit` prints.
struct ShapeFitText {
  private let fit: ShapeFit
  private let published: [PublishedTable]

  init(_ fit: ShapeFit, published: [PublishedTable]) {
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

  /// The orders of all tables as the fit without their table has them. Those on the fitted devices are simulated.
  private var orders: String {
    let orders = published.flatMap(ordersWithoutTable)
    let page = PageTable(
      of: orders,
      [
        PageColumn("order") { $0.name }, PageColumn("table left out", .right) { value($0) },
        PageColumn("holds") { $0.passed ? "yes" : "no" },
      ])
    let held = orders.count { $0.passed }
    return
      (TerminalTable(page).lines + ["", "\(held) of \(orders.count) orders hold when their table is left out."])
      .joined(separator: "\n")
  }

  private func ordersWithoutTable(_ table: PublishedTable) -> [PublishedOrder] {
    table.orders { row, figure in
      let row = table.rows[row]
      let figure = row.figures[figure]
      let place = fit.figures.firstIndex { ($0.table, $0.row, $0.name) == (table.name, row.title, figure.name) }
      return figure.overheadAmount + (place.map { Int64(fit.timeWithoutTable(ofFigure: $0).rounded()) } ?? 0)
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
