import Reporting

/// The outcomes of scenarios in the forms in which they are printed.
package struct ScenarioReport: Sendable {
  let outcomes: [ScenarioOutcome]
  let machine: ScenarioMachine
  let leftOut: [Scenario]
  let isSummary: Bool

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

  /// The tables with a row for each scenario, one for each group.
  var summary: Page {
    let groups = ScenarioGroup.allCases.filter { group in outcomes.contains { $0.scenario.group == group } }
    let others = outcomes.filter { !$0.isAsDeclared }.map { outcome in
      PageText("\(outcome.scenario.id): \(ScenarioPage(outcome, on: machine).verdict.text)")
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
        PageColumn("cure") { $0.scenario.cure.wiring.uppercasedFirst },
        PageColumn("found then") { Self.sentence($0.cureFindings) },
      ])
    return Page.Section(PageText(group.title), [.fitting(table, otherwise: members.map(row))])
  }

  /// The names of the scenarios that cannot run on the machine, if there are any.
  var omission: [Page.Section] {
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
        Page.Fact("cure", PageText("\(outcome.scenario.cure.wiring.uppercasedFirst).")),
        Page.Fact("then", PageText(Self.sentence(outcome.cureFindings))),
      ]),
    ])
  }

  private static func sentence(_ findings: [Finding]) -> String {
    findings.first.map { "\($0.figures.uppercasedFirst)." } ?? ""
  }
}

/// The formats in which outcomes are printed.
package enum ScenarioFormat: String, CaseIterable, Sendable {
  case text
  case markdown
  case json

  /// Returns the text of a report.
  ///
  /// - Parameters:
  ///   - report: The report.
  ///   - usesColour: True if a text for a terminal has colours.
  ///   - width: The number of columns of the terminal.
  /// - Returns: The text, which ends with a line break.
  /// - Throws: `EncodingError` if a value cannot be encoded as JSON.
  package func text(of report: ScenarioReport, usesColour: Bool, width: Int) throws -> String {
    if self == .json { return try JSONText.text(of: ScenarioDocument(report)) }
    let pages =
      report.isSummary
      ? [report.summary]
      : report.outcomes.map { ScenarioPage($0, on: report.machine).page }
        + (report.leftOut.isEmpty ? [] : [Page(sections: report.omission)])
    let texts = pages.map { page -> String in
      if self == .markdown { return MarkdownPage(page, level: 2).text }
      let title = page.title.map { "\($0.text)\n\n" } ?? ""
      return title + TerminalPage(page, usesColour: usesColour, width: width).text
    }
    return texts.joined(separator: "\n")
  }
}

extension PageText {
  /// The text without marks.
  var text: String {
    runs.map { run in
      switch run {
      case .plain(let text), .code(let text), .command(let text), .judgement(let text, _), .link(let text, _): text
      case .bestMark: "*"
      }
    }.joined()
  }
}
