import Reporting

/// One of the gate's runs: six stacks in virtual time, at a point of the parameters where something would show first.
struct GateRun: Hashable, Sendable {
  /// The name of its folder in the baseline.
  var name: String
  /// What `stackbench run` gets beside `--machine simulated`.
  var flags: [String]

  /// Flags that a run of the gate cannot have: where results go is the gate's own business, and of the rest nothing comes
  /// that could be compared.
  private static let refused = VariedFlag.fixed.union(["machine"])

  /// The names of the flags that it gives.
  var flagNames: Set<String> {
    Set(flags.filter { $0.hasPrefix("--") }.map { String($0.dropFirst(2).prefix { $0 != "=" }) })
  }

  /// How far drawn devices lie around the profile's values, in per cent.
  ///
  /// No user would call them other devices, and the means over them do not hang on whether one tick meets one commit.
  private static let drawPercent = 2.0

  /// Returns the experiment that simulates it, writing to `output`.
  ///
  /// - Parameters:
  ///   - draws: The numbers of the draws; none simulates the device of the profile's values only.
  /// - Throws: `CommandFailure` with status 64 for flags that `run` would refuse.
  func experiment(output: String, draws: Range<Int> = 1..<1) throws -> Experiment {
    if let refused = flagNames.intersection(GateRun.refused).min() {
      throw CommandFailure.usage("--\(refused): cannot be a flag of one of the gate's runs; leave it out")
    }
    var experiment = try PlannedTrial.experiment(
      ["--machine", MachineKind.simulated.rawValue, "--output", output, "--quiet"] + flags)
    experiment.firstDraw = draws.lowerBound
    experiment.draws = draws.count
    if !draws.isEmpty { experiment.simulation?.drawPercent = GateRun.drawPercent }
    return experiment
  }
}

// MARK: - The standard runs

extension GateRun {
  /// Six stacks on the default phone as `make simulate` runs them, and four corners in which stacks go wrong.
  static let standard = [
    GateRun(name: "six", flags: []),
    // A save, a merge and a commit for every record.
    GateRun(name: "save-per-object", flags: ["--save-every", "1", "--rows", "2000", "--existing-rows", "1000"]),
    // The longest block that there can be: everything at once.
    GateRun(name: "one-big-save", flags: ["--batch-size", "15000", "--save-every", "15000"]),
    // The user flings the list and edits twenty times a second.
    GateRun(
      name: "scrolling-edits", flags: ["--scroll-speed", "300", "--visible-rows", "20", "--user-edit-interval", "50"]),
    // Three lists to keep up to date.
    GateRun(name: "three-screens", flags: ["--view-controllers", "3"]),
  ]
}
