import ArgumentParser

/// A whole simulated run once more, in a process of its own: what `run --check-determinism` compares with.
struct RepeatCommand: ChildCommand {
  static let configuration = CommandConfiguration(
    commandName: "repeat", abstract: "Simulates a run again; started by 'run --check-determinism'.",
    shouldDisplay: false)

  struct Plan: Codable, Sendable {
    /// Writes to a folder that exists and is empty.
    var experiment: Experiment
  }

  struct Answer: Codable, Sendable {
    /// What the run ended with beside its results.
    var failures: [String]
  }

  @OptionGroup var files: PlanFiles

  func answer(_ plan: Plan) throws -> Answer {
    let folder = try OutputFolder(plan.experiment.output, flag: "--output")
    let report = try Interruption().run { try await ExperimentRun(plan.experiment, output: folder).run() }
    return Answer(failures: report.failures)
  }
}
