/// One measure of one stack on one workload: what live runs gave, and what the simulation said.
package struct ValidationFigure: Hashable, Sendable, Codable {
  /// The name of the measure's column.
  package let measure: String
  package let runCount: Int
  /// The lower median of the live runs.
  package let liveMedianNanoseconds: Int64
  package let liveMinimumNanoseconds: Int64
  package let liveMaximumNanoseconds: Int64
  package let predictedNanoseconds: Int64
  /// 10⁶·(predicted − live)/live, where live counts as at least the floor.
  package let errorPartsPerMillion: Int64
  /// 10⁶·(maximum − minimum)/median of the live runs, with the same floor.
  package let spreadPartsPerMillion: Int64

  /// 10⁶·|difference|/median between the medians of the odd and the even live runs, with the same floor, or nil with one
  /// run.
  ///
  /// Two halves of the same runs differ by what the computer does and not by any prediction: no error can be trusted
  /// that is smaller.
  package let halvesPartsPerMillion: Int64?

  /// Above this spread, 13 %, the live runs do not agree with each other any better than a good prediction does with them.
  package static let unsteadyPartsPerMillion: Int64 = 130_000

  package var isUnsteady: Bool { spreadPartsPerMillion > Self.unsteadyPartsPerMillion }

  /// - Parameters:
  ///   - live: one figure for each run; nil if there is none.
  ///   - floor: a difference is a share of the figure, or of this where the figure is smaller.
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

  /// Returns true if the live runs tell this figure and another stack's apart.
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
