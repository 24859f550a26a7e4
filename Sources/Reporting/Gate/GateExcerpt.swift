import Metrics

/// The changes of one stack that a page shows: first the measures of the table of `run`, then the largest shares, so
/// that the important changes are easy to find among many.
struct GateExcerpt {
  /// The largest number of measures of a stack that are shown.
  static let limit = 8
  /// The largest number of counters that are shown, and of charges.
  static let explanationLimit = 4

  let shown: [GateChange]
  /// The changes that are not in the table.
  let others: [GateChange]
  private let explanation: GateExplanation

  init(_ stack: GateComparison.Stack, verdict: GateChange.Kind) {
    let changes = stack.changes(verdict)
    let printed = RunPage.printedMeasures.compactMap { keyPath in
      changes.first { $0.measure.keyPath == keyPath }
    }
    let others = changes.filter { !printed.contains($0) }.sorted { left, right in
      (left.share?.magnitude ?? .infinity, right.measure.name)
        > (right.share?.magnitude ?? .infinity, left.measure.name)
    }
    shown = Array((printed + others).prefix(Self.limit))
    self.others = Array((printed + others).dropFirst(Self.limit))
    explanation = stack.explanation
  }

  /// The changes that are not in the table, as a sentence without a full stop; nil if there are no such changes.
  var more: String? {
    others.isEmpty ? nil : "also \(others[0].verdict.rawValue): \(others.map(\.sentence).joined(separator: ", "))"
  }

  /// The kinds of evidence of all changes, as a sentence without a full stop. If there are several, the sentence names
  /// the measures that have the rarer one.
  var evidence: String {
    let changes = shown + others
    let kinds = GateEvidence.allCases.map { kind in changes.filter { $0.evidence == kind } }.filter { !$0.isEmpty }
      .sorted { ($1.count, $0[0].evidence.rawValue) < ($0.count, $1[0].evidence.rawValue) }
    let texts = kinds.enumerated().map { place, changes in
      let kind = changes[0].evidence.rawValue
      return place == 0 ? kind : "\(kind) for \(changes.map(\.measure.name).joined(separator: ", "))"
    }
    return "evidence: \(texts.joined(separator: "; "))"
  }

  /// The counters of work that have changed, as a sentence without a full stop; if no counter has changed, the sentence
  /// says so.
  private var counters: String {
    guard !explanation.counters.isEmpty else { return "no counter of work has changed" }
    return list(
      explanation.counters.map { counter in
        "\(counter.name) \(GateChange.text(counter.before, in: .count)) -> \(GateChange.text(counter.now, in: .count)) "
          + "(\(GateChange.shareText(counter.share)))"
      })
  }

  /// The changes of the profile's charges by kind of work; nil if no charge has changed or the charges are not known.
  ///
  /// The charges of all roles are added up, since it does not matter which role happens to write a page that several
  /// have changed.
  private var charges: String? {
    var kinds: [String: Double] = [:]
    for charge in explanation.charges {
      kinds[String(charge.work.split(separator: " ").last ?? ""), default: 0] += Double(charge.nanoseconds)
    }
    let changed = kinds.filter { $0.value != 0 }.sorted { left, right in
      (left.value.magnitude, right.key) > (right.value.magnitude, left.key)
    }
    guard !changed.isEmpty else { return nil }
    return list(
      changed.map { kind, nanoseconds in
        "\(kind) \(nanoseconds < 0 ? "-" : "+")\(MeasureText.of(nanoseconds.magnitude, in: .nanoseconds))"
      })
  }

  /// The counters of work that have changed and, if they are known, the charges.
  var explanations: [String] { ["work: \(counters)"] + [charges].compactMap { $0.map { "charged: \($0)" } } }

  private func list(_ items: [String]) -> String {
    let more = items.count - Self.explanationLimit
    return items.prefix(Self.explanationLimit).joined(separator: ", ") + (more > 0 ? " and \(more) more" : "")
  }
}
