/// A point beside the given one: one flag with another value, and what the stacks came to there.
package struct AdvicePoint: Hashable, Sendable {
  /// The flag that was varied, without its dashes.
  package let flag: String
  package let value: String
  /// The command that shows it.
  package let command: String
  package let candidates: [AdviceCandidate]

  package init(flag: String, value: String, command: String, candidates: [AdviceCandidate]) {
    self.flag = flag
    self.value = value
    self.command = command
    self.candidates = candidates
  }
}

/// Whether the answer is another one at a point beside the given one.
package struct AdviceTurn: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    /// The advised stack is first there too, alone or with others; or there was none, and there is none.
    case same
    /// It qualifies there, but others come first.
    case overtaken
    /// It does not qualify there.
    case disqualified
    /// Nothing qualified at the given point; something does there.
    case found
  }

  package let point: AdvicePoint
  package let kind: Kind
  /// Which stacks come first there, the simplest wiring first; empty where none qualifies.
  package let first: [String]
  /// The limits that the stack which was advised misses there.
  package let missed: [LimitCheck]
  /// What told the stack that was advised off; nil unless it was overtaken.
  package let overtakenBy: AdviceCriterion?

  /// - Parameters:
  ///   - advised: The name of the stack advised at the given point; nil = none qualified there.
  ///   - equals: Those that led it there by the profile's values and were not told apart in the draws: there are no draws
  ///     here, so that their lead alone is nothing new.
  init(
    at point: AdvicePoint, from advised: String?, equals: [String], limits: [AdviceLimit], priority: AdvicePriority
  ) {
    self.point = point
    let ranking = AdviceRanking(of: point.candidates.filter { $0.qualifies(limits) }, by: priority)
    first = ranking.first.map(\.name)
    guard let advised, let there = point.candidates.first(where: { $0.name == advised }) else {
      kind = first.isEmpty ? .same : .found
      missed = []
      overtakenBy = nil
      return
    }
    missed = there.checks(limits).filter { !$0.isMet }
    let isFirst = ([advised] + equals).contains(where: ranking.contains)
    kind = !missed.isEmpty ? .disqualified : isFirst ? .same : .overtaken
    overtakenBy = isFirst ? nil : ranking.behind.first { $0.candidate.name == advised }?.criterion
  }
}
