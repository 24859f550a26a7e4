import Foundation
import Metrics

/// The text that `compare` prints: the verdict, the measures that decided it, the tables, and notes.
///
/// A pure function of its values: the caller says how wide the terminal is and whether it shows colour.
package struct ComparisonReport: Sendable {
  package let comparison: Comparison
  package let first: ComparedResult
  package let second: ComparedResult
  let usesColour: Bool
  let width: Int

  package init(
    _ comparison: Comparison, _ first: ComparedResult, _ second: ComparedResult, usesColour: Bool = false,
    width: Int = WrappedText.terminalWidth
  ) {
    self.comparison = comparison
    self.first = first
    self.second = second
    self.usesColour = usesColour
    self.width = width
  }

  /// Lines that are no wider than the terminal, as far as names allow.
  package var text: String {
    [heading, ComparisonReasons(comparison).text(width: width) + wrapped(ComparedResult.notes(first, second))]
      .filter { !$0.isEmpty }.joined(separator: "\n")
      + "\n" + (verdicts + [others, wrapped(notes)]).joined(separator: "\n")
  }

  private var heading: String {
    let machine = first.manifest.profile.map { "\(first.manifest.machine) \($0)" } ?? first.manifest.machine
    let workload = first.trials.first.map { "\($0.identity.workload), \($0.identity.rows) rows, " } ?? ""
    return """
      Verdict: \(comparison.verdict.rawValue).
      Before:  \(Self.title(of: first))
      After:   \(Self.title(of: second))

      """
        + wrapped([
          "\(workload)seed \(first.manifest.seed), \(machine) machine; \(Self.method(of: comparison.design))"
        ])
  }

  private static func title(of result: ComparedResult) -> String {
    let origin = result.origin.map { ", \($0)" } ?? ""
    return "\(result.title)\(origin) (stackbench \(result.manifest.versions.tool))"
  }

  static func method(of design: Comparison.Design) -> String {
    switch design {
    case .unpaired: "two runs, Mann-Whitney"
    case .paired: "trials in turns, Wilcoxon on pairs"
    case .exact: "exact"
    }
  }

  func wrapped(_ sentences: [String]) -> String { WrappedText.text(sentences, width: width, hanging: 2) }
}

// MARK: - Other measures

extension ComparisonReport {
  /// The changes of the medians of the other measures. Those that are the same everywhere are only named.
  private var others: String {
    let measures = Measure.all.filter { measure in comparison.shown.contains { $0.measure == measure } }
    let changed = measures.filter { measure in
      comparison.shown.contains { $0.measure == measure && $0.firstMedian != $0.secondMedian }
    }
    let same = measures.filter { !changed.contains($0) }
    let legend = comparison.stacks.enumerated().map { "#\($0 + 1) \($1.topology)" }
    var text = "Other measures, change of the medians, without verdict"
    text += legend.count > 1 ? ":\n" + list(legend) : "\n\n"
    if legend.count > 1 { text += "\n" }
    text += changed.isEmpty ? "none\n" : changesTable.text(for: changed, usesColour: usesColour)
    if !same.isEmpty {
      text += "\n" + list(["The same: \(same[0].name)"] + same.dropFirst().map(\.name))
    }
    return text
  }

  private func list(_ names: [String]) -> String {
    WrappedText.text([names.joined(separator: ", ")], width: width, at: ", ")
  }

  private var changesTable: TerminalTable<Measure> {
    TerminalTable<Measure>(width: width) { measure in
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
      ChangeText(Shift(exactly: Double(after - before)), from: before, of: shown.measure).cell
    }
  }
}

// MARK: - Notes

extension ComparisonReport {
  private var notes: [String] {
    [floorNote] + speedNotes + leftOutNotes
  }

  private var floorNote: String {
    let floors = "the floors of 'stackbench compare --help'"
    let below = comparison.judged.contains(where: \.isBelowFloor) ? " A change below its floor counts as equal." : ""
    switch comparison.design {
    case .unpaired:
      return "A change counts beyond 15 % and \(floors), since machines drift between runs; p after Holm's correction "
        + "over \(comparison.judged.count) tests.\(below)"
    case .paired:
      return
        "A change counts beyond \(floors); p after Holm's correction over \(comparison.judged.count) tests.\(below)"
    case .exact: return "Simulated results are exact: a change counts beyond \(floors).\(below)"
    }
  }

  /// The sentences that say whether trials in turns were brought to a common speed.
  private var speedNotes: [String] {
    guard comparison.design == .paired else { return [] }
    guard let drift = first.turnDrift else {
      return ["Figures are as measured: a version without the yardstick does not know the computer's speed."]
    }
    return drift.sentences + ["Import, main busy and main CPU times are those at the mean speed of each pair."]
  }

  private var leftOutNotes: [String] {
    [(first, comparison.onlyFirst), (second, comparison.onlySecond)].compactMap { result, names in
      names.isEmpty ? nil : "Left out, in \(result.title) only: \(names.joined(separator: ", "))."
    }
  }
}
