import Harness
import MachineCore
import MachineSimulated
import Metrics
import Profiles
import TestSupport
import Testing

@testable import TrialProcesses
@testable import stackbench

/// Runs rows of published tables on a simulated iPhone 6, in this process.
struct ScriptBench {
  private let folder: TemporaryFolder
  let profile: Profile

  init(profile: String = "iphone-6-ios-11") throws {
    folder = try TemporaryFolder()
    self.profile = try ProfileLibrary.profile(named: profile)
  }

  /// The text of a table with two entities and one row, whose every step is timed by the figure `all`.
  ///
  /// - Parameters:
  ///   - row: Further lines of the row, such as its topology, in the row's indentation of four spaces.
  ///   - steps: The steps, one a line.
  static func text(row: String = "    topology: all-main", setUp: [String] = [], steps: [String]) -> String {
    func list(_ steps: [String]) -> String { steps.map { "      - \($0)\n" }.joined() }
    return """
      name: made-up
      title: "made up"
      source: {author: me, address: here, date: today}
      profile: iphone-6-ios-11
      entities:
        Item:
          attributes:
            number: {type: integer64, indexed: true}
            name: {type: string, length: 12}
            group: {type: integer32, distinct: 4}
          relationships:
            album: {to: Album, inverse: items}
        Album:
          attributes:
            id: {type: uuid}
          relationships:
            items: {to: Item, inverse: album, many: true}
          unique: [[id]]
      rows:
        - title: row
      \(row)
      \(setUp.isEmpty ? "" : "    setUp:\n\(list(setUp))")    steps:
      \(list(steps))    figures:
            - {name: all, clock: wall, milliseconds: 1, role: predicted, source: "made up"}
      """
  }

  /// Runs a row of a table's text.
  func run(_ text: String, row: Int = 0) throws -> PublishedTrial.Outcome {
    try run(try PublishedTableReader(place: "table.yaml").table(from: text), row: row)
  }

  func run(_ table: PublishedTable, row: Int = 0) throws -> PublishedTrial.Outcome {
    let simulation = Simulation(profile: profile, scheduleSeed: nil, seed: 1, isTraced: false)
    let number = Int.random(in: 0...Int.max)
    return try PublishedRowTask.run(
      PublishedRowTask.Plan(
        table: table, row: row, simulation: simulation, storePath: "\(folder.path)/\(number).sqlite", hostCore: nil))
  }

  /// Runs a row whose data must be right, and returns the measurement of its figure.
  func measure(
    row: String = "    topology: all-main", setUp: [String] = [], steps: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) throws -> PublishedMeasurement {
    let outcome = try run(Self.text(row: row, setUp: setUp, steps: steps))
    #expect(outcome.complaints == [], sourceLocation: sourceLocation)
    return outcome.measurements[0]
  }
}
