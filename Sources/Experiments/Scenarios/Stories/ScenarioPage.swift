import MachineCore
import OrderedCollections
import Reporting
import TrialProcesses

/// The story of a scenario as a page: both sides step by step, the reasons of the trouble, and the figures of both.
struct ScenarioPage {
  /// The runs of both sides.
  let outcome: ScenarioOutcome
  /// The machine on which they ran.
  let machine: ScenarioMachine

  private var scenario: Scenario { outcome.scenario }

  /// The page.
  var page: Page {
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
    guard let device = machine.device else { return "Run live on this computer, in real time." }
    let seed = scenario.seeding(machine).seed.map { ", with the schedule seed \($0)" } ?? ""
    return "Simulated on \(device), in virtual time\(seed)."
  }

  private var reasons: [Page.Item] {
    let found = ScenarioReasons(run: outcome.trouble, cure: outcome.cure, symptoms: outcome.symptoms).sentences
    let sentences = found.isEmpty ? outcome.troubleFindings.map(\.sentence.sentenceCased) : found
    return sentences.map { Page.Item(PageText($0)) }
  }

  /// The verdict in one sentence.
  var verdict: PageText {
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
  /// The largest number of lines of a story.
  private static let limit = 26

  private func section(_ name: String, _ side: Scenario.Side, _ run: RecordedRun) -> Page.Section {
    let lines = run.lines
    let rows = lines.prefix(Self.limit).map { line -> [String] in
      let texts = line.texts(from: run.start, indentation: "· ", figure: StoryFigure.number)
      return [texts.begin, texts.duration, Self.place(line.step), texts.description]
    }
    let table = PageTable(
      of: rows,
      [
        PageColumn("at ms", .right) { $0[0] }, PageColumn("took ms", .right) { $0[1] }, PageColumn("queue") { $0[2] },
        PageColumn("what happens") { $0[3] },
      ])
    let narrow: [Page.Block] = rows.map { row in
      let at = PageTable.Alignment.right.padded(row[0], to: 8)
      return .line("\(at)  \(row[2]): \(row[3])\(row[1].isEmpty ? "" : ", \(row[1]) ms")")
    }
    var blocks: [Page.Block] = [
      .paragraphs([PageText("\(side.wiring.sentenceCased).")]), .fitting(table, otherwise: [Page.Section(narrow)]),
    ]
    let omitted = lines.count - rows.count
    if omitted > 0 { blocks.append(.paragraphs(["\(CountText.of(omitted, "further step")) are not shown."])) }
    return Page.Section(PageText(name), blocks)
  }

  private static func place(_ step: ScheduleStep) -> String {
    step.thread == step.queue || step.thread == "main thread" && step.queue == "main"
      ? step.queue : "\(step.queue), on the \(step.thread)"
  }
}

// MARK: - Side by side

extension ScenarioPage {
  /// A figure of both sides.
  struct Figure<Value> {
    var name: String
    var trouble: Value
    var cure: Value
  }

  private var figures: PageTable {
    PageTable(
      of: rows,
      [
        PageColumn("figure") { $0.name }, PageColumn("trouble", .right) { $0.trouble },
        PageColumn("cure", .right) { $0.cure },
      ])
  }

  private var rows: [Figure<String>] {
    let fixed = [
      figure("end") { Self.ending($0) },
      figure("time, ms") { StoryFigure.number($0.end - $0.start) },
      figure("longest block of main, ms") { $0.longestMainBlock.map { StoryFigure.number($0.duration) } ?? "–" },
      figure("longest wait of main, ms") { $0.longestMainWait.map { StoryFigure.number($0.duration) } ?? "–" },
      figure("SQL statements on main") { CountText.grouped($0.mainStatementCount) },
      figure("SQL statements elsewhere") { CountText.grouped($0.otherStatementCount) },
      figure("errors") { $0.failures.isEmpty ? "–" : $0.failures.map { "\($0.code)" }.joined(separator: ", ") },
    ]
    return fixed + observed + measured
  }

  private var observed: [Figure<String>] {
    names { $0.observations.map(\.name) }.map { name in
      figure(name) { run in
        let found = run.observations.filter { $0.name == name }.map(\.found)
        return found.isEmpty ? "–" : found.joined(separator: ", ")
      }
    }
  }

  private var measured: [Figure<String>] {
    names { $0.measurements.map(\.name) }.map { name in
      figure("\(name), ms") { run in run.span(of: name).map(StoryFigure.number) ?? "–" }
    }
  }

  /// Returns the names of both sides in the order in which they appear first.
  private func names(_ names: (RecordedRun) -> [String]) -> [String] {
    OrderedSet(names(outcome.trouble) + names(outcome.cure)).elements
  }

  private func figure(_ name: String, _ text: (RecordedRun) -> String) -> Figure<String> {
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
    answers.map { Page.Item("\($0.0), \($0.1.isShown ? "shown" : "not shown"): \($0.1.sentence.sentenceCased)") }
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
        PageColumn("finding") { $0.1.sentence.sentenceCased },
      ])
  }
}
