/// The spread of each measure over devices drawn from a profile's ranges, and the number of draws in which the stacks
/// rank as they do by the profile's values.
///
/// A ranking orders the stacks by one measure, the smallest first. Equal values share a rank, and so do the stacks for
/// which the measure is missing, which rank last. The ranking holds in a draw if every two stacks compare as they do by
/// the profile's values: a draw that breaks a tie or makes a new one has a different ranking.
package struct DrawBands: Hashable, Sendable {
  /// The number of draws that have a trial of every stack. Only their rankings are compared.
  package let drawCount: Int
  /// The names of the stacks, in the order of `Measure.bands`.
  package let names: [String]
  /// The results for the requested measures, in the order of the request.
  package let measures: [Measure]

  package struct Measure: Hashable, Sendable {
    /// One band for each stack, or nil if no draw measured it.
    package let bands: [Band?]
    /// The number of draws in which the ranking of the stacks by this measure holds; nil if the profile's values lack
    /// the measure or there are fewer than two stacks.
    package let holdingCount: Int?
  }

  /// The range in which nine draws of ten lie, both ends included.
  package struct Band: Hashable, Sendable {
    /// The 5th percentile, by nearest rank.
    package let low: Int64
    /// The 95th percentile, by nearest rank.
    package let high: Int64

    package init(low: Int64, high: Int64) {
      self.low = low
      self.high = high
    }
  }

  /// - Parameters:
  ///   - draws: The trials of all draws, each with its number in `simulation.draw`.
  ///   - values: The summaries by the profile's values, one for each stack.
  ///   - measures: The measures to compare.
  package init(
    of draws: [TrialRecord], values: [Summary], by measures: [any KeyPath<TrialMeasures, Int64?> & Sendable]
  ) {
    let names = values.map(\.identity.name)
    let complete = Self.complete(draws, names: names)
    drawCount = complete.count
    self.names = names
    self.measures = measures.map { measure in
      let bands = names.map { name in
        Band(of: draws.filter { $0.identity.name == name }.compactMap { $0.measures[keyPath: measure] })
      }
      let expected = values.map { $0.measures[keyPath: measure] }
      let isRanked = names.count > 1 && expected.contains { $0 != nil }
      return Measure(
        bands: bands,
        holdingCount: isRanked
          ? complete.count { Self.ranksAlike(expected, $0.map { $0[keyPath: measure] }) } : nil)
    }
  }

  /// The measures of each draw that has a trial of every stack, in the order of `names`.
  private static func complete(_ draws: [TrialRecord], names: [String]) -> [[TrialMeasures]] {
    Set(draws.compactMap { $0.simulation?.draw }).sorted().compactMap { number in
      let measures = names.compactMap { name in
        draws.first { $0.simulation?.draw == number && $0.identity.name == name }?.measures
      }
      return measures.count == names.count ? measures : nil
    }
  }

  private static func ranksAlike(_ expected: [Int64?], _ drawn: [Int64?]) -> Bool {
    ranks(expected) == ranks(drawn)
  }

  /// Returns, for each stack, the number of stacks that are better.
  private static func ranks(_ values: [Int64?]) -> [Int] {
    values.map { value in values.count { $0 ?? .max < value ?? .max } }
  }
}

extension DrawBands.Band {
  /// Creates the band of a series, or returns nil if the series is empty.
  fileprivate init?(of series: [Int64]) {
    let ranked = NearestRank(series)
    guard let low = ranked[percent: 5], let high = ranked[percent: 95] else { return nil }
    self.init(low: low, high: high)
  }
}
