import Foundation
import Harness
import InputFiles
import MachineCore
import MachineSimulated
import Metrics
import TestSupport
import Testing

@testable import Experiments
@testable import TrialProcesses
@testable import Validation

/// A bench that runs rows of published tables on a simulated iPhone 6, in this process.
struct ScriptBench {
  private let folder: TemporaryFolder
  let profile: Profile

  init(profile: String = "iphone-6-ios-11") throws {
    folder = try TemporaryFolder()
    self.profile = try ProfileLibrary.profile(named: profile)
  }

  /// Runs a row of a table that is given as text.
  func run(_ text: String, row: Int = 0) throws -> PublishedTrial.Outcome {
    try run(try PublishedTableReader(place: "table.yaml").table(from: text), row: row)
  }

  func run(_ table: PublishedTable, row: Int = 0) throws -> PublishedTrial.Outcome {
    let simulation = Simulation(profile: profile, scheduleSeed: nil, seed: 1, isTraced: false)
    let own = folder.url.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: own, withIntermediateDirectories: false)
    return try PublishedRowTask.run(
      PublishedRowTask.Plan(
        table: table, row: row, simulation: simulation, folder: own.path))
  }

  /// Runs a row, checks its data, and returns the measurement of its figure.
  func measure(
    row: String = "    topology: all-main", setUp: [String] = [], steps: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> PublishedMeasurement {
    let outcome = try run(PublishedTableText.text(row: row, setUp: setUp, steps: steps))
    #expect(outcome.complaints == [], sourceLocation: sourceLocation)
    return outcome.measurements[0]
  }
}
