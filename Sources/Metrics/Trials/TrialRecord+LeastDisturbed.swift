extension [TrialRecord] {
  /// Of each stack one record: the mean of that half of its trials that took the least CPU, ties by number, in the order
  /// in which stacks first appear.
  ///
  /// All trials of a stack do the same work, and what else a host does makes that work take more CPU (caches, clock
  /// rate, a core's other thread) and never less: these are the trials that it disturbed least. Half of them, rounded
  /// up: where the host is slow all the time, a single quick trial says more about the host than about the stack. The
  /// same trials for all measures, so that parts add up, to a nanosecond each, as means are rounded. What is no measure
  /// is that of the trial with the least.
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

  /// Rounded to the nearest; nil if one is.
  private static func mean(_ values: [Int64?]) -> Int64? {
    let known = values.compactMap(\.self)
    guard known.count == values.count else { return nil }
    return Int64((known.map(Double.init).reduce(0, +) / Double(known.count)).rounded())
  }
}
