import Testing

@testable import Experiments

/// Every scenario has the declared outcome, and a cure in place of the trouble has another one.
@Suite struct LibraryTests {
  /// The scenarios whose trouble does not stop the process.
  static let survivable = ScenarioLibrary.all.filter { scenario in
    !scenario.symptoms.contains { if case .trap = $0 { true } else { false } }
  }

  @Test(arguments: survivable.map(\.id))
  func `the trouble occurs and the cure does not show it`(id: String) throws {
    let scenario = try #require(ScenarioLibrary.all.first { $0.id == id })
    let cure = try Recorded.run(scenario.cure, seed: scenario.seed)
    let outcome = ScenarioOutcome(
      scenario, trouble: try Recorded.run(scenario.trouble, seed: scenario.seed), cure: cure)
    // The outcome has whole recordings, which would fill the log of a failure.
    let (occurred, helped) = (outcome.troubleOccurred, outcome.cureHelped)
    #expect(occurred, "\(outcome.troubleFindings.map(\.sentence))")
    #expect(helped, "\(outcome.cureFindings.map(\.sentence)) \(String(describing: cure.ending))")
    let swapped = ScenarioOutcome(scenario, trouble: cure, cure: cure).isAsDeclared
    #expect(!swapped)
  }

  /// The scenarios that run live and leave no threads behind. The tests of the command run the others.
  static let live = survivable.filter { $0.machines.contains(.live) && !$0.symptoms.contains(.deadlock) }

  @Test(arguments: live.map(\.id))
  func `the trouble occurs on real threads too, whatever their speed`(id: String) throws {
    let scenario = try #require(ScenarioLibrary.all.first { $0.id == id })
    let cure = try Recorded.run(scenario.cure, on: .live)
    let outcome = ScenarioOutcome(
      scenario, on: .live, trouble: try Recorded.run(scenario.trouble, on: .live), cure: cure)
    let (occurred, helped) = (outcome.troubleOccurred, outcome.cureHelped)
    #expect(occurred, "\(outcome.troubleFindings.map(\.sentence))")
    #expect(helped, "\(outcome.cureFindings.map(\.sentence)) \(String(describing: cure.ending))")
    let swapped = ScenarioOutcome(scenario, on: .live, trouble: cure, cure: cure).isAsDeclared
    #expect(!swapped)
  }

  @Test func `a scenario runs live unless only times or a chosen seed show its trouble`() {
    let simulatedOnly = ScenarioLibrary.all.filter { $0.machines == [.simulated] }
    #expect(simulatedOnly.map(\.id) == ["stops-sometimes", "merge-waits-for-store", "one-commit"])
    for scenario in ScenarioLibrary.all {
      #expect(scenario.symptoms(on: .simulated) == scenario.symptoms)
      #expect(!scenario.symptoms(on: .live).contains { $0.dependsOnSpeed })
    }
  }

  @Test func `scenarios of a group follow one another, and their names differ`() {
    let places = ScenarioLibrary.all.map { ScenarioGroup.allCases.firstIndex(of: $0.group) ?? -1 }
    #expect(places == places.sorted())
    #expect(Set(places).count == ScenarioGroup.allCases.count)
    #expect(Set(ScenarioLibrary.all.map(\.id)).count == ScenarioLibrary.all.count)
  }
}
