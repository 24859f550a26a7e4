/// The quality that matters most to the user, with the measures that rank stacks by it.
package enum AdvicePriority: String, Hashable, Sendable, CaseIterable {
  case smoothness
  case freshness
  case durability
  case importSpeed = "import-speed"
  case memory

  /// The criteria in order of precedence. The first decides; each further one ranks only the stacks that the criteria
  /// before it do not separate.
  package var criteria: [AdviceCriterion] {
    switch self {
    case .smoothness:
      [
        .hitchTotal, .stallP99, .editResponseP99, .timeToVisibleP99, .mainBusy, .importTime,
      ].map(AdviceCriterion.init)
    case .freshness: [.timeToVisibleP99, .editResponseP99].map(AdviceCriterion.init)
    case .durability:
      [
        AdviceCriterion(.atRiskMaximum, title: "at risk", like: .timeToVisibleP99),
        AdviceCriterion(.editAtRiskMaximum, title: "edits at risk", like: .timeToVisibleP99),
        AdviceCriterion(.timeToDurableP99, title: "durable p99", like: .timeToVisibleP99),
      ]
    case .importSpeed: [AdviceCriterion(.importTime)]
    case .memory: [.heapPeak, .allocatedBytes].map(AdviceCriterion.init)
    }
  }
}

/// A measure that ranks stacks, with the smallest difference that separates two of them.
package struct AdviceCriterion: Hashable, Sendable {
  package let measure: Measure
  /// The name of the criterion in texts.
  package let title: String
  private let floors: PrimaryMeasure

  /// Creates a criterion with the floors of a primary measure.
  fileprivate init(_ measure: Measure, title: String, like floors: PrimaryMeasure) {
    self.measure = measure
    self.title = title
    self.floors = floors
  }

  fileprivate init(_ primary: PrimaryMeasure) {
    self.init(primary.measure, title: primary.title, like: primary)
  }

  /// True for what a user feels: hitches, stalls and waits. The work of main and the length of an import are not felt.
  package var isFelt: Bool { ![.mainBusy, .importTime].contains(measure) }

  /// Returns a stack's value, or the greatest integer if it was not measured, so that it ranks last.
  package func value(of measures: TrialMeasures) -> Int64 { measures[keyPath: measure.keyPath] ?? .max }

  /// Returns true if `best` is less than `other` by more than the criterion's floor around `best`, or if only `other`
  /// was not measured.
  package func tellsApart(_ best: Int64, from other: Int64) -> Bool {
    guard best < other else { return false }
    guard other < .max else { return true }
    return Double(other - best) > floors.floor(around: best)
  }
}
