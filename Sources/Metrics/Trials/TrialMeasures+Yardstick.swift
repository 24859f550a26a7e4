extension TrialMeasures {
  /// The measures whose length follows the computer's speed, because they consist almost entirely of CPU time.
  ///
  /// Stalls and windows do not follow it, because ticks and timers set their pace, and neither does waiting.
  package static let measuresOfSpeed: [Measure] = Measure.all.filter { measure in
    if [.importTime, .mainBusy, .mainCPU].contains(measure) { return true }
    return TimeLabel.mainBusy.contains { $0 != .wait && measure.name == "main_\($0.name)_ns" }
  }

  /// Returns the measures as they would have been with another yardstick: the measures of speed, multiplied by the
  /// ratio of that yardstick to the trial's own.
  ///
  /// The measures stay unchanged if the trial has no yardstick.
  package func atYardstick(_ nanoseconds: Double) -> TrialMeasures {
    guard let own = yardstickNanoseconds, own > 0, nanoseconds > 0 else { return self }
    var scaled = self
    for measure in Self.measuresOfSpeed {
      scaled[keyPath: measure.keyPath] = self[keyPath: measure.keyPath].map { value in
        Int64(clampingRounded: Double(value) * nanoseconds / Double(own))
      }
    }
    return scaled
  }
}
