/// An upper limit on a measure. A stack that exceeds it is not advised.
package struct AdviceLimit: Hashable, Sendable {
  package let measure: Measure
  /// The name of the limit in tables.
  package let title: String
  /// The greatest allowed value, in the measure's unit.
  package let most: Int64

  init(_ measure: Measure, title: String, most: Int64) {
    self.measure = measure
    self.title = title
    self.most = most
  }

  /// Returns the result of comparing a stack's value with the limit. A missing value does not meet the limit.
  package func check(_ measures: TrialMeasures) -> LimitCheck {
    LimitCheck(limit: self, value: measures[keyPath: measure.keyPath])
  }
}

// MARK: - The limits

extension AdviceLimit {
  /// Returns a limit on hitch time per second, the quantity for which Apple publishes bands.
  package static func hitchRatio(microsecondsPerSecond most: Int64) -> AdviceLimit {
    AdviceLimit(.hitchRatio, title: "hitch ratio", most: most)
  }

  /// Returns a limit on the longest stall.
  package static func stall(nanoseconds most: Int64) -> AdviceLimit {
    AdviceLimit(.stallMaximum, title: "stall", most: most)
  }

  /// Returns a limit on the time to visible of the payload that took longest.
  package static func timeToVisible(nanoseconds most: Int64) -> AdviceLimit {
    AdviceLimit(.timeToVisibleMaximum, title: "visible", most: most)
  }

  /// Returns a limit on the longest time for which a payload was visible but would not have survived the app's death.
  package static func atRisk(nanoseconds most: Int64) -> AdviceLimit {
    AdviceLimit(.atRiskMaximum, title: "at risk", most: most)
  }

  /// Returns a limit on the duration of the whole import.
  package static func importing(nanoseconds most: Int64) -> AdviceLimit {
    AdviceLimit(.importTime, title: "import", most: most)
  }

  /// Returns a limit on the response time of the edit that took longest.
  package static func editResponse(nanoseconds most: Int64) -> AdviceLimit {
    AdviceLimit(.editResponseMaximum, title: "edit", most: most)
  }

  /// The limits on correctness, which apply without being asked for.
  ///
  /// A stack that is fast because its data or its screens are wrong is not advised, even if this is its known behaviour
  /// and its trials verify.
  package static let correctness = [
    AdviceLimit(.lostEdits, title: "lost edits", most: 0),
    AdviceLimit(.duplicates, title: "duplicates", most: 0),
    AdviceLimit(.staleRows, title: "stale rows", most: 0),
  ]
}

/// A limit and a stack's value of its measure.
package struct LimitCheck: Hashable, Sendable {
  package let limit: AdviceLimit
  /// The stack's value, or nil if it was not measured.
  package let value: Int64?

  package var isMet: Bool { value.map { $0 <= limit.most } ?? false }

  /// The amount by which the value exceeds the limit, in the measure's unit; nil if the limit is met or the value was
  /// not measured.
  package var excess: Int64? { value.flatMap { $0 > limit.most ? $0 - limit.most : nil } }

  /// The excess as a share of the limit: 0 if the limit is met, infinity if the limit is 0 or the value was not
  /// measured.
  package var share: Double {
    if isMet { return 0 }
    guard let excess, limit.most > 0 else { return .infinity }
    return Double(excess) / Double(limit.most)
  }
}
