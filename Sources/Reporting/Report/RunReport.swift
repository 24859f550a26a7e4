import Metrics

/// The report of a run: one HTML file with all its contents, which makes no request to the network.
///
/// The report depends on the result and its charts only: the same folder gives the same bytes.
package struct RunReport: Sendable {
  private static let stallCount = 5

  package var result: ReportedResult
  /// The answer of `advise` for the trials of the run.
  package var answer: AdviceAnswer
  /// The picture of the stack that the answer takes, or nil if it takes none.
  package var picture: ReportChart?
  /// The charts, in the order of the page.
  package var charts: [ReportChart]

  package init(result: ReportedResult, answer: AdviceAnswer, picture: ReportChart? = nil, charts: [ReportChart]) {
    self.result = result
    self.answer = answer
    self.picture = picture
    self.charts = charts
  }

  /// The text of the file.
  package var html: String { HTMLPage(page, kind: "Stackbench report", subject: subject).text }

  var page: Page {
    let verdict = ReportVerdict(result)
    let tables = ReportTables(result: result)
    let warnings = verdict.warnings.isEmpty ? [] : [Page.Block.statements(verdict.warnings)]
    return Page(
      title: headline,
      sections: [
        Page.Section("Answer", name: "answer", warnings + (hasAnswer ? answerBlocks : [])),
        Page.Section("The stacks", name: "stacks", isFolded: true, stacks(tables, verdict)),
        Page.Section("Charts", name: "charts", isFolded: true, charts.map(Page.Block.chart)),
      ] + stallSections + [
        runSection, Page.Section("What the columns mean", name: "words", isFolded: true, [.terms(meanings)]),
        Page.Section("All measures", name: "measures", isFolded: true, [.table(tables.measures)]),
      ])
  }

  /// The answer in a line, or the reason why there is none.
  private var headline: PageText {
    if hasAnswer { return PageText(AdvicePage(answer, words: result.roles.words).headline.plain.sentenceCased) }
    let isMeasured = result.summaries.contains { $0.measures.verified == 1 }
    return isMeasured ? "No answer: hitches were not measured" : "No answer: the data is wrong"
  }

  /// True if the run has a stack whose figures can be ranked.
  private var hasAnswer: Bool { !answer.advice.candidates.isEmpty }

  private var answerBlocks: [Page.Block] { AdvicePage(answer, words: result.roles.words).blocks(with: picture) }

  private func stacks(_ tables: ReportTables, _ verdict: ReportVerdict) -> [Page.Block] {
    let figures = tables.figures.map { [Page.Block.paragraphs([PageText($0)])] } ?? []
    return [.statements(verdict.statements)] + figures + [.legend(Self.legend)] + tables.printed.map(Page.Block.table)
      + (ratios?.blocks ?? []) + [.list(Page.List(nil, bands))]
  }

  /// The section that compares the other stacks with the reference, or nil if the run has none.
  private var ratios: Page.Section? {
    result.ratios.flatMap { RatioTable([RatioTable.Group(ratios: $0)]).section }
  }

  private var meanings: [Page.Fact] {
    ColumnMeaning.all + (RunConditions(result.manifest).showsFirstFetch ? [ColumnMeaning.firstFetch] : [])
  }

  private static let legend: PageText = """
    \(PageText.Run.bestMark) best value of the column · \("unacceptable", .bad) by the bands below · smoothest first
    """

  private var runSection: Page.Section {
    let run = RunDescription(manifest: result.manifest, roles: result.roles)
    let flags = Page.Section(
      "All flags with the values that the run used", name: "flags", isFolded: true, [.terms(run.flags)])
    return Page.Section(
      "What was run", name: "run", isFolded: true,
      [Page.Block.commands([Page.Command(commandPurpose, parts: run.command)])] + conditions
        + [.facts(run.facts), .sections([flags])])
  }

  private var conditions: [Page.Block] {
    RunConditions(result.manifest).sentence.map { [.paragraphs([PageText($0)])] } ?? []
  }

  private var subject: String {
    guard let first = result.trials.first?.identity else { return result.title }
    let machine = first.profile.map { "\(first.machine) \($0)" } ?? first.machine
    let rows = result.manifest.flags[Manifest.SettingName.existingRows.rawValue] ?? ""
    let existing =
      rows.isEmpty ? "" : " into \(result.manifest.count(of: .existingRows).map(CountText.grouped) ?? rows)"
    let changes = RunConditions(result.manifest).changes
    return "\(first.workload), \(CountText.grouped(first.rows)) rows\(changes)\(existing), "
      + "\(machine) machine, seed \(first.seed), from \(result.title)"
  }
}

// MARK: - Sentences

extension RunReport {
  /// The longest stalls of the stack that the answer takes, then those of all stacks.
  private var stallSections: [Page.Section] {
    let all = stallSection("stalls", "The longest stalls", of: result.stalls)
    guard let taken = answer.advice.advised?.name, result.summaries.count > 1 else { return [all] }
    let own = result.stalls?.filter { $0.name == taken }
    return [stallSection("best-stalls", "The longest stalls of \(taken)", of: own), all]
  }

  private func stallSection(
    _ name: String, _ title: String, of stalls: [TopologyRows<StallRow>]?
  ) -> Page.Section {
    let items = StallSentence.longest(Self.stallCount, of: stalls ?? []).map { Page.Item("\($0.text).") }
    let block: Page.Block =
      if stalls == nil {
        .missing("Missing: \(result.title) has no \(StallTable.fileName).")
      } else if items.isEmpty {
        .missing("No frame started more than one tick interval late.")
      } else {
        .list(Page.List(nil, items, isNumbered: true))
      }
    return Page.Section(PageText(title), name: name, isFolded: true, [block])
  }

  private var commandPurpose: String {
    result.manifest.machine == "simulated"
      ? "This command writes the same bytes again on any computer"
      : "This command repeats the measurement; the figures of live runs vary"
  }

  /// The bands, each with a link to the page on which Apple publishes them.
  private var bands: [Page.Item] {
    func item(_ text: String, _ source: String, _ page: String) -> Page.Item {
      Page.Item("\(text) \(PageText.Run.link(source, to: "https://developer.apple.com/documentation/xcode/" + page))")
    }
    let hitches = "hitch ms/s is hitch time per second. \(result.hitchScale.legend)"
    let split =
      result.stalls == nil
      ? "\(StallTable.fileName) is missing, so the longest stall decides whether a stack has a hang above 500 ms."
      : "The number in brackets counts those above 500 ms."
    let hitchItem =
      switch result.hitchScale {
      case .scroll:
        item(
          "\(hitches); a poor stack is unacceptable.", "Xcode Organizer, scroll hitch rate",
          "analyzing-responsiveness-issues-in-your-shipping-app")
      case .animation:
        item(
          "\(hitches); a stack that is critical or immediate is unacceptable.",
          "Xcode Organizer, hitches of all animations",
          "understanding-hitches-in-your-app")
      }
    return [
      hitchItem,
      item(
        "Hangs are frames that start 250 ms late or more, the limit above which Apple's tools report them. Instruments "
          + "calls them microhangs up to about 500 ms. A stack with longer ones is unacceptable. \(split)",
        "Improving app responsiveness", "improving-app-responsiveness"),
    ]
  }
}
