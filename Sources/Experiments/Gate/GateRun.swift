import MachineCore
import Reporting
import TrialProcesses

/// A run of the gate: a question, the stacks that answer it, and limits on the answer.
package struct GateRun: Hashable, Sendable {
  /// The name of the run and of its folder in the baseline.
  package var name: String
  /// The settings of the run. The machine is the simulated one unless they name the other.
  var request: RunRequest
  /// The limits that each stack of the run has to keep.
  package var limits: [GateLimit] = []
  /// The changes of the measures that a user does not notice, or nil for those of the plan.
  var tolerances: Tolerances?
  /// The places of the settings in a file, or nil for a run without a mapping of settings.
  var settings: SettingsFile?
  /// The file, the line and the key of the run, or nil for a run that is not in a file.
  var place: String?
  /// The file, the line and the key of each limit.
  var limitPlaces: [String: String] = [:]

  /// The names of the settings that the request gives.
  var flagNames: Set<String> { Set(request.givenNames) }
  /// True if the run measures real threads. Such a run is held to its limits only.
  var isLive: Bool { request.machine == .live }

  /// The largest deviation of a drawn device's constants from the profile's values, in per cent, in runs that are only
  /// compared.
  ///
  /// A user would not notice a deviation as small as this. Means over the drawn devices do not depend on whether a
  /// single tick coincides with a single commit. Limits are for all devices that the profile may stand for, so that a run
  /// with a mapping of settings draws devices from the profile's ranges unless its settings say otherwise.
  private static let drawPercent = 2.0

  /// The settings of the machine that only a mapping of settings may have.
  private static let ownSettings = [RunSettings.all.machine.name, RunSettings.all.drawsWithin.name]

  /// Returns the names of the settings of a stack whose role in other comparisons is that of the workload.
  ///
  /// An app chooses the size of its payloads like the other settings of its stack, and imports the same records.
  static let judgedSettings: Set = [RunSettings.all.batchSize.name]

  /// Returns the experiment of the run, which writes its results to `output`.
  ///
  /// - Parameters:
  ///   - output: The path of a folder, absolute or relative to the working folder.
  ///   - draws: The numbers of the draws. If the range is empty, only the device with the profile's values is
  ///     simulated.
  ///   - table: The settings of a run.
  /// - Returns: The experiment.
  /// - Throws: `RunFailure` with status 64 if a setting is not allowed in a gate's run, or if `run` would refuse it.
  func experiment(output: String, draws: Range<Int> = 1..<1, _ table: SettingTable = .standard) throws -> Experiment {
    try located {
      let refused = request.givenNames.first { name in
        table[name]?.uses.contains(.gate) == false && !(settings != nil && Self.ownSettings.contains(name))
      }
      if let refused {
        throw RunFailure.usage(
          "\(SettingFlag.named(refused)): cannot be a flag of one of the gate's runs; leave it out")
      }
      var experiment = try request.with(\.machine, request.machine ?? .simulated).trialExperiment(table)
      experiment.output = WorkingFolder.absolutePath(output)
      guard !isLive else { return experiment }
      experiment.firstDraw = draws.lowerBound
      experiment.draws = draws.count
      if !draws.isEmpty, settings == nil { experiment.simulation?.drawPercent = GateRun.drawPercent }
      return experiment
    }
  }

  /// Calls a function. If it throws a failure about a setting of the run, the failure names the line of the setting.
  func located<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch let failure as RunFailure {
      throw located(failure)
    }
  }

  /// Returns a failure of bad usage with the line of the setting that it is about, or else with the line of the run.
  func located(_ failure: RunFailure) -> RunFailure {
    guard failure.kind == .badUsage, let settings, let place else { return failure }
    let located = settings.located(failure, among: settings.names)
    return located == failure ? .usage("\(place): \(failure.message)") : located
  }
}

// MARK: - The standard runs

extension GateRun {
  /// The default runs: the six stacks on the default phone as `make simulate` runs them, and four extreme cases in
  /// which stacks have problems.
  package static let standard = [
    GateRun(name: "six", request: RunRequest()),
    // Every record causes a save, a merge and a commit.
    GateRun(
      name: "save-per-object",
      request: RunRequest().with(\.saveEvery, 1).with(\.rows, 2_000).with(\.existingRows, 1_000)),
    // All records are saved at once, in the longest possible block.
    GateRun(name: "one-big-save", request: RunRequest().with(\.batchSize, 15_000).with(\.saveEvery, 15_000)),
    // The user flings the list and edits twenty times a second.
    GateRun(
      name: "scrolling-edits",
      request: RunRequest().with(\.scrollSpeed, 300).with(\.visibleRows, 20)
        .with(\.userEditInterval, .milliseconds(50))),
    // Three lists must be kept up to date.
    GateRun(name: "three-screens", request: RunRequest().with(\.viewControllers, 3)),
  ]
}
