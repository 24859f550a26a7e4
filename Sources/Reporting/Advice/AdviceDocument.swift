import Metrics

/// The JSON object that `advise --format json` prints. Every member is always present, and is `null` if it has no
/// value.
///
/// The form is stable: members may be added, but existing members keep their names and meanings. The members are listed
/// by `stackbench advise --help`. Values are integers in the units of the CSV's columns.
package struct AdviceDocument: Encodable, Sendable {
  private let schema = 1
  private let profile: String
  private let workload: String
  private let rows: Int
  private let seed: UInt64
  private let trials: Int
  @ExplicitNull private var priority: String?
  private let rankedBy: [String]
  private let limits: [Limit]
  private let draws: Int
  /// The number of draws in which no stack qualifies.
  private let drawsWithout: Int
  /// The degree to which the advice is reliable; `null` if no stack qualifies or no device was drawn.
  @ExplicitNull private var sureness: String?
  /// The user's stack; `null` if none was named.
  @ExplicitNull private var reference: String?
  /// The stack to take; `null` if no stack qualifies.
  @ExplicitNull private var advised: String?
  private let equal: [String]
  /// The stack that comes closest to the limits; `null` if a stack qualifies.
  @ExplicitNull private var nearest: String?
  private let stacks: [Stack]
  private let costs: [Cost]
  private let contexts: [Use]
  private let points: [Point]
  private let untried: [String]
  private let command: String
  @ExplicitNull private var codeCommand: String?

  package init(_ report: AdviceAnswer) {
    let advice = report.advice
    profile = report.question.profile
    workload = report.question.workload
    rows = report.question.rows
    seed = report.question.seed
    trials = report.question.trials
    rankedBy = advice.rankedBy.criteria.map(\.measure.name)
    limits = advice.allLimits.map { limit in
      Limit(measure: limit.measure.name, most: limit.most, asked: advice.limits.contains(limit))
    }
    draws = advice.drawNumbers.count
    drawsWithout = advice.emptyDrawCount
    equal = advice.equals.map(\.name)
    stacks = zip(advice.candidates, advice.firstCounts).map {
      Stack($0, first: $1, in: advice, by: report.hitchScale)
    }
    costs = advice.costs.map(Cost.init)
    contexts = report.uses.map { Use(purpose: $0.purpose, context: $0.context, reason: $0.reason, source: $0.source) }
    points = advice.variations.map(Point.init)
    untried = report.untried
    command = report.showCommand
    priority = advice.priority?.rawValue
    sureness = advice.sureness?.rawValue
    reference = report.reference
    advised = advice.advised?.name
    nearest = advice.advised == nil ? advice.nearest?.name : nil
    codeCommand = report.codeCommand
  }
}

// MARK: - Members

extension AdviceDocument {
  private struct Limit: Encodable {
    let measure: String
    let most: Int64
    /// True if a flag set the limit; the other limits always apply.
    let asked: Bool
  }

  private struct Check: Encodable {
    let measure: String
    @ExplicitNull var value: Int64?
    let met: Bool

    init(_ check: LimitCheck) {
      measure = check.limit.measure.name
      met = check.isMet
      value = check.value
    }
  }

  private struct Stack: Encodable {
    let topology: String
    let qualifies: Bool
    let checks: [Check]
    /// The values of the measures that rank the stacks, by the names of the measures.
    let ranks: [String: Int64]
    let contexts: Int
    let rules: Int
    let drawsQualifying: Int
    let drawsFirst: Int
    /// The number of draws on whose device the stack is good by Apple's bands.
    let drawsGood: Int

    init(_ candidate: AdviceCandidate, first: Int, in advice: Advice, by scale: HitchScale) {
      topology = candidate.name
      qualifies = candidate.qualifies(advice.allLimits)
      checks = candidate.checks(advice.allLimits).map(Check.init)
      ranks = Dictionary(
        uniqueKeysWithValues: advice.rankedBy.criteria.compactMap { criterion in
          candidate.measures[keyPath: criterion.measure.keyPath].map { (criterion.measure.name, $0) }
        })
      contexts = candidate.contextCount
      rules = candidate.ruleCount
      drawsQualifying = advice.qualifyingDrawCount(of: candidate)
      drawsFirst = first
      drawsGood = AdviceSummary.bands(of: candidate, in: advice, by: scale).count { $0 == .good }
    }
  }

  private struct Cost: Encodable {
    let measure: String
    let value: Int64
    let best: String
    let bestValue: Int64
    let othersBetter: Int

    init(_ cost: Advice.Cost) {
      measure = cost.primary.measure.name
      value = cost.value
      best = cost.best.name
      bestValue = cost.bestValue
      othersBetter = cost.othersCount
    }
  }

  private struct Use: Encodable {
    let purpose: String
    let context: String
    let reason: String
    let source: String
  }

  private struct Point: Encodable {
    let flag: String
    let value: String
    let change: String
    let first: [String]
    let missed: [Check]
    let command: String

    init(_ variation: AdviceVariation) {
      flag = variation.point.flag
      value = variation.point.value
      change = variation.kind.rawValue
      first = variation.first
      missed = variation.missed.map(Check.init)
      command = variation.point.command
    }
  }
}
