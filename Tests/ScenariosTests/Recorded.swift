import MachineSimulated
import Profiles
import TestSupport

@testable import Scenarios

/// Runs sides of scenarios in the process of the tests, on the default device.
enum Recorded {
  /// Returns what a side does, if it does not stop the process.
  static func run(_ side: Scenario.Side, seed: UInt64? = nil) throws -> RecordedRun {
    RecordedRun(try recording(of: side, seed: seed))
  }

  static func recording(of side: Scenario.Side, seed: UInt64? = nil) throws -> Recording {
    let journal = Journal<Entry>()
    try record(side, seed: seed, on: ScenarioRecorder { journal.write($0) })
    return Recording(entries: journal.entries)
  }

  static func record(_ side: Scenario.Side, seed: UInt64? = nil, on recorder: ScenarioRecorder) throws {
    let folder = try TemporaryFolder()
    let profile = try ProfileLibrary.profile(named: ProfileLibrary.standardName)
    SideRun(side, on: profile, seed: seed, in: folder.path).run(recorder)
  }
}
