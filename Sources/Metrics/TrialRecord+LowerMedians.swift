// MARK: - Several trials as one

extension TrialRecord {
  /// For each stack what stands for its trials: the lower median of each measure, in the order in which stacks first appear.
  ///
  /// Of two trials that is the lesser. What else a host does adds to a trial and never takes away, so a time that it hit
  /// once does not count. Totals and their parts may come from different trials; the work and the frames are left out.
  package static func lowerMedians(of trials: [TrialRecord]) -> [TrialRecord] {
    TrialsByStack(trials).compactMap(TrialRecord.init(lowerMediansOf:))
  }

  private init?(lowerMediansOf trials: [TrialRecord]) {
    guard let first = trials.first else { return nil }
    self.init(identity: first.identity, measures: first.measures)
    for column in Measure.all { measures[keyPath: column.keyPath] = trials.lowerMedian(of: column) }
    measures.verified = trials.verified
    measures.storeDigest = trials.storeDigest
  }
}

extension [TrialRecord] {
  /// The middle one of a measure's values, the lesser of two; nil where it was not measured.
  func lowerMedian(of measure: Measure) -> Int64? {
    let values = compactMap { $0.measures[keyPath: measure.keyPath] }
    return values.isEmpty ? nil : values.sorted()[(values.count - 1) / 2]
  }

  /// 1 if the data of all verified.
  var verified: Int64? { compactMap(\.measures.verified).min() }

  /// What all stores hold, or `mixed`.
  var storeDigest: String? {
    Set(map(\.measures.storeDigest)).count > 1 ? "mixed" : first?.measures.storeDigest
  }
}
