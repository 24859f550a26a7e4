/// What a stack has to keep to, or it is not advised: a measure may be so much and no more.
package struct AdviceLimit: Hashable, Sendable {
  package let measure: Measure
  /// As tables name it.
  package let title: String
  /// The most that is allowed, in the measure's unit.
  package let most: Int64

  fileprivate init(_ measure: String, _ title: String, most: Int64) {
    guard let found = Measure.named(measure), found.better == .lower else {
      fatalError("\(measure) is no measure of which less is better")
    }
    self.measure = found
    self.title = title
    self.most = most
  }

  /// How a value stands to the limit; what was not measured does not keep to it.
  package func check(_ measures: TrialMeasures) -> LimitCheck {
    LimitCheck(limit: self, value: measures[keyPath: measure.keyPath])
  }
}

// MARK: - The limits that there are

extension AdviceLimit {
  /// Hitch time per second: what Apple's bands for hitches are about.
  package static func hitchRatio(microsecondsPerSecond most: Int64) -> AdviceLimit {
    AdviceLimit("hitch_us_per_s", "hitch ratio", most: most)
  }

  /// The longest stall.
  package static func stall(nanoseconds most: Int64) -> AdviceLimit {
    AdviceLimit("stall_ns_max", "stall", most: most)
  }

  /// Of the payload that took longest.
  package static func timeToVisible(nanoseconds most: Int64) -> AdviceLimit {
    AdviceLimit("time_to_visible_ns_max", "visible", most: most)
  }

  /// For how long a payload was shown and would not have survived the app's death.
  package static func atRisk(nanoseconds most: Int64) -> AdviceLimit {
    AdviceLimit("at_risk_ns_max", "at risk", most: most)
  }

  /// Of the whole import.
  package static func importing(nanoseconds most: Int64) -> AdviceLimit {
    AdviceLimit("import_ns", "import", most: most)
  }

  /// Of the edit that took longest.
  package static func editResponse(nanoseconds most: Int64) -> AdviceLimit {
    AdviceLimit("edit_response_ns_max", "edit", most: most)
  }

  /// What nobody has to ask for: a stack that is fast because its data or its screens are wrong is not advised, though it
  /// may be known for that and its trials verify.
  package static let correctness = [
    AdviceLimit("lost_edits_count", "lost edits", most: 0),
    AdviceLimit("duplicates_count", "duplicates", most: 0),
    AdviceLimit("stale_rows_count", "stale rows", most: 0),
  ]
}

/// A limit and what a stack came to.
package struct LimitCheck: Hashable, Sendable {
  package let limit: AdviceLimit
  /// nil where it was not measured.
  package let value: Int64?

  package var isMet: Bool { value.map { $0 <= limit.most } ?? false }

  /// By how much the limit is missed, in the measure's unit; nil where it is met, and where nothing was measured.
  package var excess: Int64? { value.flatMap { $0 > limit.most ? $0 - limit.most : nil } }

  /// By what share of itself the limit is missed; 0 where it is met, without bound where it allows nothing or nothing was
  /// measured.
  package var share: Double {
    if isMet { return 0 }
    guard let excess, limit.most > 0 else { return .infinity }
    return Double(excess) / Double(limit.most)
  }
}
