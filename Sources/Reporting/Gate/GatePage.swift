import Metrics

/// The page of a gate: tables of the measures that are worse and of those that are better, notes, and a summary line.
package struct GatePage: Sendable {
  private let report: GateOutcome
  private let words: CommandWords
  private let listsMismatches: Bool

  /// Creates the page of a gate.
  ///
  /// - Parameters:
  ///   - report: The outcome of the gate.
  ///   - words: The commands and options that the page refers to.
  ///   - listsMismatches: False if the caller prints the mismatches as errors.
  package init(_ report: GateOutcome, words: CommandWords, listsMismatches: Bool) {
    self.report = report
    self.words = words
    self.listsMismatches = listsMismatches
  }

  package var page: Page {
    let better = tables(.better)
    let ending = [Page.Block.line(PageText(summary))] + [advice].compactMap { $0.map { .line($0) } }
    return Page(
      title: "Stackbench gate: \(title)",
      sections: (listsMismatches ? list(nil, report.mismatchLines) : []) + tables(.worse)
        + (better.isEmpty
          ? [] : [Page.Section("Better: \(report.count(.better))", isFolded: true, [.sections(better)])])
        + list("Apple's bands that have changed:", report.bandLines)
        + list(
          "Changed by more than a user notices, but within chance:",
          report.uncertainLines(json: words.json))
        + [Page.Section(ending)])
  }

  private var title: PageText {
    switch report.verdict {
    case .equal: "equal to the baseline"
    case .better: "better than the baseline"
    case .worse: "worse than the baseline"
    case .incomparable: "cannot be compared with the baseline"
    }
  }

  /// The counts of the verdicts in one line.
  private var summary: String {
    func counted(_ count: Int, _ name: String) -> String { "\(count) \(name)\(count == 1 ? "" : "s")" }
    let counts = GateChange.Verdict.allCases.map { verdict in
      "\(report.count(verdict)) \(verdict == .tolerated ? "moved within their floors" : verdict.rawValue)"
    }
    return "Gate: \(report.verdict.rawValue); \(counted(report.comparisons.count, "run")), "
      + "\(counted(report.stackCount, "stack")), \(counted(report.changeCount, "measure"))"
      + (report.drawCount > 0 ? ", means of \(counted(report.drawCount, "draw"))" : "")
      + ": \(counts.joined(separator: ", "))"
  }

  /// The sentence that recommends the next step, or nil if no measure has moved beyond its floor.
  private var advice: PageText? {
    switch report.verdict {
    case .equal: nil
    case .better: "Better than the baseline: run \(command: words.recordBaseline) and commit the result to keep it"
    case .worse, .incomparable:
      "If this is intended, run \(command: words.recordBaseline) and commit the result with the reason"
    }
  }

  /// Returns an array with one section that lists the lines, or an empty array if there are no lines.
  private func list(_ title: PageText?, _ lines: [String]) -> [Page.Section] {
    guard !lines.isEmpty else { return [] }
    return [
      Page.Section(title, [.list(Page.List(nil, lines.map { Page.Item(PageText($0)) }, breaksAtCommas: true))])
    ]
  }
}

// MARK: - Tables

extension GatePage {
  private static let columns: [PageTable.Column] =
    [PageTable.Column(title: "stack and measure", alignment: .left)]
    + ["before", "now", "change", "noticed", "chance"].map { PageTable.Column(title: $0, alignment: .right) }

  /// Returns a table for each run that has measures of the verdict.
  private func tables(_ verdict: GateChange.Verdict) -> [Page.Section] {
    report.comparisons.compactMap { comparison in
      let stacks = comparison.stacks.filter { !$0.changes(verdict).isEmpty }
      guard !stacks.isEmpty else { return nil }
      let heading: PageText =
        "\(verdict.rawValue.sentenceCased, verdict == .worse ? .bad : .good), run \(comparison.run):"
      return Page.Section(
        heading, [.table(PageTable(columns: Self.columns, rows: stacks.flatMap { Self.rows(of: $0, verdict) }))])
    }
  }

  /// Returns the rows of a stack: its name, its measures, and the work that explains them.
  private static func rows(of stack: GateComparison.Stack, _ verdict: GateChange.Verdict) -> [PageTable.Row] {
    let excerpt = GateExcerpt(stack, verdict)
    let measures = excerpt.shown.map { change in
      PageTable.Row.cells(
        [PageTable.Cell(change.measure.name, isCode: true)]
          + [change.beforeText, change.nowText, change.shareText, change.noticedText, change.chanceText]
          .map { PageTable.Cell($0) })
    }
    return [.title(stack.name)] + measures
      + ([excerpt.more].compactMap(\.self) + excerpt.explanations).map { .note($0) }
  }
}
