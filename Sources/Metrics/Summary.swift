/// The trials of one topology and variant in one row of `summary.csv`.
///
/// Totals and parts come from one trial, the median, so that parts still add up; order statistics (`_p50`, `_p95`,
/// `_p99`, `_max`) are the lower median over the trials.
package struct Summary: Hashable, Sendable {
  /// The median trial's; its trial, pid and start are not the summary's.
  package var identity: TrialIdentity
  package var measures: TrialMeasures
  /// The trial whose frames and stalls are kept; nil in a summary read back from a file.
  package var medianTrial: TrialRecord?

  /// A summary read back from a file.
  package init(identity: TrialIdentity, measures: TrialMeasures) {
    self.identity = identity
    self.measures = measures
  }

  /// The summary of trials of one topology and variant; nil without a trial.
  package init?(of trials: [TrialRecord]) {
    guard let median = Self.medianTrial(of: trials) else { return nil }
    identity = median.identity
    medianTrial = median
    measures = median.measures
    for column in Measure.all where column.isOrderStatistic {
      measures[keyPath: column.keyPath] = Self.lowerMedian(trials.compactMap { $0.measures[keyPath: column.keyPath] })
    }
    measures.verified = trials.compactMap(\.measures.verified).min()
    let digests = Set(trials.map(\.measures.storeDigest))
    measures.storeDigest = digests.count > 1 ? "mixed" : median.measures.storeDigest
  }

  /// One summary per topology and variant, in the order in which they first appear.
  package static func summaries(of trials: [TrialRecord]) -> [Summary] {
    TrialsByStack(trials).compactMap(Summary.init(of:))
  }

  /// The lower median of `hitch_total_ns`, ties by `import_ns`, then by number.
  private static func medianTrial(of trials: [TrialRecord]) -> TrialRecord? {
    func rank(_ trial: TrialRecord) -> (Int64, Int64, Int) {
      (
        trial.measures.hitchTotalNanoseconds ?? .max, trial.measures.importNanoseconds ?? .max,
        trial.identity.trial
      )
    }
    let sorted = trials.sorted { rank($0) < rank($1) }
    return sorted.isEmpty ? nil : sorted[(sorted.count - 1) / 2]
  }

  private static func lowerMedian(_ values: [Int64]) -> Int64? {
    values.isEmpty ? nil : values.sorted()[(values.count - 1) / 2]
  }
}
