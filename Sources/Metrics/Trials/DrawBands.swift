/// What a simulation says of devices drawn from a profile's ranges: how far each measure may lie from what the profile's
/// values say, and how often the stacks rank as they do there.
///
/// A ranking orders the stacks by one measure, the smallest first; equal values share a rank, and so do the stacks for
/// which it was not measured, behind all others. It holds in a draw if every two stacks compare as they do by the
/// profile's values: a tie that a draw breaks is another ranking, and so is a new tie.
package struct DrawBands: Hashable, Sendable {
  /// How many draws have a trial of every stack: those whose rankings are compared.
  package let drawCount: Int
  /// The names of the stacks, in the order of `Band`s.
  package let names: [String]
  /// One for each measure asked for, in their order.
  package let measures: [Measure]

  package struct Measure: Hashable, Sendable {
    /// One a stack; nil where no draw measured it.
    package let bands: [Band?]
    /// In how many draws the ranking of the stacks by this measure holds; nil where nobody measured it, and with fewer
    /// than two stacks.
    package let holdingCount: Int?
  }

  /// Between which values nine draws of ten lie, ends included.
  package struct Band: Hashable, Sendable {
    /// The 5th percentile, by nearest rank.
    package let low: Int64
    /// The 95th.
    package let high: Int64

    package init(low: Int64, high: Int64) {
      self.low = low
      self.high = high
    }
  }

  /// - Parameters:
  ///   - draws: The trials of all draws, each with its number in `simulation.draw`.
  ///   - values: What the profile's values say, one summary a stack.
  package init(
    of draws: [TrialRecord], values: [Summary], by measures: [any KeyPath<TrialMeasures, Int64?> & Sendable]
  ) {
    let names = values.map(\.identity.name)
    let complete = Self.complete(draws, names)
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
  private static func complete(_ draws: [TrialRecord], _ names: [String]) -> [[TrialMeasures]] {
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

  /// How many stacks are better than each.
  private static func ranks(_ values: [Int64?]) -> [Int] {
    values.map { value in values.count { $0 ?? .max < value ?? .max } }
  }
}

extension DrawBands.Band {
  /// nil of an empty series.
  fileprivate init?(of series: [Int64]) {
    let ranked = NearestRank(series)
    guard let low = ranked[percent: 5], let high = ranked[percent: 95] else { return nil }
    self.init(low: low, high: high)
  }
}
