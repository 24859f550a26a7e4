import Reporting

/// The list of scenarios with their titles, for choosing one.
package struct ScenarioList: Sendable {
  private let scenarios: [Scenario]

  /// Creates the list of scenarios.
  package init(_ scenarios: [Scenario]) {
    self.scenarios = scenarios
  }

  private struct Row: Encodable {
    var id: String
    var title: String
    var group: ScenarioGroup
    var sources: [String]
    var machines: [ScenarioMachine.Kind]
  }

  /// Returns the list in a format.
  ///
  /// - Parameter format: The name of the format: text, markdown or json.
  /// - Returns: The text, which ends with a line break.
  /// - Throws: `EncodingError` if the list cannot be encoded as JSON.
  package func text(_ format: String) throws -> String {
    let page = Page(
      sections: ScenarioGroup.allCases.map { group in
        Page.Section(PageText(group.title), [.terms(scenarios.filter { $0.group == group }.map(Self.fact))])
      })
    switch ScenarioFormat(rawValue: format) ?? .text {
    case .text: return TerminalPage(page).text
    case .markdown: return MarkdownPage(page).text
    case .json:
      return try JSONText.text(
        of: scenarios.map {
          Row(id: $0.id, title: $0.title, group: $0.group, sources: $0.sources, machines: $0.machines)
        })
    }
  }

  private static func fact(_ scenario: Scenario) -> Page.Fact {
    let limit = scenario.machines.contains(.live) ? "" : " (simulated only)"
    return Page.Fact(scenario.id, PageText(scenario.title + limit))
  }
}
