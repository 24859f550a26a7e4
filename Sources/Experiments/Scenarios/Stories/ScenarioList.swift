import Reporting

/// The list of scenarios with their titles, for choosing one.
package struct ScenarioList: PrintableResult {
  package init() {}

  package static let formats = ScenarioReport.formats

  package func pages(for format: OutputFormat) -> [Page] {
    [
      Page(
        sections: ScenarioGroup.allCases.map { group in
          Page.Section(PageText(group.title), [.terms(ScenarioLibrary.all.filter { $0.group == group }.map(Self.fact))])
        })
    ]
  }

  package var json: any Encodable {
    ScenarioLibrary.all.map { scenario -> JSONObject in
      [
        "id": scenario.id, "title": scenario.title, "group": scenario.group, "sources": scenario.sources,
        "machines": scenario.machines,
      ]
    }
  }

  private static func fact(_ scenario: Scenario) -> Page.Fact {
    let limit = scenario.machines.contains(.live) ? "" : " (simulated only)"
    return Page.Fact(scenario.id, PageText(scenario.title + limit))
  }
}
