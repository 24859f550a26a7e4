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
  package struct Answer: Codable, Sendable {
    /// True if no thread of the side is left.
    var isOver: Bool
  }

  package static func sharedFolder(_ plan: Plan) -> String? {
    plan.machine.kind == .simulated ? plan.folder : nil
  }

  package static func keepsProcess(after answer: Answer) -> Bool { answer.isOver }

  package static func answer(_ plan: Plan) throws -> Answer {
    guard let scenario = ScenarioLibrary.all.first(where: { $0.id == plan.scenario }) else {
      throw RunFailure.failed("\(plan.scenario): there is no such scenario")
    }
    do {
      let isOver = SideRun(scenario.side(plan.side), on: plan.machine, in: plan.folder)
        .run(try ScenarioRecorder(file: plan.recordingFile))
      return Answer(isOver: isOver)
    } catch {
      throw RunFailure.unexpected(error, in: plan.folder)
    }
  }
}
