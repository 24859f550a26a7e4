extension [TrialRecord] {
  /// One record for each stack, in the order in which stacks first appear: the mean of the half of its trials that took
  /// the least CPU time. Ties are broken by number.
  ///
  /// All trials of a stack do the same work, and the host's other activity (caches, clock rate, a core's other thread)
  /// only ever makes that work take more CPU time, so these are the trials that it disturbed least. The half is rounded
  /// up. A single trial would not do: on a host that is always slow, one quick trial says more about the host than
  /// about the stack.
  ///
  /// All measures use the same trials. Parts therefore add up to their total, with an error of at most a nanosecond
  /// each, since means are rounded. Values that are not measures come from the trial with the least CPU time.
  package var leastDisturbed: [TrialRecord] {
    func rank(_ trial: TrialRecord) -> (Int64, Int) {
      (trial.measures.totalCPUNanoseconds ?? .max, trial.identity.trial)
    }
    return TrialsByStack(self).compactMap { trials in
      let half = trials.sorted { rank($0) < rank($1) }.prefix((trials.count + 1) / 2)
      var standing = half[0]
      for measure in Measure.all {
        standing.measures[keyPath: measure.keyPath] = Self.mean(half.map { $0.measures[keyPath: measure.keyPath] })
      }
      return standing
    }
  }

  /// Returns the mean, rounded to the nearest integer, or nil if a value is nil.
  private static func mean(_ values: [Int64?]) -> Int64? {
    let known = values.compactMap(\.self)
    guard known.count == values.count else { return nil }
    return Int64((known.map(Double.init).reduce(0, +) / Double(known.count)).rounded())
  }
}
