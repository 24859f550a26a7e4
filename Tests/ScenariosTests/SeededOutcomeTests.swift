import Foundation
import Reporting
import Testing

@testable import Experiments

/// Runs with many schedule seeds are counted by their ends and by what they show.
@Suite struct SeededOutcomeTests {
  private let scenario = ScenarioLibrary.all.first { $0.id == "stops-sometimes" }

  @Test func `a trouble that depends on the schedule shows up on some seeds, and its cure on none`() throws {
    let scenario = try #require(scenario)
    var counts = SeededOutcome(scenario)
    for seed in UInt64(1)...40 {
      let trouble = try Recorded.run(scenario.trouble, seed: seed)
      counts.add(
        ScenarioOutcome(scenario, trouble: trouble, cure: try Recorded.run(scenario.cure, seed: seed)), seed: seed)
    }
    #expect(counts.trouble.seedCount == 40 && counts.cure.seedCount == 40)
    #expect((1...8).contains(counts.trouble.shownCount), "\(counts.trouble.shownSeeds)")
    #expect(counts.trouble.deadlocked == counts.trouble.shownCount)
    #expect(counts.trouble.completed == 40 - counts.trouble.shownCount)
    #expect(counts.cure.completed == 40 && counts.cure.shownCount == 0)
    #expect(counts.isAsDeclared)
  }

  @Test func `a trouble that shows up on no seed, or a cure that shows it, is not as declared`() throws {
    let scenario = try #require(scenario)
    let trouble = try Recorded.run(scenario.trouble, seed: scenario.seed)
    let cure = try Recorded.run(scenario.cure, seed: scenario.seed)
    var counts = SeededOutcome(scenario)
    counts.add(ScenarioOutcome(scenario, trouble: cure, cure: cure), seed: 3)
    #expect(!counts.isAsDeclared && counts.trouble.shownCount == 0)
    counts.add(ScenarioOutcome(scenario, trouble: trouble, cure: cure), seed: 4)
    #expect(counts.isAsDeclared && counts.trouble.shownSeeds == [4])
    counts.add(ScenarioOutcome(scenario, trouble: trouble, cure: trouble), seed: 5)
    #expect(!counts.isAsDeclared && counts.cure.shownSeeds == [5])
  }

  @Test func `the report of seeds names those that showed the trouble, in each format`() throws {
    let scenario = try #require(scenario)
    let cure = try Recorded.run(scenario.cure, seed: scenario.seed)
    let trouble = try Recorded.run(scenario.trouble, seed: scenario.seed)
    var counts = SeededOutcome(scenario)
    counts.add(ScenarioOutcome(scenario, trouble: trouble, cure: cure), seed: 1)
    counts.add(ScenarioOutcome(scenario, trouble: cure, cure: cure), seed: 2)
    let report = SeedReport([counts], on: try Recorded.phone())
    let text = try report.text(.text, style: TextStyle(width: 100))
    #expect(text.contains("Seeds on which the trouble side showed the trouble: 1."))
    #expect(text.contains("The trouble showed up on 1 of 2 seeds, and with the cure on none."))
    #expect(try report.text(.markdown).contains("| trouble | 2 | 1 | 1 | 0 | 0 | 1 |"))
    let json = try JSONSerialization.jsonObject(with: Data(report.text(.json).utf8))
    let entry = try #require(((json as? [String: Any])?["scenarios"] as? [[String: Any]])?.first)
    #expect(entry["as_declared"] as? Bool == true)
    #expect((entry["trouble"] as? [String: Any])?["shown_seeds"] as? [Int] == [1])
    #expect((entry["cure"] as? [String: Any])?["completed"] as? Int == 2)
  }

  @Test func `a given seed replaces the scenario's own`() throws {
    let scenario = try #require(scenario)
    #expect(scenario.seeding(try Recorded.phone()).seed == scenario.seed)
    #expect(scenario.seeding(try Recorded.phone(seed: 99)).seed == 99)
    #expect(scenario.seeding(.live).seed == nil)
  }
}
