import Reporting
import Testing

@testable import Experiments

/// Stories are built from recordings: the steps, the reasons and the figures.
@Suite struct ScenarioPageTests {
  private func text(_ id: String, _ format: OutputFormat, isSummary: Bool = false) throws -> String {
    let scenario = try #require(ScenarioLibrary.all.first { $0.id == id })
    let outcome = ScenarioOutcome(
      scenario, trouble: try Recorded.run(scenario.trouble), cure: try Recorded.run(scenario.cure))
    return try ScenarioReport([outcome], on: try Recorded.phone(), isSummary: isSummary).text(format)
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

  @Test func `the reasons name the calls of both sides and the steps that only the cure takes`() throws {
    let ids = try text("temporary-id", .markdown)
    #expect(ids.contains("worker takes the ID Note t1."))
    #expect(ids.contains("With the cure, worker calls obtainPermanentIDs."))
    let list = try text("predicate-misses-update", .markdown)
    #expect(list.contains("Steps of main: fault, 0 times; with the cure, 1 time."))
  }

  @Test func `the story of a list names the statements of the main thread on both sides`() throws {
    let text = try text("child-batch-size", .markdown)
    #expect(text.contains(" FROM ZNOTE t0 ORDER BY t0.ZKEY` | 1 | 0 |"))
    #expect(text.contains("| `SELECT 0, t0.Z_PK FROM ZNOTE t0 ORDER BY t0.ZKEY` | 0 | 1 |"))
  }

  @Test func `a live story has the instants of its own run`() throws {
    let scenario = try #require(ScenarioLibrary.all.first { $0.id == "sibling-conflict" })
    let texts = try (0..<2).map { _ in
      let outcome = ScenarioOutcome(
        scenario, on: .live, trouble: try Recorded.run(scenario.trouble, on: .live),
        cure: try Recorded.run(scenario.cure, on: .live))
      return try ScenarioReport([outcome], on: .live, isSummary: false).text(.markdown)
    }
    #expect(texts[0] != texts[1])
    for text in texts {
      #expect(text.contains("Run live on this computer"))
      #expect(text.contains("Note p1 (version 1 was read, version 2 is stored)"))
    }
  }

  @Test func `a live report names the scenarios that cannot run live`() throws {
    let report = ScenarioReport(
      [], on: .live, leavingOut: ScenarioLibrary.all.filter { !$0.machines.contains(.live) }, isSummary: true)
    let text = try report.text(.text, style: TextStyle(width: 200))
    #expect(text.contains("merge-waits-for-store, one-commit"))
    #expect(try report.text(.json).contains("\"machine\" : \"live\""))
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
    let page = ScenarioPage(outcome: outcome, machine: try Recorded.phone())
    #expect(page.verdict.plain.contains("did not occur as declared: No call failed with error 133020."))
  }
}
