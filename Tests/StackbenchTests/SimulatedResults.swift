import Foundation
import Subprocess
import SystemPackage
import TestSupport
import Testing

/// The parts of a simulated run's results that must be the same in every run.
struct SimulatedResults: Equatable {
  /// The contents of all files in the folder except the manifest, by file name.
  var files: [String: Data] = [:]
  var fingerprint = ""
  /// The fingerprint of each trial.
  var fingerprints: [String] = []
  /// The command that repeats the simulation. It is not compared.
  private(set) var replay = ""

  static func == (left: SimulatedResults, right: SimulatedResults) -> Bool {
    left.files == right.files && left.fingerprint == right.fingerprint && left.fingerprints == right.fingerprints
  }

  private struct Manifest: Decodable {
    struct Trial: Decodable {
      var fingerprint: String
    }

    var fingerprint: String
    var replay: String
    var trials: [Trial]

    private enum CodingKeys: String, CodingKey {
      case fingerprint
      case replay
      case trials = "simulated_trials"
    }
  }

  init(in path: String) throws {
    for name in try FileManager.default.contentsOfDirectory(atPath: path) where name != "manifest.json" {
      files[name] = try Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)"))
    }
    let manifest = try JSONDecoder().decode(
      Manifest.self, from: Data(contentsOf: URL(fileURLWithPath: "\(path)/manifest.json")))
    fingerprint = manifest.fingerprint
    fingerprints = manifest.trials.map(\.fingerprint)
    replay = manifest.replay
  }
}

/// A runner of simulations through the program, which uses a new output folder for each run.
struct Simulator {
  let folder: TemporaryFolder

  /// The arguments of a small run that contains everything that could happen in another order.
  static let small = [
    "run", "--machine", "simulated", "--draws", "0", "--rows", "120", "--existing-rows", "60", "--batch-size", "60",
    "--save-every", "30", "--user-edit-interval", "20", "--quiet",
  ]

  private static let smallResults = Task {
    let folder = try TemporaryFolder()
    let outcome = try await Program.run(small + ["--output", "\(folder.path)/results"])
    #expect(outcome.status == 0, "\(outcome.errors)")
    return folder
  }

  /// Copies the results of a run with the arguments `small`, which runs once for all tests, to a new folder.
  static func copySmallResults(to path: String) async throws {
    let folder = try await smallResults.value
    try FileManager.default.copyItem(atPath: "\(folder.path)/results", toPath: path)
  }

  /// Runs the program and returns its results. `wrapper` contains the words of a command that runs the program, or is
  /// empty if the program runs directly.
  func results(
    of arguments: [String], environment: Environment = .inherit, under wrapper: [String] = [],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws -> SimulatedResults {
    let output = "\(folder.path)/\(UUID().uuidString)"
    let command = wrapper + [Program.path] + arguments + ["--output", output]
    let executable = wrapper.isEmpty ? Executable.path(FilePath(command[0])) : .name(command[0])
    let outcome = try await Program.run(executable, Array(command.dropFirst()), environment: environment)
    #expect(outcome.status == 0, "\(outcome.errors)", sourceLocation: sourceLocation)
    return try SimulatedResults(in: output)
  }
}
