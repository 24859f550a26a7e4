import OutputFiles
import Reporting
import TrialProcesses

/// The task that simulates a whole run again. `run --check-determinism` compares its results with those of the run.
package enum RepeatTask: ChildTask {
  package static let name = "repeat"

  package struct Plan: Codable, Sendable {
    /// An experiment whose output folder exists and is empty.
    var experiment: Experiment
    /// The words of the command line that the results use.
    var words: CommandWords
  }

  package struct Answer: Codable, Sendable {
    /// The failures of the run, one line each.
    var failures: [String]
  }

  package static func answer(_ plan: Plan) throws -> Answer {
    let folder = try OutputFolder(plan.experiment.output)
    let report = try Interruption.run {
      try await ExperimentRun(plan.experiment, output: folder).run(words: plan.words)
    }
    return Answer(failures: report.failures)
  }
}
