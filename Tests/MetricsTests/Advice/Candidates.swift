import Metrics

/// Stacks with made-up measures, for tests of decisions about them.
enum Candidates {
  static let millisecond: Int64 = 1_000_000

  /// Returns a stack. Hitches and stalls are in milliseconds, and `change` sets all other measures.
  static func stack(
    _ name: String, hitch: Int64? = 0, stall: Int64? = 0, contexts: Int = 2, rules: Int = 1,
    draws: [(hitch: Int64, stall: Int64)] = [], change: (inout TrialMeasures) -> Void = { _ in }
  ) -> AdviceCandidate {
    var measures = correct()
    measures.hitchTotalNanoseconds = hitch.map { $0 * millisecond }
    measures.stallNanosecondsP99 = stall.map { $0 * millisecond }
    change(&measures)
    let drawn = draws.enumerated().map { number, draw in
      var measures = correct()
      measures.hitchTotalNanoseconds = draw.hitch * millisecond
      measures.hitchMicrosecondsPerSecond = draw.hitch
      measures.stallNanosecondsP99 = draw.stall * millisecond
      return (number + 1, measures)
    }
    return AdviceCandidate(
      name: name, measures: measures, draws: Dictionary(uniqueKeysWithValues: drawn), contextCount: contexts,
      ruleCount: rules)
  }

  /// Returns measures without defects and without any other value.
  private static func correct() -> TrialMeasures {
    var measures = TrialMeasures()
    measures.lostEditsCount = 0
    measures.duplicatesCount = 0
    measures.staleRowsCount = 0
    return measures
  }
}
