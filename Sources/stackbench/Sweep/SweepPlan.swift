import Foundation
import MachineCore
import Reporting

/// All trials of a sweep, in the order of its rows: a line of JSON each.
struct SweepPlan: Hashable, Sendable {
  static let fileName = "plan.jsonl"
  /// More would be a mistake in the flags.
  static let largestCount = 100_000

  /// At least one.
  let trials: [PlannedTrial]

  /// The text of the plan's file.
  var text: String { trials.map { $0.line + "\n" }.joined() }

  /// What all its lines say of it.
  var identifier: String { trials[0].plan }

  /// The varied flags, in their order.
  var flags: [String] { trials[0].varied.map(\.flag) }
}

// MARK: - The grid

extension SweepPlan {
  /// Every combination of the flags' values, the last flag's changing fastest; at each point all trials of its run.
  ///
  /// - Parameter arguments: the flags of `run` that hold everywhere; simulated unless they say otherwise.
  /// - Throws: `CommandFailure` for the first point that `run` would refuse.
  init(varying flags: [VariedFlag], arguments: [String]) throws {
    try SweepPlan.check(flags, arguments)
    let flags = try flags.map(SweepPlan.expanded)
    let namesMachine = flags.contains { $0.name == "machine" } || SweepPlan.names("machine", in: arguments)
    let common = (namesMachine ? [] : ["--machine", MachineKind.simulated.rawValue]) + arguments
    // Alone first, so that what is wrong everywhere is not put down to the first point.
    if !common.isEmpty { try SweepPlan.checkParsing(common) }
    var trials: [PlannedTrial] = []
    var reader = TrialInputs.Reader()
    for point in try SweepPlan.points(flags) {
      let pointArguments = common + point.map { "--\($0.flag)=\($0.value)" }
      let experiment = try SweepPlan.experiment(pointArguments, at: point)
      let inputs = reader.inputs(of: experiment)
      for turn in experiment.turns {
        trials.append(
          PlannedTrial(
            index: trials.count + 1, arguments: pointArguments, varied: point, topology: turn.topology.title,
            trial: turn.trial, inputs: inputs))
      }
      guard trials.count <= SweepPlan.largestCount else { throw SweepPlan.tooMany }
    }
    self.init(numbering: trials)
  }

  /// Lets each trial say how many there are and which plan it is of.
  private init(numbering trials: [PlannedTrial]) {
    var trials = trials
    for index in trials.indices { trials[index].count = trials.count }
    // One number out of the seeded generator: its stream's name is hashed, the same way in every process.
    var hash = SeededRandom(seed: 0, stream: trials.map(\.line).joined(separator: "\n"))
    let digits = String(hash.next(), radix: 16)
    let identifier = String(repeating: "0", count: 16 - digits.count) + digits
    for index in trials.indices { trials[index].plan = identifier }
    self.trials = trials
  }

  private static func check(_ flags: [VariedFlag], _ arguments: [String]) throws {
    for (index, flag) in flags.enumerated() {
      if flags[..<index].contains(where: { $0.name == flag.name }) {
        throw CommandFailure.usage("--vary \(flag.name): given twice; use one list of values")
      }
      if names(flag.name, in: arguments) {
        throw CommandFailure.usage("--vary \(flag.name): contradicts --\(flag.name); use one of the two")
      }
    }
    for fixed in VariedFlag.fixed.sorted() where names(fixed, in: arguments) {
      throw CommandFailure.usage("--\(fixed): does not concern a sweep's trials; use it with stackbench run")
    }
  }

  /// A topology that stands for several is so many values.
  private static func expanded(_ flag: VariedFlag) throws -> VariedFlag {
    guard flag.name == "topology" else { return flag }
    var titles: [String] = []
    for value in flag.values {
      let point = [PlannedTrial.Setting(flag: flag.name, value: value)]
      for topology in try experiment(["--topology=\(value)"], at: point).topologies
      where !titles.contains(topology.title) {
        titles.append(topology.title)
      }
    }
    return VariedFlag(name: flag.name, values: titles)
  }

  private static func points(_ flags: [VariedFlag]) throws -> [[PlannedTrial.Setting]] {
    var points: [[PlannedTrial.Setting]] = [[]]
    for flag in flags {
      guard points.count * flag.values.count <= largestCount else { throw tooMany }
      points = points.flatMap { point in
        flag.values.map { point + [PlannedTrial.Setting(flag: flag.name, value: $0)] }
      }
    }
    return points
  }

  private static var tooMany: CommandFailure {
    .usage("--vary: over \(largestCount) trials; use fewer values")
  }

  /// What is wrong with `arguments` by themselves; what they may lack comes with the varied flags.
  private static func checkParsing(_ arguments: [String]) throws {
    do {
      _ = try RunCommand.parse(arguments)
    } catch {
      throw CommandLineRun.failure(parsing: error)
    }
  }

  private static func experiment(_ arguments: [String], at point: [PlannedTrial.Setting]) throws -> Experiment {
    do {
      return try PlannedTrial.experiment(arguments)
    } catch let failure as CommandFailure {
      let settings = point.map { "--\($0.flag) \($0.value)" }
      // `run` names the flag and its value itself, but for flags that it does not have.
      if settings.contains(where: failure.message.hasPrefix) { throw failure }
      throw CommandFailure(failure.status, "\(settings.joined(separator: " ")): \(failure.message)")
    }
  }

  private static func names(_ flag: String, in arguments: [String]) -> Bool {
    arguments.contains { $0 == "--\(flag)" || $0.hasPrefix("--\(flag)=") }
  }
}

// MARK: - Reading

extension SweepPlan {
  /// Reads a whole plan.
  ///
  /// - Throws: `CommandFailure` with status 64, naming the file and the line.
  init(file path: String) throws {
    let lines = try SweepPlan.lines(of: path)
    let trials = try lines.indices.map { try SweepPlan.trial(in: lines[$0], number: $0 + 1, path: path) }
    guard trials[0].count == trials.count else {
      throw CommandFailure.usage(
        "\(path):\(trials.count): the last line, but the plan has \(trials[0].count) trials; write it anew with sweep --plan"
      )
    }
    if let other = trials.firstIndex(where: { $0.plan != trials[0].plan }) {
      throw CommandFailure.usage(
        "\(path):\(other + 1): a trial of another plan than the first line's; write it anew with sweep --plan")
    }
    self.trials = trials
  }

  /// Reads one trial of a plan; damage elsewhere is all the same to it.
  ///
  /// - Parameter index: counted from 1.
  /// - Throws: `CommandFailure` with status 64, naming the file and the line.
  static func trial(_ index: Int, of path: String) throws -> PlannedTrial {
    let lines = try SweepPlan.lines(of: path)
    guard lines.indices.contains(index - 1) else {
      throw CommandFailure.usage("--index \(index): \(path) has \(lines.count) trials; use 1 to \(lines.count)")
    }
    return try SweepPlan.trial(in: lines[index - 1], number: index, path: path)
  }

  private static func lines(of path: String) throws -> [Substring] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw CommandFailure.usage("\(path): cannot be read; use a plan that sweep --plan wrote")
    }
    var lines = String(decoding: data, as: UTF8.self).split(separator: "\n", omittingEmptySubsequences: false)
    if lines.last == "" { lines.removeLast() }
    guard !lines.isEmpty else {
      throw CommandFailure.usage("\(path):1: the file is empty; use a plan that sweep --plan wrote")
    }
    return lines
  }

  private static func trial(in line: Substring, number: Int, path: String) throws -> PlannedTrial {
    let trial: PlannedTrial
    do throws(ReportingError) {
      trial = try StoredJSON.decode(
        PlannedTrial.self, from: Data(line.utf8), path: path, line: number, expected: "a trial in JSON")
      if let flaw = trial.flaw { throw ReportingError(.malformed, path: path, line: number, message: flaw) }
    } catch {
      throw CommandFailure.usage("\(error); write the plan anew with sweep --plan")
    }
    guard trial.index == number else {
      throw CommandFailure.usage(
        "\(path):\(number): holds trial \(trial.index); write the plan anew with sweep --plan")
    }
    guard trial.tool == PackageVersions.tool else {
      throw CommandFailure.usage(
        "\(path):\(number): planned by stackbench \(trial.tool), and this is \(PackageVersions.tool); "
          + "write the plan anew with sweep --plan")
    }
    do {
      _ = try trial.experiment()
    } catch let failure as CommandFailure {
      throw CommandFailure.usage("\(path):\(number): \(failure.message)")
    }
    return trial
  }
}
