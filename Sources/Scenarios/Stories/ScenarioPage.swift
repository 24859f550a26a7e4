import MachineCore
import Reporting

/// The story of a scenario as a page: both sides step by step, the reasons of the trouble, and the figures of both.
package struct ScenarioPage {
  private let outcome: ScenarioOutcome
  private let device: String?
  private let seed: UInt64?

  /// Creates the page of an outcome.
  ///
  /// - Parameters:
  ///   - outcome: The runs of both sides.
  ///   - device: The name of the simulated device, or nil for the live machine.
  ///   - seed: The schedule seed of the simulated device, or nil if it has none.
  package init(_ outcome: ScenarioOutcome, device: String?, seed: UInt64? = nil) {
    self.outcome = outcome
    self.device = device
    self.seed = seed
  }

  /// Creates the page of an outcome of runs on a machine.
  init(_ outcome: ScenarioOutcome, on machine: ScenarioMachine) {
    self.init(outcome, device: machine.device, seed: outcome.scenario.seeding(machine).seed)
  }

  private var scenario: Scenario { outcome.scenario }

  /// The page.
  package var page: Page {
    Page(
      title: "\(scenario.id): \(scenario.title)",
      sections: [
        Page.Section([
          .paragraphs(
            ["Described by: \(scenario.sources.joined(separator: "; "))."]
              + (scenario.published.map { ["Published: \($0)"] } ?? []) + [
                PageText(place)
              ])
        ]),
        section("The trouble", scenario.trouble, outcome.trouble),
        Page.Section("Why", [.list(Page.List(nil, reasons))]),
        section("The cure", scenario.cure, outcome.cure),
        Page.Section("Side by side", [.table(figures)]),
      ] + statements + [
        Page.Section([.fitting(findings, otherwise: [Page.Section([.list(Page.List(nil, findingItems))])])]),
        Page.Section([.paragraphs([verdict])]),
      ])
  }

  private var place: String {
    guard let device else { return "Run live on this computer, in real time." }
    return "Simulated on \(device), in virtual time\(seed.map { ", with the schedule seed \($0)" } ?? "")."
  }

  private var statements: [Page.Section] { MainStatements(outcome).sections }

  private var reasons: [Page.Item] {
    let found = ScenarioReasons(outcome.trouble, against: outcome.cure, outcome.symptoms).sentences
    let sentences = found.isEmpty ? outcome.troubleFindings.map(\.sentence.uppercasedFirst) : found
    return sentences.map { Page.Item(PageText($0)) }
  }

  /// The verdict in one sentence.
  package var verdict: PageText {
    guard outcome.troubleOccurred else {
      return
        "\("The trouble did not occur as declared", .bad): \(Self.complaints(outcome.troubleFindings, isShown: false))"
    }
    guard outcome.cureHelped else {
      return "\("The cure did not avoid the trouble", .bad): \(Self.complaints(outcome.cureFindings, isShown: true))"
    }
    return "\("The trouble occurred as declared, and the cure did not show it.", .good)"
  }

  private static func complaints(_ findings: [Finding], isShown: Bool) -> String {
    let wrong = findings.filter { $0.isShown == isShown }.map(\.sentence)
    return wrong.isEmpty ? "the program did not end as declared." : wrong.joined(separator: " ")
  }
}

// MARK: - Sides

extension ScenarioPage {
  private func section(_ name: String, _ side: Scenario.Side, _ run: RecordedRun) -> Page.Section {
    let story = ScenarioStory(run)
    let table = PageTable(
      of: story.rows,
      [
        PageColumn("at ms", .right) { StoryFigure.number($0.at) },
        PageColumn("took ms", .right) { $0.took.map(StoryFigure.number) ?? "" },
        PageColumn("queue") { $0.place }, PageColumn("what happens") { $0.text },
      ])
    var blocks: [Page.Block] = [
      .paragraphs([PageText("\(side.wiring.uppercasedFirst).")]),
      .fitting(table, otherwise: [Page.Section(lines(of: story))]),
    ]
    if story.omittedCount > 0 {
      blocks.append(.paragraphs(["\(CountText.of(story.omittedCount, "further step")) are not shown."]))
    }
    return Page.Section(PageText(name), blocks)
  }

  private func lines(of story: ScenarioStory) -> [Page.Block] {
    story.rows.map { row in
      let took = row.took.map { ", \(StoryFigure.milliseconds($0))" } ?? ""
      let at = PageTable.Alignment.right.padded(StoryFigure.number(row.at), to: 8)
      return .line("\(at)  \(row.place): \(row.text)\(took)")
    }
  }
}

// MARK: - Side by side

extension ScenarioPage {
  private struct Figure {
    var name: String
    var trouble: String
    var cure: String
  }

  private var figures: PageTable {
    PageTable(
      of: rows,
      [
        PageColumn("figure") { $0.name }, PageColumn("trouble", .right) { $0.trouble },
        PageColumn("cure", .right) { $0.cure },
      ])
  }

  private var rows: [Figure] {
    let fixed = [
      figure("end") { Self.ending($0) },
      figure("time, ms") { StoryFigure.number($0.end - $0.start) },
      figure("longest block of main, ms") { $0.longestMainBlock.map { StoryFigure.number($0.duration) } ?? "–" },
      figure("longest wait of main, ms") { $0.longestMainWait.map { StoryFigure.number($0.span) } ?? "–" },
      figure("SQL statements on main") { CountText.grouped($0.mainStatementCount) },
      figure("SQL statements elsewhere") { CountText.grouped($0.otherStatementCount) },
      figure("errors") { $0.failures.isEmpty ? "–" : $0.failures.map { "\($0.code)" }.joined(separator: ", ") },
    ]
    return fixed + observed + measured
  }

  private var observed: [Figure] {
    names { $0.observations.map(\.name) }.map { name in
      figure(name) { run in
        let found = run.observations.filter { $0.name == name }.map(\.found)
        return found.isEmpty ? "–" : found.joined(separator: ", ")
      }
    }
  }

  private var measured: [Figure] {
    names { $0.measurements.map(\.name) }.map { name in
      figure("\(name), ms") { run in run.span(of: name).map(StoryFigure.number) ?? "–" }
    }
  }

  /// Returns the names of both sides in the order in which they appear first.
  private func names(_ names: (RecordedRun) -> [String]) -> [String] {
    let all = names(outcome.trouble) + names(outcome.cure)
    return all.enumerated().filter { !all[..<$0.offset].contains($0.element) }.map(\.element)
  }

  private func figure(_ name: String, _ text: (RecordedRun) -> String) -> Figure {
    Figure(name: name, trouble: text(outcome.trouble), cure: text(outcome.cure))
  }

  private static func ending(_ run: RecordedRun) -> String {
    switch run.ending {
    case .completed?: "completed"
    case .deadlock?: "deadlock"
    case .trapped?: "stopped for misuse"
    case .stopped(let message)?: "failed: \(message)"
    case nil: "not known"
    }
  }

  private var findingItems: [Page.Item] {
    answers.map { Page.Item("\($0.0), \($0.1.isShown ? "shown" : "not shown"): \($0.1.sentence.uppercasedFirst)") }
  }

  private var answers: [(String, Finding)] {
    zip(outcome.troubleFindings, outcome.cureFindings).flatMap { trouble, cure in
      [("trouble", trouble), ("cure", cure)]
    }
  }

  private var findings: PageTable {
    PageTable(
      of: answers,
      [
        PageColumn("side") { $0.0 }, PageColumn("symptom") { $0.1.isShown ? "shown" : "not shown" },
        PageColumn("finding") { $0.1.sentence.uppercasedFirst },
      ])
  }
}
