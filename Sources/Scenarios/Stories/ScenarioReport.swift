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

  /// Returns the text of the report in a format.
  ///
  /// - Parameters:
  ///   - format: The format.
  ///   - usesColour: True if a text for a terminal has colours.
  ///   - width: The number of columns of the terminal.
  /// - Returns: The text, which ends with a line break.
  /// - Throws: `EncodingError` if a value cannot be encoded as JSON.
  package func text(_ format: ScenarioFormat, usesColour: Bool, width: Int) throws -> String {
    let pages =
      isSummary
      ? [summary]
      : outcomes.map { ScenarioPage(outcome: $0, machine: machine).page }
        + (leftOut.isEmpty ? [] : [Page(sections: omission)])
    let document = ScenarioDocument(
      machine, outcomes.map { ScenarioEntry($0, on: machine) }, leftOut: leftOut.map(\.id))
    return try format.text(of: pages, document, usesColour: usesColour, width: width)
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

/// The formats in which outcomes are printed.
package enum ScenarioFormat: String, CaseIterable, Sendable {
  case text
  case markdown
  case json

  /// Returns the text of pages, or of the document with the same content. Titles in Markdown have a level.
  func text(
    of pages: [Page], _ document: some Encodable, usesColour: Bool, width: Int, level: Int = 2
  ) throws -> String {
    switch self {
    case .json: try JSONText.text(of: document)
    case .markdown: pages.map { MarkdownPage($0, level: level).text }.joined(separator: "\n")
    case .text:
      pages.map { page in
        (page.title.map { "\($0.plain)\n\n" } ?? "") + TerminalPage(page, usesColour: usesColour, width: width).text
      }.joined(separator: "\n")
    }
  }
}
