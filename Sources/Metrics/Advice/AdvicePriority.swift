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
        "hitch_total_ns", "stall_ns_p99", "edit_response_ns_p99", "time_to_visible_ns_p99", "main_busy_ns", "import_ns",
      ].map(AdviceCriterion.primary)
    case .freshness: [.primary("time_to_visible_ns_p99"), .primary("edit_response_ns_p99")]
    case .durability:
      [
        AdviceCriterion("at_risk_ns_max", "at risk", like: "time_to_visible_ns_p99"),
        AdviceCriterion("edit_at_risk_ns_max", "edits at risk", like: "time_to_visible_ns_p99"),
        AdviceCriterion("time_to_durable_ns_p99", "durable p99", like: "time_to_visible_ns_p99"),
      ]
    case .importSpeed: [.primary("import_ns")]
    case .memory: [.primary("heap_peak_bytes"), .primary("allocated_bytes")]
    }
  }
}

/// A measure that ranks stacks, with the smallest difference that separates two of them.
package struct AdviceCriterion: Hashable, Sendable {
  package let measure: Measure
  /// The name of the criterion in texts.
  package let title: String
  private let floors: PrimaryMeasure

  /// Creates a criterion from the name of a measure, with the floors of the primary measure `model`. Traps if either
  /// name is unknown, or if the lowest value of the measure is not the best.
  fileprivate init(_ measure: String, _ title: String, like model: String) {
    guard let found = Measure.named(measure), found.better == .lower,
      let floors = PrimaryMeasure.all.first(where: { $0.measure.name == model })
    else { fatalError("\(measure) or \(model) is not a measure that can rank stacks") }
    self.measure = found
    self.title = title
    self.floors = floors
  }

  fileprivate static func primary(_ name: String) -> AdviceCriterion {
    guard let primary = PrimaryMeasure.all.first(where: { $0.measure.name == name }) else {
      fatalError("\(name) is not a primary measure")
    }
    return AdviceCriterion(name, primary.title, like: name)
  }

  /// True for what a user feels: hitches, stalls and waits. The work of main and the length of an import are not felt.
  package var isFelt: Bool { !["main_busy_ns", "import_ns"].contains(measure.name) }

  /// Returns a stack's value, or the greatest integer if it was not measured, so that it ranks last.
  package func value(of measures: TrialMeasures) -> Int64 { measures[keyPath: measure.keyPath] ?? .max }

  /// Returns true if `best` is less than `other` by more than the criterion's floor around `best`, or if only `other`
  /// was not measured.
  package func tellsApart(_ best: Int64, _ other: Int64) -> Bool {
    guard best < other else { return false }
    guard other < .max else { return true }
    return Double(other - best) > floors.floor(around: best)
  }
}
