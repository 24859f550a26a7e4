import TrialProcesses

/// Runs one side of a scenario and records it in a file.
package enum ScenarioTask: ChildTask {
  package static let name = "child-scenario"

  package struct Plan: Codable, Sendable {
    /// The name of the scenario.
    package var scenario: String
    package var side: Scenario.SideName
    package var machine: ScenarioMachine
    /// The folder in which the side makes its store.
    package var folder: String
    /// The file to which the entries are appended.
    package var recordingFile: String
  }

  /// The answer of a side that ended without misuse. The recording has everything else.
  package struct Answer: Codable, Sendable {}

  package static func answer(_ plan: Plan) throws -> Answer {
    guard let scenario = ScenarioLibrary.all.first(where: { $0.id == plan.scenario }) else {
      throw RunFailure.failed("\(plan.scenario): there is no such scenario")
    }
    do {
      SideRun(scenario.side(plan.side), on: plan.machine, in: plan.folder)
        .run(try ScenarioRecorder(file: plan.recordingFile))
    } catch {
      throw RunFailure.unexpected(error, in: plan.folder)
    }
    return Answer()
  }
}
