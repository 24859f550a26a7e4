import Foundation
import MachineCore
import OutputFiles
import Reporting
import TrialProcesses

/// The trials of a sweep in the order of its rows. The plan's file has a line of JSON for each trial.
package struct SweepPlan: Hashable, Sendable {
  /// The largest number of trials. A larger number is most likely a mistake in the flags.
  package static let largestCount = 100_000

  /// The trials, at least one.
  package let trials: [PlannedTrial]

  /// The text of the plan's file.
  var text: String { trials.map { $0.line + "\n" }.joined() }

  /// The identifier of the plan, which all its lines contain.
  var identifier: String { trials[0].plan }

  /// The varied flags, in their order.
  var flags: [String] { trials[0].varied.map(\.flag) }
}

// MARK: - The grid

extension SweepPlan {
  /// Makes a plan of every combination of the settings' values, with the last setting changing fastest. Each point of
  /// this grid has all trials of its run.
  ///
  /// - Parameters:
  ///   - varied: The varied settings and their values.
  ///   - common: The settings that hold for every trial. If neither they nor `varied` contain the machine, it is
  ///     simulated.
  ///   - table: The settings of a run.
  /// - Throws: `VariationError` if settings cannot be varied together; `RunFailure` with status 64 for a setting that
  ///   cannot be part of a sweep, and for the first point that `run` would refuse.
  package init(varying varied: [VariedSetting], common: RunRequest, _ table: SettingTable = .standard) throws {
    try SweepPlan.check(varied, common: common, table: table)
    var common = common
    if common.machine == nil, !varied.contains(where: { $0.name == RunSettings.all.machine.name }) {
      common.machine = .simulated
    }
    var trials: [PlannedTrial] = []
    var reader = TrialInputs.Reader()
    for point in try SweepPlan.points(varied, table: table) {
      var request = common
      for (name, value) in point { request[named: name] = value }
      let settings = point.map { PlannedTrial.Setting(flag: $0.name, value: $0.value.text) }
      let experiment = try SweepPlan.experiment(request, at: settings, table: table)
      let inputs = reader.inputs(of: experiment)
      for scheduledTrial in experiment.scheduledTrials {
        trials.append(
          PlannedTrial(
            index: trials.count + 1, arguments: request.arguments(table), varied: settings,
            topology: scheduledTrial.topology.title, trial: scheduledTrial.trial, draw: scheduledTrial.draw,
            inputs: inputs))
      }
      guard trials.count <= SweepPlan.largestCount else { throw SweepPlan.tooMany }
    }
    self.init(numbering: trials)
  }

  /// Makes a plan of trials and writes the number of trials and the identifier of the plan into each of them.
  private init(numbering trials: [PlannedTrial]) {
    var trials = trials
    for index in trials.indices { trials[index].count = trials.count }
    // The identifier is one number from the seeded generator, which hashes the name of its stream in the same way in
    // every process.
    var hash = SeededRandom(seed: 0, stream: trials.map(\.line).joined(separator: "\n"))
    let digits = String(hash.next(), radix: 16)
    let identifier = String(repeating: "0", count: 16 - digits.count) + digits
    for index in trials.indices { trials[index].plan = identifier }
    self.trials = trials
  }

  private static func check(_ varied: [VariedSetting], common: RunRequest, table: SettingTable) throws {
    let draws = RunSettings.all.draws.name
    if varied.contains(where: { $0.name == draws }) {
      throw VariationError(
        setting: draws,
        message: "is the same for all points; use \(SettingFlag.of(\.draws, value: Experiment.standardDraws))")
    }
    for (index, setting) in varied.enumerated() {
      if varied[..<index].contains(where: { $0.name == setting.name }) {
        throw VariationError(setting: setting.name, message: "given twice; use one list of values")
      }
      if common[named: setting.name] != nil {
        throw VariationError(
          setting: setting.name, message: "contradicts \(SettingFlag.named(setting.name)); use one of the two")
      }
    }
    for name in common.givenNames where table[name]?.uses.contains(.variation) == false {
      throw RunFailure.usage(
        "\(SettingFlag.named(name)): has no effect on the trials of a sweep; use it with stackbench run")
    }
  }

  private typealias Point = [(name: String, value: GivenValue)]

  private static func points(_ varied: [VariedSetting], table: SettingTable) throws -> [Point] {
    var points: [Point] = [[]]
    for setting in varied {
      let values = try setting.typedValues(table)
      guard points.count * values.count <= largestCount else { throw tooMany }
      points = points.flatMap { point in values.map { point + [(setting.name, $0)] } }
    }
    return points
  }

  private static var tooMany: VariationError {
    VariationError(message: "over \(largestCount) trials; use fewer values")
  }

  private static func experiment(
    _ request: RunRequest, at point: [PlannedTrial.Setting], table: SettingTable
  ) throws -> Experiment {
    do {
      return try request.trialExperiment(table)
    } catch let failure as RunFailure {
      let settings = point.map { "\(SettingFlag.named($0.flag)) \($0.value)" }
      // A message that begins with a varied flag already names the point.
      if settings.contains(where: failure.message.hasPrefix) { throw failure }
      throw RunFailure(kind: failure.kind, "\(settings.joined(separator: " ")): \(failure.message)")
    }
  }
}

// MARK: - Reading

extension SweepPlan {
  /// Reads a plan from its file.
  ///
  /// - Throws: `RunFailure` with status 64 that names the file and, for a damaged trial, its line, if the file cannot
  ///   be read, is damaged or was written by another version of the program.
  package init(file path: String) throws {
    let lines = try SweepPlan.lines(of: path)
    let trials = try lines.indices.map { try SweepPlan.trial(in: lines[$0], number: $0 + 1, path: path) }
    guard trials[0].count == trials.count else {
      throw RunFailure.usage(
        "\(path):\(trials.count): the file ends here, but the plan has \(trials[0].count) trials; write it again "
          + "with stackbench sweep"
      )
    }
    if let other = trials.firstIndex(where: { $0.plan != trials[0].plan }) {
      throw RunFailure.usage(
        "\(path):\(other + 1): a trial of another plan than the first line's; write it again with stackbench sweep")
    }
    self.trials = trials
  }

  /// Returns one trial of the plan in a file. Other lines of the file are not checked.
  ///
  /// - Parameters:
  ///   - index: The number of the trial, counted from 1.
  ///   - path: The path of the plan's file.
  /// - Returns: The trial.
  /// - Throws: `RunFailure` with status 64 that names the file and, for a damaged trial, its line, if the file cannot
  ///   be read, does not have the trial, is damaged or was written by another version of the program.
  package static func trial(_ index: Int, of path: String) throws -> PlannedTrial {
    let lines = try SweepPlan.lines(of: path)
    guard lines.indices.contains(index - 1) else {
      throw RunFailure.usage("\(path): has \(lines.count) trials, but no trial \(index); use 1 to \(lines.count)")
    }
    return try SweepPlan.trial(in: lines[index - 1], number: index, path: path)
  }

  private static func lines(of path: String) throws -> [Substring] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw RunFailure.usage("\(path): cannot be read; use a plan that stackbench sweep wrote")
    }
    var lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last == "" { lines.removeLast() }
    guard !lines.isEmpty else {
      throw RunFailure.usage("\(path):1: the file is empty; use a plan that stackbench sweep wrote")
    }
    return lines
  }

  private static func trial(in line: Substring, number: Int, path: String) throws -> PlannedTrial {
    let trial: PlannedTrial
    do throws(FileError) {
      trial = try StoredJSON.decode(
        PlannedTrial.self, from: Data(line.utf8), path: path, line: number, expected: "a trial in JSON")
      if let flaw = trial.flaw { throw FileError(.malformed, path: path, line: number, message: flaw) }
    } catch {
      throw RunFailure.usage("\(error); write the plan again with stackbench sweep")
    }
    guard trial.index == number else {
      throw RunFailure.usage(
        "\(path):\(number): holds trial \(trial.index); write the plan again with stackbench sweep")
    }
    guard trial.tool == PackageVersions.tool else {
      throw RunFailure.usage(
        "\(path):\(number): planned by stackbench \(trial.tool), and this is \(PackageVersions.tool); "
          + "write the plan again with stackbench sweep")
    }
    do {
      _ = try trial.experiment()
    } catch let failure as RunFailure {
      throw RunFailure.usage("\(path):\(number): \(failure.message)")
    }
    return trial
  }
}
