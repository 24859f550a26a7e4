import Metrics

/// What people are shown of one stack's changes: first what the table of `run` shows, then the largest shares, so that a
/// change of everything does not bury what matters.
struct GateExcerpt {
  /// How many measures of a stack are shown.
  static let limit = 8
  /// How many counters, and how many charges.
  static let explanationLimit = 4

  let shown: [GateChange]
  let hiddenCount: Int
  private let explanation: GateExplanation

  init(_ stack: GateComparison.Stack, _ verdict: GateChange.Verdict) {
    let changes = stack.changes(verdict)
    let printed = TerminalReport.printedMeasures.compactMap { keyPath in
      changes.first { $0.measure.keyPath == keyPath }
    }
    let others = changes.filter { !printed.contains($0) }.sorted { left, right in
      (left.partsPerMillion?.magnitude ?? .max, right.measure.name)
        > (right.partsPerMillion?.magnitude ?? .max, left.measure.name)
    }
    shown = Array((printed + others).prefix(Self.limit))
    hiddenCount = changes.count - shown.count
    explanation = stack.explanation
  }

  /// Why, as a sentence without a full stop; what the counters do not tell is said to be so.
  var counters: String {
    guard !explanation.counters.isEmpty else { return "no counter of work has changed" }
    return list(
      explanation.counters.map { counter in
        "\(counter.name) \(counter.before) -> \(counter.now) (\(ShareText.of(counter.partsPerMillion)))"
      })
  }

  /// What the profile charged more or less; nil where nothing, or where nobody knows.
  var charges: String? {
    guard !explanation.charges.isEmpty, let time = Measure.named("total_cpu_ns") else { return nil }
    return list(
      explanation.charges.map { charge in
        "\(charge.work) \(charge.nanoseconds < 0 ? "-" : "+")\(time.text(Int64(charge.nanoseconds.magnitude)))"
      })
  }

  private func list(_ items: [String]) -> String {
    let more = items.count - Self.explanationLimit
    return items.prefix(Self.explanationLimit).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}
