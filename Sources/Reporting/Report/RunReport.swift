import Ledgers
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
    let glossary = Page.Section("Glossary: what the columns mean", isFolded: true, [.terms(meanings)])
    let measures = Page.Section("All measures", isFolded: true, [.table(tables.measures)])
    return Page.Section("Columns and measures", name: "words", [.sections([glossary, measures])])
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
      "All flags with the values that the run used", isFolded: true, [.terms(run.flags)])
    return Page.Section(
      "What was run", name: "run",
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
    let existing = rows.isEmpty ? "" : " into \(result.manifest.count(of: .existingRows).map(Self.grouped) ?? rows)"
    let changes = RunConditions(result.manifest).changes
    return "\(first.workload), \(Self.grouped(first.rows)) rows\(changes)\(existing), "
      + "\(machine) machine, seed \(first.seed), from \(result.title)"
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
  /// Returns the longest stalls of the stacks that the verdict recommends, then those of all stacks.
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
        .missing("Missing: \(result.title) has no \(StallTable.fileName).")
      } else if items.isEmpty {
        .missing("No frame started more than one tick interval late.")
      } else {
        .list(Page.List(nil, items, isNumbered: true))
      }
    return Page.Section(PageText(title), name: name, [block])
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
