/// A variation of the given point: one flag has another value, and the candidates have the measures that follow from
/// it.
package struct AdvicePoint: Hashable, Sendable {
  /// The flag that was varied, without its dashes.
  package let flag: String
  package let value: String
  /// The command that shows it.
  package let command: String
  package let candidates: [AdviceCandidate]
  /// True if the point is as likely to be the user's question as the given one, so that its answer is never left out.
  package let isSecondQuestion: Bool

  /// True if devices were drawn for the point.
  var hasDraws: Bool { candidates.contains { !$0.draws.isEmpty } }

  package init(
    flag: String, value: String, command: String, candidates: [AdviceCandidate], isSecondQuestion: Bool = false
  ) {
    self.flag = flag
    self.value = value
    self.command = command
    self.candidates = candidates
    self.isSecondQuestion = isSecondQuestion
  }
}

/// A comparison of the answer at a varied point with the answer at the given point.
package struct AdviceVariation: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    /// The answer stays the same: the advised stack or one of its equals also comes first there, alone or with others,
    /// or no stack qualifies at either point.
    case same
    /// The advised stack qualifies there, but others come first.
    case overtaken
    /// The advised stack does not qualify there.
    case disqualified
    /// No stack qualifies at the given point, but at least one does there.
    case found
  }

  package let point: AdvicePoint
  package let kind: Kind
  /// The names of the stacks that come first there; empty if no stack qualifies.
  package let first: [String]
  /// The limits that the advised stack misses there.
  package let missed: [LimitCheck]
  /// The criterion that ranks the advised stack behind, or nil unless the stack is overtaken.
  package let overtakenBy: AdviceCriterion?

  /// Creates the comparison of the answer at a varied point with the answer at the given point.
  ///
  /// - Parameters:
  ///   - point: The varied point.
  ///   - advised: The name of the stack advised at the given point, or nil if no stack qualifies there.
  ///   - equals: The names of the stacks that lead the advised one at the given point by the profile's values and are
  ///     not separated from it by the draws. At a point without draws, the lead of such a stack does not change the
  ///     answer.
  ///   - limits: The limits that a stack must keep to qualify.
  ///   - priority: The quality by which the stacks are ranked.
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
