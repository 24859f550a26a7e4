import Metrics

/// The file `published.csv`, which has one record for each published figure.
package enum PublishedFigureTable {
  package static let header = [
    "table", "row", "figure", "clock", "role", "published_ns", "simulated_ns", "error_ppm", "within_band",
    "published_bytes", "simulated_bytes",
  ]

  package static func csv(of comparisons: [PublishedComparison]) -> CSV {
    CSV(
      header: header,
      records: comparisons.flatMap(\.figures).map { result in
        let amounts = [result.published, result.simulated].map { "\($0)" }
        let (times, bytes) = result.clock == .memory ? (["", ""], amounts) : (amounts, ["", ""])
        return [result.table, result.row, result.figure, result.clock.rawValue, result.role.rawValue] + times
          + ["\(result.errorPartsPerMillion)", result.isWithinBand ? "1" : "0"] + bytes
      })
  }
}
