/// A stack that could be advised, with its measures by the profile's values and in each draw.
package struct AdviceCandidate: Hashable, Sendable {
  /// The stack's name: `topology/variant`, or the topology alone if there is no variant.
  package let name: String
  package let measures: TrialMeasures
  /// The measures of each draw, keyed by the draw's number; empty if there are no draws.
  package let draws: [Int: TrialMeasures]
  /// The number of contexts that exist at a time. A stack with fewer contexts has simpler wiring.
  package let contextCount: Int
  /// The number of rules for what follows a save or a payload.
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

  /// Creates a stack from its summary and the trials that repeat it, on drawn devices or on one machine.
  ///
  /// If several trials have the same number, the first counts.
  package init(_ summary: Summary, repeatedIn trials: [TrialRecord], contextCount: Int, ruleCount: Int) {
    let numbered = trials.filter { $0.identity.name == summary.identity.name }.map { trial in
      (trial.simulation?.draw ?? trial.identity.trial, trial.measures)
    }
    self.init(
      name: summary.identity.name, measures: summary.measures, draws: Dictionary(numbered) { first, _ in first },
      contextCount: contextCount, ruleCount: ruleCount)
  }

  /// Returns the stack's result for each limit, in the order of the limits.
  package func checks(_ limits: [AdviceLimit]) -> [LimitCheck] { limits.map { $0.check(measures) } }

  package func qualifies(_ limits: [AdviceLimit]) -> Bool { checks(limits).allSatisfy(\.isMet) }

  /// Returns the stack with the measures of one draw and without draws, or nil if it has no such draw.
  func drawn(_ number: Int) -> AdviceCandidate? {
    draws[number].map {
      AdviceCandidate(name: name, measures: $0, contextCount: contextCount, ruleCount: ruleCount)
    }
  }

  /// The stack without its draws.
  var withoutDraws: AdviceCandidate {
    AdviceCandidate(name: name, measures: measures, contextCount: contextCount, ruleCount: ruleCount)
  }

  /// Returns true if the stack has fewer contexts than another one, or as many contexts and fewer rules.
  package func isSimpler(than other: AdviceCandidate) -> Bool {
    (contextCount, ruleCount) < (other.contextCount, other.ruleCount)
  }
}
