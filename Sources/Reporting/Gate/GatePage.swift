import Metrics

/// The page of a gate: tables of limits, of the measures that are worse and of those that are better, notes, and a
/// summary line.
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
    let ending = [Page.Block.line(PageText(summary))] + ([advice].compactMap(\.self) + remarks).map { .line($0) }
    return Page(
      title: "Stackbench gate: \(title)",
      sections: (listsMismatches ? list(nil, lines: report.mismatchLines) : [])
        + list("Changed since the baseline, and judged:", lines: report.changedLines)
        + limitTables(areKept: false) + limitTables(areKept: true) + tables(.worse)
        + (better.isEmpty
          ? [] : [Page.Section("Better: \(report.count(.better))", isFolded: true, [.sections(better)])])
        + list("Apple's bands that have changed:", lines: report.bandLines)
        + list(
          "Changed by more than a user notices, but within chance:",
          lines: report.uncertainLines(json: words.json))
        + [Page.Section(ending)])
  }

  private var title: PageText {
    switch report.verdict {
    case .equal where report.changeCount == 0 && report.limitCount > 0: "all limits are kept"
    case .equal: "equal to the baseline"
    case .better: "better than the baseline"
    case .worse where report.count(.worse) == 0: "a limit is not kept"
    case .worse: "worse than the baseline"
    case .incomparable: "cannot be compared with the baseline"
    }
  }

  /// The counts of the verdicts in one line.
  private var summary: String {
    func counted(_ count: Int, _ name: String) -> String { "\(count) \(name)\(count == 1 ? "" : "s")" }
    let counts = GateChange.Kind.allCases.map { verdict in
      "\(report.count(verdict)) \(verdict == .tolerated ? "moved within their floors" : verdict.rawValue)"
    }
    let runs = "Gate: \(report.verdict.rawValue); \(counted(report.comparisons.count, "run"))"
    let limits =
      report.limitCount > 0
      ? "\(report.limitCount - report.brokenLimits.count) of \(counted(report.limitCount, "limit")) kept" : nil
    if report.changeCount == 0, let limits { return "\(runs): \(limits)" }
    return "\(runs), \(counted(report.stackCount, "stack")), \(counted(report.changeCount, "measure"))"
      + (report.drawCount > 0 ? ", means of \(counted(report.drawCount, "draw"))" : "")
      + ": \(counts.joined(separator: ", "))" + (limits.map { "; \($0)" } ?? "")
  }

  /// The sentence that recommends the next step, or nil if no measure has moved beyond its floor.
  private var advice: PageText? {
    switch report.verdict {
    case .equal: nil
    // A limit does not depend on the baseline.
    case .worse where report.count(.worse) == 0: nil
    case .better: "Better than the baseline: run \(command: words.recordBaseline) and commit the result to keep it"
    case .worse, .incomparable:
      "If this is intended, run \(command: words.recordBaseline) and commit the result with the reason"
    }
  }

  /// The sentence about runs that the baseline does not have.
  private var remarks: [PageText] {
    guard !report.unrecorded.isEmpty else { return [] }
    let runs = report.unrecorded.joined(separator: ", ")
    return [
      "Not in \(report.baseline), and held to limits only: \(runs); run \(command: words.recordBaseline) to record a baseline"
    ]
  }

  /// Returns an array with one section that lists the lines, or an empty array if there are no lines.
  private func list(_ title: PageText?, lines: [String]) -> [Page.Section] {
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
  private static let limitColumns =
    [PageTable.Column(title: "stack and limit", alignment: .left)]
    + ["limit", "share", "now", "kept on"].map { PageTable.Column(title: $0, alignment: .right) }
    + [PageTable.Column(title: "evidence", alignment: .left)]

  /// Returns a table for each run that has measures of the verdict.
  private func tables(_ verdict: GateChange.Kind) -> [Page.Section] {
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
  private static func rows(of stack: GateComparison.Stack, _ verdict: GateChange.Kind) -> [PageTable.Row] {
    let excerpt = GateExcerpt(stack, verdict: verdict)
    let measures = excerpt.shown.map { change in
      PageTable.Row.cells(
        [PageTable.Cell(change.measure.name, isCode: true)]
          + [change.beforeText, change.nowText, change.shareText, change.noticedText, change.chanceText]
          .map { PageTable.Cell($0) })
    }
    return [.title(stack.name)] + measures
      + ([excerpt.more].compactMap(\.self) + [excerpt.evidence] + excerpt.explanations).map { .note($0) }
  }

  /// Returns a table for each run that has limits that are kept, or limits that are not.
  private func limitTables(areKept: Bool) -> [Page.Section] {
    report.comparisons.compactMap { comparison in
      let results = comparison.limits.filter { $0.isKept == areKept }
      guard !results.isEmpty else { return nil }
      let word: PageText = areKept ? "\("kept", .good)" : "\("not kept", .bad)"
      let rows = results.enumerated().flatMap { place, result in
        (place > 0 && results[place - 1].stack == result.stack ? [] : [PageTable.Row.title(result.stack)])
          + [Self.row(of: result)]
      }
      return Page.Section(
        "Limits that are \(word), run \(comparison.run):",
        [.table(PageTable(columns: Self.limitColumns, rows: rows))])
    }
  }

  private static func row(of result: GateLimitResult) -> PageTable.Row {
    .cells(
      [PageTable.Cell(result.limit.name, isCode: true)]
        + [
          result.limit.mostText, result.limit.shareText, result.valueText, result.keptText, result.evidence.rawValue,
        ].map { PageTable.Cell($0) })
  }
}
