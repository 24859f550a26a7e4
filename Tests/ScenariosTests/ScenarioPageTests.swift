import Reporting
import Testing

@testable import Scenarios

/// Stories are built from recordings: the steps, the reasons and the figures.
@Suite struct ScenarioPageTests {
  private func text(_ id: String, _ format: ScenarioFormat, isSummary: Bool = false) throws -> String {
    let scenario = try #require(ScenarioLibrary.all.first { $0.id == id })
    let outcome = ScenarioOutcome(
      scenario, trouble: try Recorded.run(scenario.trouble), cure: try Recorded.run(scenario.cure))
    return try format.text(
      of: ScenarioReport([outcome], on: try Recorded.phone(), isSummary: isSummary), usesColour: false, width: 80)
  }

  @Test func `the story of a deadlock names each wait of the circle`() throws {
    let text = try text("wait-for-child-save", .markdown)
    #expect(text.hasPrefix("## wait-for-child-save: "))
    #expect(text.contains("The thread of child has waited since"))
    #expect(text.contains("for “main” (save on child); the main thread has it."))
    #expect(text.contains("for “child” (block of main); the thread of child has it."))
    #expect(text.contains("which does not end"))
  }

  @Test func `the story of a conflict names the object and its versions`() throws {
    let text = try text("sibling-conflict", .markdown)
    #expect(text.contains("Note p1 (version 1 was read, version 2 is stored)"))
    for policy in ["store-trump", "object-trump", "overwrite", "rollback"] {
      #expect(text.contains("the stored note with the policy \(policy)"))
    }
  }

  @Test func `the story of a busy main thread names the statement`() throws {
    let text = try text("child-fetch-blocks-main", .text)
    #expect(text.contains("SQL on the main thread, 1 time, with the cure 0 times: SELECT"))
  }

  @Test func `a summary has a row for each scenario`() throws {
    let text = try text("temporary-id", .markdown, isSummary: true)
    #expect(text.contains("| `temporary-id` |"))
    #expect(!text.contains("did not occur"))
  }

  @Test func `an undeclared result says which symptom was missing`() throws {
    let scenario = try #require(ScenarioLibrary.all.first { $0.id == "sibling-conflict" })
    let cure = try Recorded.run(scenario.cure)
    let outcome = ScenarioOutcome(scenario, trouble: cure, cure: cure)
    let page = ScenarioPage(outcome, device: "a phone")
    #expect(page.verdict.text.contains("did not occur as declared: No call failed with error 133020."))
  }
}
