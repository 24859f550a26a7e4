import Testing

@testable import Scenarios

/// Every scenario goes as declared, and a cure in the trouble's place does not.
@Suite struct LibraryTests {
  /// The scenarios whose trouble does not stop the process.
  static let survivable = ScenarioLibrary.all.filter { scenario in
    !scenario.symptoms.contains { if case .trap = $0 { true } else { false } }
  }

  @Test(arguments: survivable.map(\.id))
  func `the trouble occurs and the cure does not show it`(id: String) throws {
    let scenario = try #require(ScenarioLibrary.all.first { $0.id == id })
    let cure = try Recorded.run(scenario.cure)
    let outcome = ScenarioOutcome(scenario, trouble: try Recorded.run(scenario.trouble), cure: cure)
    // The outcome has whole recordings, which would fill the log of a failure.
    let (occurred, helped) = (outcome.troubleOccurred, outcome.cureHelped)
    #expect(occurred, "\(outcome.troubleFindings.map(\.sentence))")
    #expect(helped, "\(outcome.cureFindings.map(\.sentence)) \(String(describing: cure.ending))")
    let swapped = ScenarioOutcome(scenario, trouble: cure, cure: cure).isAsDeclared
    #expect(!swapped)
  }
}
