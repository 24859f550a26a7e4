import Metrics

/// The file `validation.csv`, which has one row for each measure of each cell, including the parts of the main queue's
/// time.
package enum ValidationTable {
  package static let header = [
    "workload", "topology", "profile", "rows", "measure", "runs_count", "live_ns_median", "live_ns_min", "live_ns_max",
    "predicted_ns", "error_ppm", "live_spread_ppm", "unsteady", "live_halves_ppm",
  ]

  package static func csv(of result: ValidationResult) -> CSV {
    CSV(
      header: header,
      records: result.cells.flatMap { cell in
        (cell.figures + cell.parts).map { figure in
          [cell.workload, cell.topology, result.profile, "\(result.rows)"] + fields(of: figure)
        }
      })
  }

  private static func fields(of figure: ValidationFigure) -> [String] {
    let numbers: [Int64] = [
      Int64(figure.runCount), figure.liveMedianNanoseconds, figure.liveMinimumNanoseconds,
      figure.liveMaximumNanoseconds, figure.predictedNanoseconds, figure.errorPartsPerMillion,
      figure.spreadPartsPerMillion, figure.isUnsteady ? 1 : 0,
    ]
    let halves = figure.halvesPartsPerMillion.map { "\($0)" } ?? ""
    return [figure.measure] + numbers.map { "\($0)" } + [halves]
  }
}
