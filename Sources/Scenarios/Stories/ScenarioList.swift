import Reporting

/// The list of scenarios with their titles, for choosing one.
package enum ScenarioList {
  private struct Row: Encodable {
    var id: String
    var title: String
    var group: ScenarioGroup
    var sources: [String]
    var machines: [ScenarioMachine.Kind]
  }

  /// Returns the list in a format, as text for 80 columns.
  ///
  /// - Parameter format: The name of the format: text, markdown or json.
  /// - Returns: The text, which ends with a line break.
  /// - Throws: `EncodingError` if the list cannot be encoded as JSON.
  package static func text(_ format: String) throws -> String {
    let page = Page(
      sections: ScenarioGroup.allCases.map { group in
        Page.Section(PageText(group.title), [.terms(ScenarioLibrary.all.filter { $0.group == group }.map(fact))])
      })
    let rows = ScenarioLibrary.all.map {
      Row(id: $0.id, title: $0.title, group: $0.group, sources: $0.sources, machines: $0.machines)
    }
    return try (ScenarioFormat(rawValue: format) ?? .text)
      .text(of: [page], rows, usesColour: false, width: WrappedText.terminalWidth, level: 3)
  }

  private static func fact(_ scenario: Scenario) -> Page.Fact {
    let limit = scenario.machines.contains(.live) ? "" : " (simulated only)"
    return Page.Fact(scenario.id, PageText(scenario.title + limit))
  }
}
