extension [TrialRecord] {
  /// Of each stack the trial that took the least CPU, ties by number, in the order in which stacks first appear.
  ///
  /// All trials of a stack do the same work, and what else a host does makes that work take more CPU (caches, clock rate,
  /// a core's other thread) and never less: this is the trial that it disturbed least. One trial, not the least of
  /// each measure, so that parts add up.
  package var leastDisturbed: [TrialRecord] {
    func rank(_ trial: TrialRecord) -> (Int64, Int) {
      (trial.measures.totalCPUNanoseconds ?? .max, trial.identity.trial)
    }
    return TrialsByStack(self).compactMap { trials in trials.min { rank($0) < rank($1) } }
  }
}
