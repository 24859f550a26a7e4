import Foundation
import Metrics

/// What `compare` prints: a table of verdicts for each stack, the changes of all other measures, and what it comes to.
///
/// A pure function of its values: whether to colour is for the caller to say.
package struct ComparisonReport: Sendable {
  package let comparison: Comparison
  package let first: ComparedResult
  package let second: ComparedResult
  private let usesColour: Bool

  package init(_ comparison: Comparison, _ first: ComparedResult, _ second: ComparedResult, usesColour: Bool = false) {
    self.comparison = comparison
    self.first = first
    self.second = second
    self.usesColour = usesColour
  }

  /// Lines of at most 80 columns, but for names that are longer.
  package var text: String {
    ([heading] + comparison.stacks.map(verdicts) + [others, conclusion]).joined(separator: "\n")
  }

  private var heading: String {
    let machine = first.manifest.profile.map { "\(first.manifest.machine) \($0)" } ?? first.manifest.machine
    let workload = first.trials.first.map { "\($0.identity.workload), \($0.identity.rows) rows, " } ?? ""
    return """
      before: \(Self.title(of: first))
      after:  \(Self.title(of: second))
      \(workload)seed \(first.manifest.seed), \(machine) machine; \(Self.method(of: comparison.design))

      """
  }

  private static func title(of result: ComparedResult) -> String {
    "\(result.title) (stackbench \(result.manifest.versions.tool))"
  }

  static func method(of design: Comparison.Design) -> String {
    switch design {
    case .unpaired: "two runs, Mann-Whitney"
    case .paired: "trials in turns, Wilcoxon on pairs"
    case .exact: "exact"
    }
  }
}

// MARK: - Verdicts

extension ComparisonReport {
  private func verdicts(of stack: Comparison.Stack) -> String {
    let table = TerminalTable<Comparison.Judged> { judged in
      let unit = judged.primary.measure.unit
      return [
        TerminalCell(title: "measure", value: judged.primary.title, align: .left),
        TerminalCell(title: "before", value: MeasureText.of(Double(judged.firstMedian), unit), align: .right),
        TerminalCell(title: "after", value: MeasureText.of(Double(judged.secondMedian), unit), align: .right),
        TerminalCell(
          title: "shift", value: MeasureText.change(judged.shift.estimate, from: judged.firstMedian, unit),
          align: .right),
      ] + chance(of: judged) + [TerminalCell(title: "verdict", value: judged.verdict.rawValue, align: .left)]
    }
    let judged = comparison.judged.filter { $0.topology == stack.topology }
    return "\(stack.topology), \(count(stack))\n\n" + table.text(for: judged, usesColour: usesColour)
  }

  /// What chance leaves open; nothing where nothing is left to it.
  private func chance(of judged: Comparison.Judged) -> [TerminalCell] {
    guard comparison.design != .exact else { return [] }
    let unit = judged.primary.measure.unit
    let interval = judged.shift.interval.map { interval in
      [interval.lowerBound, interval.upperBound].map { MeasureText.change($0, from: judged.firstMedian, unit) }
        .joined(separator: " to ")
    }
    return [
      TerminalCell(title: "95 % interval", value: interval ?? "too few trials", align: .right),
      TerminalCell(
        title: "p", value: judged.correctedProbability.map { String(format: "%.3f", $0) } ?? "-", align: .right),
    ]
  }

  private func count(_ stack: Comparison.Stack) -> String {
    switch comparison.design {
    case .paired: "\(stack.firstCount) pair\(stack.firstCount == 1 ? "" : "s")"
    case .unpaired, .exact:
      stack.firstCount == stack.secondCount
        ? "\(stack.firstCount) trial\(stack.firstCount == 1 ? "" : "s") each"
        : "\(stack.firstCount) and \(stack.secondCount) trials"
    }
  }
}

// MARK: - Other measures

extension ComparisonReport {
  /// How the medians of the other measures changed; those that are the same everywhere are only named.
  private var others: String {
    let measures = Measure.all.filter { measure in comparison.shown.contains { $0.measure == measure } }
    let changed = measures.filter { measure in
      comparison.shown.contains { $0.measure == measure && $0.firstMedian != $0.secondMedian }
    }
    let same = measures.filter { !changed.contains($0) }
    let legend = comparison.stacks.enumerated().map { "#\($0 + 1) \($1.topology)" }
    var text = "Other measures, change of the medians, without verdict"
    text += legend.count > 1 ? ":\n" + WrappedText.text([legend.joined(separator: ", ")], at: ", ") : "\n\n"
    if legend.count > 1 { text += "\n" }
    text += changed.isEmpty ? "none\n" : changesTable.text(for: changed, usesColour: usesColour)
    if !same.isEmpty {
      text += "\n" + WrappedText.text(["The same: " + same.map(\.name).joined(separator: ", ")], at: ", ")
    }
    return text
  }

  private var changesTable: TerminalTable<Measure> {
    TerminalTable<Measure> { measure in
      [TerminalCell(title: "column", value: measure.name, align: .left)]
        + comparison.stacks.enumerated().map { index, stack in
          let shown = comparison.shown.first { $0.topology == stack.topology && $0.measure == measure }
          return TerminalCell(
            title: comparison.stacks.count > 1 ? "#\(index + 1)" : "change", value: shown.map(Self.change) ?? "",
            align: .right)
        }
    }
  }

  private static func change(of shown: Comparison.Shown) -> String {
    switch (shown.firstMedian, shown.secondMedian) {
    case (nil, nil): "-"
    case (nil, _?): "new"
    case (_?, nil): "gone"
    case (let before?, let after?) where before == after: "0"
    case (let before?, let after?):
      MeasureText.change(Double(after - before), from: before, shown.measure.unit)
    }
  }
}

// MARK: - Conclusion

extension ComparisonReport {
  private var conclusion: String {
    var lines = [Verdict.worse, .better].compactMap(sentence)
    lines += [floorNote] + [tooFewNote].compactMap(\.self) + speedNotes
    lines += leftOutNotes + ComparedResult.notes(first, second)
    lines.append("Verdict: \(comparison.verdict.rawValue).")
    return WrappedText.text(lines)
  }

  /// What is worse, or better, by how much, stack by stack.
  private func sentence(_ verdict: Verdict) -> String? {
    let parts = comparison.stacks.compactMap { stack -> String? in
      let found = comparison.judged.filter { $0.topology == stack.topology && $0.verdict == verdict }
      let changes = found.map { judged in
        let change = MeasureText.change(judged.shift.estimate, from: judged.firstMedian, judged.primary.measure.unit)
        return "\(judged.primary.title) \(change)"
      }
      return changes.isEmpty ? nil : "\(stack.topology) \(changes.joined(separator: ", "))"
    }
    guard !parts.isEmpty else { return nil }
    return "\(verdict.rawValue.sentenceCased): \(parts.joined(separator: "; "))."
  }

  private var floorNote: String {
    let floors = "the floors of 'stackbench compare --help'"
    switch comparison.design {
    case .unpaired:
      return "A shift counts beyond 15 % and \(floors), since machines drift between runs; p after Holm's correction "
        + "over \(comparison.judged.count) tests."
    case .paired:
      return "A shift counts beyond \(floors); p after Holm's correction over \(comparison.judged.count) tests."
    case .exact: return "Simulated results are exact: a difference counts beyond \(floors)."
    }
  }

  private var tooFewNote: String? {
    guard let needed = comparison.neededTrialCount else { return nil }
    let what = comparison.design == .paired ? "pairs" : "trials of each stack in both results"
    return "Too few trials: with \(comparison.judged.count) tests nothing can be called worse or better; "
      + "that takes \(needed) \(what)."
  }

  /// The sentences that say whether trials in turns were brought to a common speed.
  private var speedNotes: [String] {
    guard comparison.design == .paired else { return [] }
    guard let drift = first.turnDrift else {
      return ["Figures are as measured: a version that does not measure the yardstick tells no speed."]
    }
    return drift.sentences + ["Import, main busy and main CPU times are those at the mean speed of each pair."]
  }

  private var leftOutNotes: [String] {
    [(first, comparison.onlyFirst), (second, comparison.onlySecond)].compactMap { result, names in
      names.isEmpty ? nil : "Left out, in \(result.title) only: \(names.joined(separator: ", "))."
    }
  }
}
