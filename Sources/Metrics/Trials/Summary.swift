/// A row of `summary.csv`: the trials of one topology and variant.
///
/// Each measure is the lower median of its own column over the trials, so the parts of a total need not add up. If a
/// simulation draws devices from its profile's ranges, the trials are the draws.
///
/// ```swift
/// let summaries = Summary.summaries(of: trials)
/// let median = summaries[0].measures.importNanoseconds
/// let least = summaries[0].range?.low.importNanoseconds
/// ```
package struct Summary: Hashable, Sendable {
  /// The identity of the shown trial. Its trial number, process identifier and start do not describe the summary.
  package var identity: TrialIdentity
  package var measures: TrialMeasures
  /// The range of the trials, measure by measure; nil in a summary read back from a file.
  package var range: Range?
  /// The trial whose frames, stalls and parts are shown; nil in a summary read back from a file.
  package var shownTrial: TrialRecord?

  /// The ends between which the trials of a summary lie.
  package struct Range: Hashable, Sendable {
    package var low: TrialMeasures
    package var high: TrialMeasures
    /// The number of trials.
    package var count: Int
    /// True if the trials are draws, and the ends the 5th and the 95th percentile; otherwise they are the least and the
    /// greatest trial.
    package var isOfDraws: Bool
    /// The hitch time of each trial, in microseconds per second, ascending.
    package var hitchRates: [Int64]
  }

  /// Creates a summary that is read back from a file.
  package init(identity: TrialIdentity, measures: TrialMeasures) {
    self.identity = identity
    self.measures = measures
  }

  /// Returns the summary of trials of one topology and variant, or nil if there are no trials.
  ///
  /// - Parameters:
  ///   - trials: The trials of the stack.
  ///   - draws: Trials on devices drawn from the profile's ranges. If there are any, the measures are computed from
  ///     them, and the other trials only provide the frames and stalls to show.
  package init?(of trials: [TrialRecord], draws: [TrialRecord] = []) {
    guard let shown = Self.shownTrial(of: trials.isEmpty ? draws : trials) else { return nil }
    let counted = draws.isEmpty ? trials : draws
    identity = shown.identity
    shownTrial = shown
    measures = shown.measures
    var range = Range(
      low: shown.measures, high: shown.measures, count: counted.count, isOfDraws: !draws.isEmpty,
      hitchRates: counted.compactMap(\.measures.hitchMicrosecondsPerSecond).sorted())
    for column in Measure.all {
      let ranked = NearestRank(counted.compactMap { $0.measures[keyPath: column.keyPath] })
      measures[keyPath: column.keyPath] = ranked[percent: 50]
      range.low[keyPath: column.keyPath] = draws.isEmpty ? ranked.minimum : ranked[percent: 5]
      range.high[keyPath: column.keyPath] = draws.isEmpty ? ranked.maximum : ranked[percent: 95]
    }
    self.range = range
    let all = trials + draws
    measures.verified = all.compactMap(\.measures.verified).min()
    let digests = Set(all.map(\.measures.storeDigest))
    measures.storeDigest = digests.count > 1 ? "mixed" : shown.measures.storeDigest
  }

  /// Returns one summary per topology and variant, in the order in which they first appear.
  package static func summaries(of trials: [TrialRecord], draws: [TrialRecord] = []) -> [Summary] {
    let drawn = Dictionary(grouping: draws, by: \.identity.name)
    return TrialsByStack(trials).compactMap { trials in
      Summary(of: trials, draws: trials.first.flatMap { drawn[$0.identity.name] } ?? [])
    }
  }

  /// Returns the trial with the lower median of `hitch_total_ns`. Ties are broken by `import_ns`, then by number.
  private static func shownTrial(of trials: [TrialRecord]) -> TrialRecord? {
    func rank(_ trial: TrialRecord) -> (Int64, Int64, Int) {
      (
        trial.measures.hitchTotalNanoseconds ?? .max, trial.measures.importNanoseconds ?? .max,
        trial.identity.trial
      )
    }
    let sorted = trials.sorted { rank($0) < rank($1) }
    return sorted.isEmpty ? nil : sorted[(sorted.count - 1) / 2]
  }
}
