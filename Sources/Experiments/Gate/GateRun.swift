import MachineCore
import Reporting
import TrialProcesses

/// One of the gate's runs: six stacks in virtual time, at a point of the parameters where something would show first.
package struct GateRun: Hashable, Sendable {
  /// The name of its folder in the baseline.
  package var name: String
  /// The settings of the run, which is simulated.
  var request: RunRequest

  /// The names of the settings that it gives.
  var flagNames: Set<String> { Set(request.givenNames) }

  /// How far drawn devices lie around the profile's values, in per cent.
  ///
  /// No user would call them other devices, and the means over them do not hang on whether one tick meets one commit.
  private static let drawPercent = 2.0

  /// Returns the experiment that simulates it, writing to `output`.
  ///
  /// - Parameters:
  ///   - draws: The numbers of the draws; none simulates the device of the profile's values only.
  /// - Throws: `RunFailure` with status 64 for flags that `run` would refuse.
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
  /// Six stacks on the default phone as `make simulate` runs them, and four corners in which stacks go wrong.
  package static let standard = [
    GateRun(name: "six", request: RunRequest()),
    // A save, a merge and a commit for every record.
    GateRun(
      name: "save-per-object",
      request: RunRequest().with(\.saveEvery, 1).with(\.rows, 2_000).with(\.existingRows, 1_000)),
    // The longest block that there can be: everything at once.
    GateRun(name: "one-big-save", request: RunRequest().with(\.batchSize, 15_000).with(\.saveEvery, 15_000)),
    // The user flings the list and edits twenty times a second.
    GateRun(
      name: "scrolling-edits",
      request: RunRequest().with(\.scrollSpeed, 300).with(\.visibleRows, 20)
        .with(\.userEditInterval, .milliseconds(50))),
    // Three lists to keep up to date.
    GateRun(name: "three-screens", request: RunRequest().with(\.viewControllers, 3)),
  ]
}
