import Metrics

/// The files that `validate --published … --output` writes.
package enum PublishedTables {
  package static let header = [
    "table", "row", "figure", "clock", "role", "published_ns", "simulated_ns", "error_ppm", "within_band",
  ]

  /// Returns `published.csv`: one record for each figure.
  package static func csv(of comparisons: [PublishedComparison]) -> CSV {
    CSV(
      header: header,
      records: comparisons.flatMap(\.figures).map { result in
        [result.table, result.row, result.figure, result.clock.rawValue, result.role.rawValue]
          + [
            result.publishedNanoseconds, result.simulatedNanoseconds, result.errorPartsPerMillion,
            result.isWithinBand ? 1 : 0,
          ].map { "\($0)" }
      })
  }

  /// Returns `published.md`: a table of figures for each published table, its orders, the summary of all, and the
  /// constraints if there are any.
  package static func markdown(of comparisons: [PublishedComparison], constraints: [ConstraintResult] = []) -> String {
    let sections = comparisons.map { section(of: $0) }
    let summary = "```\n\(PublishedSummaryText.text(of: PublishedSummary(comparisons)))```\n"
    let checks = constraints.isEmpty ? [] : [ConstraintText.markdown(of: constraints)]
    return (["# Published figures and simulated ones\n"] + sections + ["## Summary\n", summary] + checks)
      .joined(separator: "\n")
  }

  private static func section(of comparison: PublishedComparison) -> String {
    var lines = [
      "## \(comparison.table)", "", "\(comparison.title); simulated on `\(comparison.profile)`.", "",
      "| row | figure | published | simulated | error | role | in band |", "|---|---|---|---|---|---|---|",
    ]
    lines += comparison.figures.map { result in
      let cells = [
        result.row, result.figure, PublishedNumber.time(result.publishedNanoseconds),
        PublishedNumber.time(result.simulatedNanoseconds), PublishedNumber.error(result.errorPartsPerMillion),
        result.role.rawValue, result.isWithinBand ? "yes" : "no",
      ]
      return "| " + cells.joined(separator: " | ") + " |"
    }
    if !comparison.orders.isEmpty {
      lines += ["", "| order | simulated | at least | at most | comes out |", "|---|---|---|---|---|"]
      lines += comparison.orders.map { order in
        let cells = [
          "`\(order.name)`", order.valuePartsPerMillion.map(PublishedNumber.ratio) ?? "–",
          PublishedNumber.ratio(order.lowPartsPerMillion),
          order.highPartsPerMillion.map(PublishedNumber.ratio) ?? "–", order.passed ? "yes" : "no",
        ]
        return "| " + cells.joined(separator: " | ") + " |"
      }
    }
    return lines.joined(separator: "\n") + "\n"
  }
}
