/// A stack among those that could be advised: what it came to, on the profile's values and in each draw.
package struct AdviceCandidate: Hashable, Sendable {
  /// `topology/variant`, or the topology alone.
  package let name: String
  package let measures: TrialMeasures
  /// By the number of the draw; empty where none was drawn.
  package let draws: [Int: TrialMeasures]
  /// Contexts that are wired at a time: the fewer, the less there is to get wrong.
  package let contextCount: Int
  /// What follows a save, or a payload.
  package let ruleCount: Int

  package init(
    name: String, measures: TrialMeasures, draws: [Int: TrialMeasures] = [:], contextCount: Int, ruleCount: Int
  ) {
    self.name = name
    self.measures = measures
    self.draws = draws
    self.contextCount = contextCount
    self.ruleCount = ruleCount
  }

  /// How it stands to each limit, in their order.
  package func checks(_ limits: [AdviceLimit]) -> [LimitCheck] { limits.map { $0.check(measures) } }

  package func qualifies(_ limits: [AdviceLimit]) -> Bool { checks(limits).allSatisfy(\.isMet) }

  /// The same stack on the device of one draw; nil where it has none.
  func drawn(_ number: Int) -> AdviceCandidate? {
    draws[number].map {
      AdviceCandidate(name: name, measures: $0, contextCount: contextCount, ruleCount: ruleCount)
    }
  }

  /// The same stack, of which nothing was drawn.
  var withoutDraws: AdviceCandidate {
    AdviceCandidate(name: name, measures: measures, contextCount: contextCount, ruleCount: ruleCount)
  }

  /// Whether its wiring is simpler than another's.
  package func isSimpler(than other: AdviceCandidate) -> Bool {
    (contextCount, ruleCount) < (other.contextCount, other.ruleCount)
  }
}
