import Foundation
import Metrics

/// The page of a comparison: the verdict, the measures that decided it, the tables, and notes.
package struct ComparisonPage: Sendable {
  package let comparison: Comparison
  package let first: ComparedResult
  package let second: ComparedResult
  /// The name of the stack with which the other stacks of each result are compared, or nil for no such comparison.
  let reference: String?

  package init(
    _ comparison: Comparison, first: ComparedResult, second: ComparedResult, reference: String? = nil
  ) {
    self.reference = reference
    self.comparison = comparison
    self.first = first
    self.second = second
  }

  package var page: Page {
    let reasons = ComparisonReasons(comparison)
    let counts = [reasons.count] + [reasons.tooFewTrials].compactMap(\.self)
    let verdict = comparison.verdict.rawValue
    let heading: [Page.Block] = [
      .facts([
        Page.Fact("Verdict", "\(verdict)."), Page.Fact("Before", Self.title(of: first)),
        Page.Fact("After", Self.title(of: second)),
      ]), .paragraphs([circumstances] + conditions, .hanging),
    ]
    let remarks = Page.Block.paragraphs(ComparedResult.notes(first, second).map { PageText($0) }, .hanging)
    return Page(
      title: "Stackbench comparison: \(verdict)",
      sections: [
        Page.Section(heading),
        Page.Section([.paragraphs(counts.map { PageText($0) })] + reasons.lists + [remarks]),
        Page.Section(
          "All \(comparison.judged.count) judged measures (\(Self.method(of: comparison.design)))", isFolded: true,
          [.sections(verdicts + others)]),
        ratios,
        Page.Section([.paragraphs(notes, .hanging)]),
      ])
  }

  /// The section that compares the other stacks of both results with the reference, or nil if there is none.
  private var ratios: Page.Section? {
    reference.flatMap { RatioTable(to: $0, [first, second]).section }
  }

  private var circumstances: PageText {
    let machine = first.manifest.profile.map { "\(first.manifest.machine) \($0)" } ?? first.manifest.machine
    let changes = RunConditions(first.manifest).changes
    let workload = first.trials.first.map { "\($0.identity.workload), \($0.identity.rows) rows\(changes), " } ?? ""
    return "\(workload)seed \(first.manifest.seed), \(machine) machine; \(Self.method(of: comparison.design))"
  }

  /// The sentence on the rows and the list of both results, or one for each if they differ.
  private var conditions: [PageText] {
    let sentences = [first, second].compactMap { RunConditions($0.manifest).sentence }
    return sentences.first == sentences.last ? sentences.prefix(1).map { PageText($0) } : sentences.map { PageText($0) }
  }

  private static func title(of result: ComparedResult) -> PageText {
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
}

// MARK: - Other measures

extension ComparisonPage {
  /// The changes of the medians of the other measures. Measures without any change are only named.
  private var others: [Page.Section] {
    let measures = Measure.all.filter { measure in comparison.shown.contains { $0.measure == measure } }
    let changed = measures.filter { measure in
      comparison.shown.contains { $0.measure == measure && $0.firstMedian != $0.secondMedian }
    }
    let same = measures.filter { !changed.contains($0) }.map(\.name)
    let legend = comparison.stacks.enumerated().map { "#\($0 + 1) \($1.topology)" }
    let title = "Other measures: change of the medians, without a verdict"
    return [
      legend.count > 1
        ? Page.Section([.line("\(title):"), .paragraphs([PageText(legend.joined(separator: ", "))], .commas)])
        : Page.Section([.line(PageText(title))]),
      Page.Section([changed.isEmpty ? .line("none") : .table(changesTable(of: changed))]),
    ] + (same.isEmpty ? [] : [Page.Section([.paragraphs(["No change: \(same.joined(separator: ", "))"], .commas)])])
  }

  private func changesTable(of measures: [Measure]) -> PageTable {
    PageTable(
      of: measures,
      [PageColumn("column") { $0.name }]
        + comparison.stacks.enumerated().map { index, stack in
          PageColumn(comparison.stacks.count > 1 ? "#\(index + 1)" : "change", .right) { measure in
            let shown = comparison.shown.first { $0.topology == stack.topology && $0.measure == measure }
            return shown.map(Self.change) ?? ""
          }
        })
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

extension ComparisonPage {
  private var notes: [PageText] { [floorNote] + (speedNotes + leftOutNotes).map { PageText($0) } }

  private var floorNote: PageText {
    let floors: PageText = "the floors of \(command: first.roles.words.floors)"
    let below = comparison.judged.contains(where: \.isBelowFloor) ? " A change below its floor counts as equal." : ""
    let correction = "p is given after Holm's correction over \(comparison.judged.count) tests."
    return switch comparison.design {
    case .unpaired:
      """
      A change counts if it exceeds 15 % and \(floors), because the speed of a computer changes between runs; \
      \(correction)\(below)
      """
    case .paired: "A change counts if it exceeds \(floors); \(correction)\(below)"
    case .exact: "Simulated results are exact: a change counts if it exceeds \(floors).\(below)"
    }
  }

  /// The sentences on the common speed of trials in turns.
  private var speedNotes: [String] {
    guard comparison.design == .paired else { return [] }
    guard let drift = first.turnDrift else {
      return ["The figures are not adjusted to the computer's speed, because one version has no yardstick."]
    }
    return drift.sentences + ["Import, main busy and main CPU times are adjusted to the mean speed of each pair."]
  }

  private var leftOutNotes: [String] {
    [(first, comparison.onlyFirst), (second, comparison.onlySecond)].compactMap { result, names in
      names.isEmpty ? nil : "Left out, because only \(result.title) has them: \(names.joined(separator: ", "))."
    }
  }
}
