import Reporting

/// The outcomes of scenarios in the forms in which they are printed.
package struct ScenarioReport: Sendable {
  private let outcomes: [ScenarioOutcome]
  private let machine: ScenarioMachine
  private let leftOut: [Scenario]
  private let isSummary: Bool

  /// Creates a report.
  ///
  /// - Parameters:
  ///   - outcomes: The outcomes in the order in which they are printed.
  ///   - machine: The machine on which the scenarios ran.
  ///   - leftOut: The scenarios that cannot run on this machine.
  ///   - isSummary: True if the report has a row for each scenario in place of its story.
  package init(
    _ outcomes: [ScenarioOutcome], on machine: ScenarioMachine, leavingOut leftOut: [Scenario] = [], isSummary: Bool
  ) {
    self.outcomes = outcomes
    self.machine = machine
    self.leftOut = leftOut
    self.isSummary = isSummary
  }

  /// The pages of the report: the stories, or one page with a row for each scenario.
  private var pages: [Page] {
    guard !isSummary else { return [summary] }
    return outcomes.map { ScenarioPage(outcome: $0, machine: machine).page }
      + (leftOut.isEmpty ? [] : [Page(sections: omission)])
  }

  /// The tables with a row for each scenario, one for each group.
  private var summary: Page {
    let groups = ScenarioGroup.allCases.filter { group in outcomes.contains { $0.scenario.group == group } }
    let others = outcomes.filter { !$0.isAsDeclared }.map { outcome in
      PageText("\(outcome.scenario.id): \(ScenarioPage(outcome: outcome, machine: machine).verdict.plain)")
    }
    return Page(
      sections: groups.map(section) + (others.isEmpty ? [] : [Page.Section([.paragraphs(others)])]) + omission)
  }

  private func section(_ group: ScenarioGroup) -> Page.Section {
    let members = outcomes.filter { $0.scenario.group == group }
    let table = PageTable(
      of: members,
      [
        PageColumn.code("scenario") { $0.scenario.id }, PageColumn("trouble") { $0.scenario.title },
        PageColumn("found") { Self.sentence($0.troubleFindings) },
        PageColumn("cure") { $0.scenario.cure.wiring.sentenceCased },
        PageColumn("found then") { Self.sentence($0.cureFindings) },
      ])
    return Page.Section(PageText(group.title), [.fitting(table, otherwise: members.map(row))])
  }

  /// The names of the scenarios that cannot run on the machine, if there are any.
  private var omission: [Page.Section] {
    guard !leftOut.isEmpty else { return [] }
    let names = leftOut.map(\.id).joined(separator: ", ")
    return [
      Page.Section([
        .paragraphs(["Not run live, because only times or chosen seeds show the trouble: \(names)."])
      ])
    ]
  }

  private func row(_ outcome: ScenarioOutcome) -> Page.Section {
    Page.Section([
      .paragraphs(["\(outcome.scenario.id): \(outcome.scenario.title)"]),
      .terms([
        Page.Fact("trouble", PageText(Self.sentence(outcome.troubleFindings))),
        Page.Fact("cure", PageText("\(outcome.scenario.cure.wiring.sentenceCased).")),
        Page.Fact("then", PageText(Self.sentence(outcome.cureFindings))),
      ]),
    ])
  }

  private static func sentence(_ findings: [Finding]) -> String {
    findings.first.map { "\($0.figures.sentenceCased)." } ?? ""
  }
}

extension ScenarioReport: PrintableResult {
  package static let formats: [OutputFormat] = [.text, .markdown, .json]
  package static let titleLevel = 2

  package func pages(for format: OutputFormat) -> [Page] { format == .text ? pages.map(\.titled) : pages }

  package var json: any Encodable {
    machine.json(outcomes.map { $0.json(on: machine) }, leftOut: leftOut.map(\.id))
  }
}

extension Page {
  /// The page with its title as its first line, which a terminal shows.
  var titled: Page { Page(sections: [title.map { Page.Section([.line($0)]) }] + sections) }
}
