import InputFiles
import MachineSimulated
import TestSupport
import TrialProcesses

@testable import Experiments

/// Runs sides of scenarios in the process of the tests, on the default device.
enum Recorded {
  /// Returns the default device, simulated.
  static func phone(seed: UInt64? = nil) throws -> ScenarioMachine {
    .simulated(try ProfileLibrary.profile(named: ProfileLibrary.standardName), seed: seed)
  }

  /// Returns what a side does, if it does not stop the process.
  static func run(
    _ side: Scenario.Side, on machine: ScenarioMachine.Kind = .simulated, seed: UInt64? = nil
  ) throws -> RecordedRun {
    RecordedRun(try recording(of: side, on: machine, seed: seed))
  }

  static func recording(
    of side: Scenario.Side, on machine: ScenarioMachine.Kind = .simulated, seed: UInt64? = nil
  ) throws -> Recording {
    let journal = Journal<RecordedEvent>()
    try record(side, on: machine, seed: seed, with: StepRecorder { journal.write($0) })
    return journal.entries
  }

  static func record(
    _ side: Scenario.Side, on machine: ScenarioMachine.Kind = .simulated, seed: UInt64? = nil,
    with recorder: StepRecorder
  ) throws {
    let folder = try TemporaryFolder()
    SideRun(side: side, machine: machine == .live ? .live : try phone(seed: seed), folder: folder.path).run(recorder)
  }
}
