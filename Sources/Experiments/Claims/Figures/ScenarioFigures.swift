import TrialProcesses

/// Runs a scenario for an experiment, and takes the figures of both sides.
struct ScenarioFigures: Sendable {
  private let experiment: ClaimExperiment
  private let name: String
  private let profile: String
  private let folder: String

  /// Creates the runs of a scenario on devices with a profile, unless the profile is varied.
  ///
  /// - Parameters:
  ///   - experiment: The experiment.
  ///   - name: The name of the scenario.
  ///   - profile: The name of the profile.
  ///   - folder: An existing folder in which the runs make their stores. No other run may use it at the same time.
  init(_ experiment: ClaimExperiment, named name: String, profile: String, folder: String) {
    self.experiment = experiment
    self.name = name
    self.profile = profile
    self.folder = folder
  }

  /// Returns the figures of both sides at a point.
  ///
  /// - Parameters:
  ///   - point: The point of the experiment's grid.
  ///   - draws: False to simulate only the device with the profile's own values.
  ///   - columns: The names of the columns.
  /// - Returns: A row for each trial and side, in this order.
  /// - Throws: `RunFailure` if the scenario is unknown, a profile cannot be read or a child cannot be run;
  ///   `CancellationError` if the task is cancelled.
  func rows(at point: ClaimExperiment.Point, draws: Bool, _ columns: [String]) async throws -> [FigureRow] {
    guard let scenario = ScenarioLibrary.all.first(where: { $0.id == name }) else {
      throw RunFailure.failed("\(name): there is no such scenario")
    }
    let scratch = try ScratchFolder(in: folder)
    defer { scratch.remove() }
    let children = Children(scratch: scratch)
    var rows: [FigureRow] = []
    for trial in experiment.trials(draws: draws) {
      let outcome = try await ScenarioRun(children, on: try machine(at: point, trial)).outcome(of: scenario)
      for side in Scenario.SideName.allCases {
        let values = columns.compactMap { name in
          ScenarioColumn(rawValue: name).flatMap { $0.value(of: side, in: outcome) }.map { (name, $0) }
        }
        rows.append(
          FigureRow(
            key: FigureRow.Key(experiment: experiment.id, point: point.text, stack: side.rawValue, trial: trial),
            values: Dictionary(uniqueKeysWithValues: values)))
      }
    }
    return rows
  }

  private func machine(at point: ClaimExperiment.Point, _ trial: String) throws -> ScenarioMachine {
    func value(_ name: String) -> String? { point.values.first { $0.name == name }?.value }
    return .simulated(
      try UserInput.profile(named: value(RunSettings.all.profile.name) ?? profile),
      seed: value(ClaimExperiment.seedSetting).flatMap(UInt64.init), draw: ClaimExperiment.drawNumber(of: trial))
  }
}

extension ScenarioColumn {
  /// Returns the figure of a side, or nil if the side has none.
  func value(of side: Scenario.SideName, in outcome: ScenarioOutcome) -> Int64? {
    let run = side == .trouble ? outcome.trouble : outcome.cure
    return switch self {
    case .ended: run.ending == .completed ? 1 : 0
    case .deadlocked: if case .deadlock? = run.ending { 1 } else { 0 }
    case .trapped: if case .trapped? = run.ending { 1 } else { 0 }
    case .shown:
      (side == .trouble ? outcome.troubleFindings : outcome.cureFindings).allSatisfy(\.isShown) ? 1 : 0
    case .errors: Int64(run.failures.count)
    case .wrong: Int64(run.observations.count(where: \.differs))
    case .mainStatements: Int64(run.mainStatementCount)
    case .mainBusy: run.mainBlockTime.nanoseconds
    case .mainBlock: run.longestMainBlock?.duration.nanoseconds ?? 0
    case .mainWait: run.longestMainWait?.duration.nanoseconds ?? 0
    case .measured: run.measurements.first?.span.nanoseconds
    }
  }
}
