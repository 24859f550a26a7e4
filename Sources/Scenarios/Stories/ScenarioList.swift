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
    var sources: [String]
    var machines: [ScenarioMachine.Kind]
  }

  /// Returns the list in a format.
  ///
  /// - Parameter format: The name of the format: text, markdown or json.
  /// - Returns: The text, which ends with a line break.
  /// - Throws: `EncodingError` if the list cannot be encoded as JSON.
  package func text(_ format: String) throws -> String {
    let terms = scenarios.map {
      Page.Fact($0.id, PageText($0.machines.contains(.live) ? "\($0.title)" : "\($0.title) (simulated only)"))
    }
    let page = Page(sections: [Page.Section([.terms(terms)])])
    switch ScenarioFormat(rawValue: format) ?? .text {
    case .text: return TerminalPage(page).text
    case .markdown: return MarkdownPage(page).text
    case .json:
      return try JSONText.text(
        of: scenarios.map { Row(id: $0.id, title: $0.title, sources: $0.sources, machines: $0.machines) })
    }
  }
}
