/// One measure of one stack on one workload: the figures of live runs and the prediction of the simulation.
package struct ValidationFigure: Hashable, Sendable, Codable {
  /// The name of the measure's column.
  package let measure: String
  package let runCount: Int
  /// The lower median of the live runs.
  package let liveMedianNanoseconds: Int64
  package let liveMinimumNanoseconds: Int64
  package let liveMaximumNanoseconds: Int64
  package let predictedNanoseconds: Int64
  /// 10⁶·(predicted − live)/live, where live is replaced by the floor if it is smaller.
  package let errorPartsPerMillion: Int64
  /// 10⁶·(maximum − minimum)/median of the live runs, with the same floor.
  package let spreadPartsPerMillion: Int64

  /// 10⁶·|difference|/median between the medians of the odd and the even live runs, with the same floor, or nil if
  /// there is only one run.
  ///
  /// The two halves of the runs differ because of the computer and not because of a prediction, so an error that is
  /// smaller than this difference cannot be trusted.
  package let halvesPartsPerMillion: Int64?

  /// The spread, 13 %, above which the live runs agree with each other no better than a good prediction agrees with
  /// them.
  package static let unsteadyPartsPerMillion: Int64 = 130_000

  package var isUnsteady: Bool { spreadPartsPerMillion > Self.unsteadyPartsPerMillion }

  /// Creates a figure, or returns nil if there are no live figures or there is no prediction.
  ///
  /// - Parameters:
  ///   - measure: The name of the measure's column.
  ///   - live: One figure for each run.
  ///   - predicted: The simulated figure.
  ///   - floor: The smallest denominator: differences are shares of the live median, or of the floor if the median is
  ///     smaller.
  package init?(_ measure: String, live: [Int64], predicted: Int64?, floor: Int64) {
    guard let predicted, let least = live.min(), let most = live.max() else { return nil }
    let median = Self.lowerMedian(live)
    self.measure = measure
    runCount = live.count
    liveMedianNanoseconds = median
    liveMinimumNanoseconds = least
    liveMaximumNanoseconds = most
    predictedNanoseconds = predicted
    let whole = Double(max(median, floor, 1))
    errorPartsPerMillion = Int64((1e6 * Double(predicted - median) / whole).rounded())
    spreadPartsPerMillion = Int64((1e6 * Double(most - least) / whole).rounded())
    if live.count > 1 {
      let odd = Self.lowerMedian(live.indices.filter { $0.isMultiple(of: 2) }.map { live[$0] })
      let even = Self.lowerMedian(live.indices.filter { !$0.isMultiple(of: 2) }.map { live[$0] })
      halvesPartsPerMillion = Int64((1e6 * Double(abs(odd - even)) / whole).rounded())
    } else {
      halvesPartsPerMillion = nil
    }
  }

  /// Returns true if the live runs separate this figure from another stack's.
  package func isApart(from other: ValidationFigure) -> Bool { separation.isApart(from: other.separation) }

  private var separation: Separation.Figure {
    Separation.Figure(
      median: liveMedianNanoseconds, spread: liveMaximumNanoseconds - liveMinimumNanoseconds)
  }

  private static func lowerMedian(_ values: [Int64]) -> Int64 {
    values.sorted()[(values.count - 1) / 2]
  }

  private enum CodingKeys: String, CodingKey {
    case measure
    case runCount = "runs_count"
    case liveMedianNanoseconds = "live_ns_median"
    case liveMinimumNanoseconds = "live_ns_min"
    case liveMaximumNanoseconds = "live_ns_max"
    case predictedNanoseconds = "predicted_ns"
    case errorPartsPerMillion = "error_ppm"
    case spreadPartsPerMillion = "live_spread_ppm"
    case halvesPartsPerMillion = "live_halves_ppm"
  }
}
