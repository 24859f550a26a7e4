import Metrics

/// The report of a run: one HTML file with all its contents, which makes no request to the network.
///
/// The report depends on the result and its charts only: the same folder gives the same bytes.
package struct RunReport: Sendable {
  package static let fileName = "report.html"
  private static let stallCount = 5

  package var result: ReportedResult
  /// The charts, in the order of the page.
  package var charts: [ReportChart]

  package init(result: ReportedResult, charts: [ReportChart]) {
    self.result = result
    self.charts = charts
  }

  /// The text of the file.
  package var html: String { HTMLPage(page, kind: "Stackbench report", subject: subject).text }

  var page: Page {
    let verdict = ReportVerdict(result)
    let tables = ReportTables(result: result)
    let first = [
      Page.Section("Verdict", name: "verdict", [.statements(verdict.statements)]), stacksSection(tables),
      Page.Section("Charts", name: "charts", charts.map(Page.Block.chart)),
    ]
    return Page(
      title: PageText(verdict.headline),
      sections: first + stallSections(of: verdict) + [runSection, wordsSection(tables)])
  }

  private func stacksSection(_ tables: ReportTables) -> Page.Section {
    let printed = tables.printed.map(Page.Block.table)
    let bands = Page.Block.list(Page.List(nil, self.bands))
    return Page.Section("The stacks", name: "stacks", [.legend(Self.legend)] + printed + [bands])
  }

  private func wordsSection(_ tables: ReportTables) -> Page.Section {
    let glossary = Page.Section("Glossary: what the columns mean", isFolded: true, [.terms(ColumnMeaning.all)])
    let measures = Page.Section("All measures", isFolded: true, [.table(tables.measures)])
    return Page.Section("Columns and measures", name: "words", [.sections([glossary, measures])])
  }

  private static let legend: PageText = """
    \(PageText.Run.bestMark) the best of a column · \("unacceptable", .bad) by the bands below · the smoothest first
    """

  private var runSection: Page.Section {
    let run = RunDescription(manifest: result.manifest, roles: result.roles)
    let flags = Page.Section(
      "All flags, with the values that they came out with", isFolded: true, [.terms(run.flags)])
    return Page.Section(
      "What was run", name: "run",
      [.commands([Page.Command(commandPurpose, parts: run.command)]), .facts(run.facts), .sections([flags])])
  }

  private var subject: String {
    guard let first = result.trials.first?.identity else { return result.title }
    let machine = first.profile.map { "\(first.machine) \($0)" } ?? first.machine
    let existing = result.manifest.count(of: .existingRows).map { " into \(Self.grouped($0))" } ?? ""
    return "\(first.workload), \(Self.grouped(first.rows)) rows\(existing), \(machine) machine, seed \(first.seed), "
      + "from \(result.title)"
  }

  /// Digits in groups of three: 15,000.
  private static func grouped(_ number: Int) -> String {
    let digits = Array(String(number))
    return digits.enumerated().map { index, digit in
      index > 0 && (digits.count - index).isMultiple(of: 3) ? ",\(digit)" : "\(digit)"
    }.joined()
  }
}

// MARK: - Sentences

extension RunReport {
  /// The longest stalls of the stacks that the verdict takes, then those of all.
  private func stallSections(of verdict: ReportVerdict) -> [Page.Section] {
    let all = stallSection("stalls", "The longest stalls", of: result.stalls)
    let leaders = verdict.leaders
    guard !leaders.isEmpty, leaders.count < result.summaries.count else { return [all] }
    let own = result.stalls?.filter { stalls in
      leaders.contains(stalls.variant.map { "\(stalls.topology)/\($0)" } ?? stalls.topology)
    }
    return [stallSection("best-stalls", "The longest stalls of \(ReportVerdict.joined(leaders))", of: own), all]
  }

  private func stallSection(
    _ name: String, _ title: String, of stalls: [TopologyRows<StallRow>]?
  ) -> Page.Section {
    let items = StallSentence.longest(Self.stallCount, of: stalls ?? []).map { Page.Item("\($0.text).") }
    let block: Page.Block =
      if stalls == nil {
        .missing("Not here: \(result.title) has no \(StallTable.fileName).")
      } else if items.isEmpty {
        .missing("None: no frame started more than one interval after its tick.")
      } else {
        .list(Page.List(nil, items, isNumbered: true))
      }
    return Page.Section(PageText(title), name: name, [block])
  }

  private var commandPurpose: String {
    result.manifest.machine == "simulated"
      ? "This command gives the same bytes again, on any computer"
      : "This command measures the same again; figures of a live run differ from run to run"
  }

  /// The bands, each with a link to the page on which Apple publishes them.
  private var bands: [Page.Item] {
    func item(_ text: String, _ source: String, _ page: String) -> Page.Item {
      Page.Item("\(text) \(PageText.Run.link(source, to: "https://developer.apple.com/documentation/xcode/" + page))")
    }
    let hitches = "hitch ms/s is hitch time per second. \(result.hitchScale.legend)"
    let split =
      result.stalls == nil
      ? "Without \(StallTable.fileName), the longest wait of any tick tells on which side of 500 ms they lie."
      : "In brackets: those above 500 ms."
    let hitchItem =
      switch result.hitchScale {
      case .scroll:
        item(
          "\(hitches); a poor stack is unacceptable.", "Xcode Organizer, scroll hitch rate",
          "analyzing-responsiveness-issues-in-your-shipping-app")
      case .animation:
        item(
          "\(hitches); from critical on, a stack is unacceptable.", "Xcode Organizer, hitches of all animations",
          "understanding-hitches-in-your-app")
      }
    return [
      hitchItem,
      item(
        "Hangs are frames that start 250 ms late or more, from where on Apple's tools report them; Instruments "
          + "calls them microhangs up to about 500 ms, and above that a stack is unacceptable. \(split)",
        "Improving app responsiveness", "improving-app-responsiveness"),
    ]
  }
}
