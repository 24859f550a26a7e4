import MachineCore
import Reporting
import TrialProcesses

/// A run of the gate, which is simulated at a point of the parameters at which changes show early.
package struct GateRun: Hashable, Sendable {
  /// The name of the run and of its folder in the baseline.
  package var name: String
  /// The settings of the run. The machine is always the simulated one.
  var request: RunRequest

  /// The names of the settings that the request gives.
  var flagNames: Set<String> { Set(request.givenNames) }

  /// The largest deviation of a drawn device's constants from the profile's values, in per cent.
  ///
  /// A user would not notice a deviation as small as this. Means over the drawn devices do not depend on whether a
  /// single tick coincides with a single commit.
  private static let drawPercent = 2.0

  /// Returns the experiment that simulates the run and writes its results to `output`.
  ///
  /// - Parameters:
  ///   - output: The path of a folder, absolute or relative to the working folder.
  ///   - draws: The numbers of the draws. If the range is empty, only the device with the profile's values is
  ///     simulated.
  ///   - table: The settings of a run.
  /// - Returns: The experiment, on the simulated machine.
  /// - Throws: `RunFailure` with status 64 if a flag is not allowed in a gate's run, or if `run` would refuse it.
  func experiment(output: String, draws: Range<Int> = 1..<1, _ table: SettingTable = .standard) throws -> Experiment {
    if let refused = request.givenNames.first(where: { table[$0]?.uses.contains(.gate) == false }) {
      throw RunFailure.usage("\(SettingFlag.named(refused)): cannot be a flag of one of the gate's runs; leave it out")
    }
    var experiment = try request.with(\.machine, .simulated).trialExperiment(table)
    experiment.output = WorkingFolder.absolutePath(output)
    experiment.firstDraw = draws.lowerBound
    experiment.draws = draws.count
    if !draws.isEmpty { experiment.simulation?.drawPercent = GateRun.drawPercent }
    return experiment
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
