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

  /// The answer of a side that ended without misuse: true if no thread of the side is left. The recording has everything
  /// else.
  package typealias Answer = Bool

  package static func sharedFolder(_ plan: Plan) -> String? {
    plan.machine.kind == .simulated ? plan.folder : nil
  }

  package static func keepsProcess(after isOver: Bool) -> Bool { isOver }

  package static func answer(_ plan: Plan) throws -> Bool {
    guard let scenario = ScenarioLibrary.all.first(where: { $0.id == plan.scenario }) else {
      throw RunFailure.failed("\(plan.scenario): there is no such scenario")
    }
    do {
      let recorder = try StepRecorder(file: plan.recordingFile)
      let isOver = SideRun(side: scenario.side(plan.side), machine: plan.machine, folder: plan.folder).run(recorder)
      if let failure = recorder.failure { throw failure }
      return isOver
    } catch {
      throw RunFailure.unexpected(error, in: plan.folder)
    }
  }
}
