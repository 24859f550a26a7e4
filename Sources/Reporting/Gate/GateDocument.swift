import Metrics

/// The gate's outcome as a JSON object for programs. Every member is always present, and is `null` if it has no value.
///
/// The form is stable: members may be added, but existing members keep their names and meanings. The members are listed
/// by `stackbench gate --help`.
package struct GateDocument: Encodable, Sendable {
  /// The version of the form. In version 2, values are means over draws, which are not always whole numbers.
  private let schema = 2
  private let verdict: GateOutcome.Status
  private let baseline: String
  private let measures: Counts
  private let runs: [String]
  private let mismatches: [Mismatch]
  private let stacks: [Stack]
  private let changed: [String]
  private let limits: [Limit]
  private let unrecorded: [String]

  package init(_ report: GateOutcome) {
    verdict = report.verdict
    baseline = report.baseline
    measures = Counts(
      worse: report.count(.worse), better: report.count(.better), tolerated: report.count(.tolerated),
      equal: report.count(.equal))
    runs = report.comparisons.map(\.run)
    mismatches = report.comparisons.flatMap { comparison in
      comparison.mismatches.map { Mismatch(run: comparison.run, kind: $0.kind, message: $0.message) }
    }
    stacks = report.comparisons.flatMap { comparison in
      comparison.stacks.map { Stack(run: comparison.run, drawCount: comparison.drawCount, stack: $0) }.filter {
        !$0.changes.isEmpty
      }
    }
    changed = report.changedLines
    limits = report.comparisons.flatMap { comparison in comparison.limits.map { Limit(run: comparison.run, result: $0) }
    }
    unrecorded = report.unrecorded
  }

  private struct Counts: Encodable {
    let worse: Int
    let better: Int
    let tolerated: Int
    let equal: Int
  }

  private struct Mismatch: Encodable {
    let run: String
    let kind: GateMismatch.Kind
    let message: String
  }

  /// A stack in which a measure has a new value, even if the change does not count.
  private struct Stack: Encodable {
    let run: String
    let topology: String
    @ExplicitNull var variant: String?
    let drawsCount: Int
    @ExplicitNull var band: Band?
    let changes: [Change]
    let counters: [Counter]
    let charges: [Charge]

    init(run: String, drawCount: Int, stack: GateComparison.Stack) {
      self.run = run
      drawsCount = drawCount
      band = stack.band.map { Band(before: $0.before.rawValue, now: $0.now.rawValue) }
      topology = stack.topology
      variant = stack.variant
      changes = stack.changes.filter { $0.verdict != .equal }.map(Change.init)
      counters = stack.explanation.counters.map(Counter.init)
      charges = stack.explanation.charges.map(Charge.init)
    }
  }

  /// A limit and the values of a stack. Values are in the units of the columns.
  private struct Limit: Encodable {
    let run: String
    let stack: String
    let limit: String
    let measure: String
    let atMost: Int64
    let onPercent: Double
    let now: Int64
    let keptCount: Int
    let count: Int
    let isKept: Bool
    let evidence: GateEvidence

    init(run: String, result: GateLimitResult) {
      self.run = run
      stack = result.stack
      limit = result.limit.name
      measure = result.limit.limit.measure.name
      atMost = result.limit.limit.most
      onPercent = Double(result.limit.share) / 100
      now = result.value
      keptCount = result.keptCount
      count = result.count
      isKept = result.isKept
      evidence = result.evidence
    }
  }

  /// Apple's band for hitches, if it has changed.
  private struct Band: Codable, Hashable {
    let before: String
    let now: String
  }

  private struct Change: Encodable {
    let measure: String
    let verdict: String
    let before: Double
    let now: Double
    @ExplicitNull var changePartsPerMillion: Int64?
    let noticed: Double
    let standardError: Double
    let shift: Double
    let floor: Double
    let evidence: GateEvidence

    init(_ change: GateChange) {
      measure = change.measure.name
      verdict = change.verdict.rawValue
      before = change.before
      now = change.now
      changePartsPerMillion = change.share.map { Int64(clampingRounded: $0 * 1_000_000) }
      noticed = change.floor.noticed
      standardError = change.floor.standardError
      shift = change.floor.shift
      floor = change.floor.value
      evidence = change.evidence
    }
  }

  private struct Counter: Encodable {
    let name: String
    let before: Double
    let now: Double

    init(_ counter: GateExplanation.Counter) {
      name = counter.name
      before = counter.before
      now = counter.now
    }
  }

  private struct Charge: Encodable {
    let work: String
    let beforeNanoseconds: Int64
    let nowNanoseconds: Int64

    init(_ charge: GateExplanation.Charge) {
      work = charge.work
      beforeNanoseconds = charge.before
      nowNanoseconds = charge.now
    }
  }
}
