/// How many times as much the stacks of a result take as one of them, the reference.
///
/// A ratio has one value for each pair of trials under the same conditions: on the same drawn device, or with the same
/// number among the trials of their stacks. If devices were drawn, the device with the profile's own values is left out.
///
/// ```swift
/// let ratios = StackRatios(to: "all-main", of: trials, by: [\.importNanoseconds])
/// let median = ratios?.stacks[0].ratios[0]?.median
/// ```
package struct StackRatios: Hashable, Sendable {
  /// The name of the stack with which the others are compared.
  package let reference: String
  /// The other stacks, in the order in which they first appear.
  package let stacks: [Stack]
  /// True if the pairs are draws, and the ends of the ranges the 5th and the 95th percentile. Otherwise they are the
  /// least and the greatest ratio.
  package let isOfDraws: Bool

  package struct Stack: Hashable, Sendable {
    package let name: String
    /// The ratios in the order of the requested measures, each nil if no pair of trials has the measure.
    package let ratios: [Ratio?]
  }

  /// The ratios of the pairs in parts per million of the reference.
  package struct Ratio: Hashable, Sendable {
    /// The ratio of a stack to a reference that takes nothing.
    package static let fromZero = Int64.max

    /// The lower median.
    package let median: Int64
    package let low: Int64
    package let high: Int64
    /// The number of pairs.
    package let count: Int
  }

  /// Compares the stacks of a result with one of them, or returns nil if the reference has no trial or there is no other stack.
  ///
  /// - Parameters:
  ///   - reference: The name of the stack with which the others are compared.
  ///   - trials: The trials of all stacks.
  ///   - measures: The measures to compare.
  package init?(
    to reference: String, of trials: [TrialRecord], by measures: [any KeyPath<TrialMeasures, Int64?> & Sendable]
  ) {
    let draws = trials.filter { $0.simulation?.draw != nil }
    let isOfDraws = !draws.isEmpty
    let grouped = TrialsByStack(isOfDraws ? draws : trials)
    guard let own = grouped.trials[reference], grouped.names.count > 1 else { return nil }
    self.reference = reference
    self.isOfDraws = isOfDraws
    let references = Dictionary(own.map { (Self.condition(of: $0), $0.measures) }) { first, _ in first }
    stacks = grouped.names.filter { $0 != reference }.map { name in
      let pairs = (grouped.trials[name] ?? []).compactMap { trial in
        references[Self.condition(of: trial)].map { (trial.measures, $0) }
      }
      return Stack(
        name: name,
        ratios: measures.map { measure in
          Ratio(
            pairs.compactMap { Self.ratio($0[keyPath: measure], to: $1[keyPath: measure]) }, isOfDraws: isOfDraws)
        })
    }
  }

  /// Returns the number that trials under the same conditions share.
  private static func condition(of trial: TrialRecord) -> Int { trial.simulation?.draw ?? trial.identity.trial }

  /// Returns a value in parts per million of another, which count as equal if both are zero.
  private static func ratio(_ value: Int64?, to reference: Int64?) -> Int64? {
    guard let value, let reference else { return nil }
    guard reference != 0 else { return value == 0 ? 1_000_000 : Ratio.fromZero }
    return Int64(clamping: Int128(value) * 1_000_000 / Int128(reference))
  }
}

extension StackRatios.Ratio {
  /// Creates the ratio of a series of pairs, or returns nil if the series is empty.
  fileprivate init?(_ ratios: [Int64], isOfDraws: Bool) {
    let ranked = NearestRank(ratios)
    guard let median = ranked[percent: 50],
      let low = isOfDraws ? ranked[percent: 5] : ranked.minimum,
      let high = isOfDraws ? ranked[percent: 95] : ranked.maximum
    else { return nil }
    self.init(median: median, low: low, high: high, count: ratios.count)
  }
}
