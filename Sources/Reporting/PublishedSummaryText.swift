import Metrics

/// The text that closes `validate --published all`: mean errors by role and clock, and the orders.
package enum PublishedSummaryText {
  package static func text(of summary: PublishedSummary) -> String {
    let rows = TerminalTable<(String, PublishedSummary.Errors)> { role, errors in
      [
        TerminalCell(title: "all tables", value: role),
        TerminalCell(title: "figures", value: "\(errors.count)", align: .right),
        TerminalCell(title: "mean error, CPU", value: error(errors.meanCPUErrorPartsPerMillion), align: .right),
        TerminalCell(title: "mean error, wall", value: error(errors.meanWallErrorPartsPerMillion), align: .right),
        TerminalCell(title: "in band", value: "\(errors.withinBandCount)", align: .right),
      ]
    }
    return rows.text(for: [("fitted", summary.fitted), ("predicted", summary.predicted)])
      + "\n\(summary.passedOrderCount) of \(summary.orderCount) orders come out.\n"
  }

  private static func error(_ partsPerMillion: Int64?) -> String {
    guard let partsPerMillion else { return "-" }
    return "\((partsPerMillion + 5_000) / 10_000) %"
  }
}
