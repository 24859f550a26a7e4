import Metrics

@testable import Reporting

/// A made-up answer, for tests of the printed text.
enum MadeUpAdvice {
  private static let millisecond: Int64 = 1_000_000

  private static func measures(_ change: (inout TrialMeasures) -> Void) -> TrialMeasures {
    var measures = TrialMeasures()
    measures.lostEditsCount = 0
    measures.duplicatesCount = 0
    measures.staleRowsCount = 0
    measures.timeToVisibleNanosecondsP99 = 100 * millisecond
    measures.editResponseNanosecondsP99 = 30 * millisecond
    measures.atRiskNanosecondsMaximum = 700_000
    change(&measures)
    return measures
  }

  private static func stack(
    _ name: String, ratio: Int64, hitch: Int64, stall: Int64, busy: Int64, imports: Int64, rules: Int = 1
  ) -> AdviceCandidate {
    func measured(_ factor: Int64) -> TrialMeasures {
      measures { measures in
        measures.hitchMicrosecondsPerSecond = ratio * factor
        measures.hitchTotalNanoseconds = hitch * factor * millisecond
        measures.framesDroppedCount = hitch * factor / 10
        measures.stallNanosecondsP99 = stall * factor * millisecond
        measures.mainBusyNanoseconds = busy * factor * millisecond
        measures.importNanoseconds = imports * factor * millisecond
      }
    }
    return AdviceCandidate(
      name: name, measures: measured(1), draws: [1: measured(1), 2: measured(2), 3: measured(4)], contextCount: 2,
      ruleCount: rules)
  }

  static let worker = stack("worker-merge/notification", ratio: 1_500, hitch: 0, stall: 1, busy: 72, imports: 1_980)
  static let screens = stack(
    "per-view-controller", ratio: 2_000, hitch: 8, stall: 1, busy: 72, imports: 1_980, rules: 2)
  static let main = stack("all-main", ratio: 872_700, hitch: 1_800, stall: 95, busy: 1_992, imports: 1_700, rules: 0)

  static let limits: [AdviceLimit] = [
    .hitchRatio(microsecondsPerSecond: 5_000), .atRisk(nanoseconds: 60 * millisecond),
  ]

  /// Two stacks qualify and are equal. Larger payloads disqualify one of them, and an older phone all stacks.
  static var report: AdviceAnswer { report(limits: limits) }

  /// An answer in which no stack qualifies. Smaller payloads would help.
  static var none: AdviceAnswer {
    report(limits: [.hitchRatio(microsecondsPerSecond: 1_200), .editResponse(nanoseconds: 9 * millisecond)])
  }

  private static func report(limits: [AdviceLimit]) -> AdviceAnswer {
    func point(_ flag: String, _ value: String, _ candidates: [AdviceCandidate]) -> AdvicePoint {
      AdvicePoint(
        flag: flag, value: value, command: "stackbench run --machine simulated --\(flag) \(value)",
        candidates: candidates)
    }
    let slow = stack("worker-merge/notification", ratio: 9_000, hitch: 90, stall: 9, busy: 90, imports: 2_500)
    let quick = AdviceCandidate(
      name: "all-main",
      measures: measures {
        $0.hitchMicrosecondsPerSecond = 0
        $0.editResponseNanosecondsMaximum = 9 * millisecond
      }, contextCount: 1, ruleCount: 0)
    let advice = Advice(
      limits: limits, priority: nil, candidates: [main, worker, screens],
      points: [
        point("batch-size", "250", limits.count == 2 && limits[0].most < 1_500 ? [quick] : [main, worker, screens]),
        point("batch-size", "1000", [main, slow, screens]), point("profile", "iphone-6s", [main, slow]),
      ])
    let advised = advice.advised?.name
    return AdviceAnswer(
      advice: advice,
      question: AdviceAnswer.Question(profile: "iphone-15-pro", workload: "catalog", rows: 15_000, seed: 1, trials: 21),
      stacks: [
        AdviceAnswer.Stack(
          name: main.name, number: "#1", summary: "everything on main",
          longestStall: StallRow(tick: 3, start: .zero, duration: .milliseconds(95), cause: .save)),
        AdviceAnswer.Stack(name: worker.name, number: "#2", summary: "a worker beside main; main merges each save"),
      ],
      uses: advised == nil
        ? []
        : [
          AdviceAnswer.Use(
            purpose: "UI", context: "main", reason: "it sits on the coordinator, so that batches are honoured",
            source: "NSFetchRequest, fetchBatchSize"),
          AdviceAnswer.Use(
            purpose: "long-lived objects", context: "main",
            reason: "it alone is told of others' saves, and whatever else is held for long goes stale",
            source: "a <talk> of 2012"),
        ],
      untried: ["No shipped profile is faster than iphone-15-pro."],
      showCommand: "stackbench run --machine simulated --draws 3",
      codeCommand: advised.map { "stackbench topologies \($0) --format swift" })
  }
}
