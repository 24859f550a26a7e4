import Metrics
import OutputFiles
import Reporting
import TrialProcesses

/// Runs experiments and collects the figures that claims need.
package struct ClaimRun: Sendable {
  let catalogue: ClaimCatalogue
  /// The words of the command line that results use.
  let words: CommandWords
  /// The folder in which a private folder for stores and results is made.
  let scratchParent: String
  /// The file with the results of the engine's peers.
  let peers: PeersFile
  let progress: any ProgressDisplay

  package init(
    _ catalogue: ClaimCatalogue, words: CommandWords, scratchParent: String, peers: PeersFile,
    progress: any ProgressDisplay
  ) {
    self.catalogue = catalogue
    self.words = words
    self.scratchParent = scratchParent
    self.peers = peers
    self.progress = progress
  }

  /// The figures of an experiment and the circumstances of its first run.
  package struct Outcome: Sendable {
    package var rows: [FigureRow]
    /// The circumstances, or nil if all trials stopped or the experiment runs no stacks.
    package var manifest: Manifest?
  }

  /// Runs all points of an experiment.
  ///
  /// - Parameters:
  ///   - experiment: The experiment.
  ///   - draws: False to simulate only the device with the profile's own values.
  ///   - prefix: The words before the point in the progress.
  /// - Returns: The figures in the order of the points, the stacks and the trials.
  /// - Throws: `RunFailure` if a trial fails and the experiment does not allow it; `CancellationError` if the run is
  ///   interrupted.
  package func outcome(of experiment: ClaimExperiment, draws: Bool, prefix: String = "") async throws -> Outcome {
    let points = try experiment.points()
    if case .peers = experiment.subject {
      return Outcome(rows: try peers.rows(of: experiment, catalogue.columns(of: experiment)))
    }
    let scratch = try ScratchFolder(in: scratchParent)
    defer {
      scratch.remove()
      progress.clear()
    }
    // Simulated runs do not disturb each other, and a run of one stack uses one core only.
    let width = experiment.machine == .live ? 1 : min(AllowedCores.current.count, points.count)
    var parts = [Outcome?](repeating: nil, count: points.count)
    try await withThrowingTaskGroup(of: (place: Int, part: Outcome).self) { group in
      var next = 0
      func start() throws {
        guard next < points.count else { return }
        let place = next
        next += 1
        progress.show("\(prefix)\(experiment.id), \(place + 1) of \(points.count): \(points[place].text)")
        let folder = try scratch.makeFolder("point-\(place)")
        group.addTask { (place, try await part(of: experiment, at: points[place], draws: draws, in: folder)) }
      }
      for _ in 0..<width { try start() }
      while let (place, part) = try await group.next() {
        parts[place] = part
        try start()
      }
    }
    let outcomes = parts.compactMap(\.self)
    return Outcome(rows: outcomes.flatMap(\.rows), manifest: outcomes.lazy.compactMap(\.manifest).first)
  }

  private func part(
    of experiment: ClaimExperiment, at point: ClaimExperiment.Point, draws: Bool, in folder: String
  ) async throws -> Outcome {
    if case .scenario(let name, let profile) = experiment.subject {
      let scenario = ScenarioFigures(experiment, named: name, profile: profile, folder: folder)
      return Outcome(rows: try await scenario.rows(at: point, draws: draws, catalogue.columns(of: experiment)))
    }
    var request = point.request
    if experiment.machine == .simulated { request.draws = draws ? experiment.draws : 0 }
    var run = try request.trialExperiment()
    run.output = folder
    let output = try OutputFolder(folder, files: ResultsFolder.fileNames)
    let report: ExperimentRun.Report
    do {
      report = try await ExperimentRun(run, output: output).run(words: words)
    } catch let failure as RunFailure where failure.kind == .failed && experiment.mayFail {
      // All trials have stopped, and there are no results.
      return Outcome(rows: rows(of: experiment, at: point, draws: draws, nil))
    }
    if let failure = report.failures.first, !experiment.mayFail {
      let place = [experiment.id, point.text].filter { !$0.isEmpty }.joined(separator: ", ")
      throw RunFailure.failed("\(place): \(failure)")
    }
    return Outcome(
      rows: rows(of: experiment, at: point, draws: draws, report.results),
      manifest: try ResultsFolder(path: folder).manifest())
  }

  private func rows(
    of experiment: ClaimExperiment, at point: ClaimExperiment.Point, draws: Bool, _ results: Results?
  ) -> [FigureRow] {
    let columns = catalogue.columns(of: experiment)
    let killed = Dictionary(
      uniqueKeysWithValues: (results?.killed ?? []).map {
        ("\($0.name), \(Self.name(ofTrial: $0.trial, experiment))", $0)
      })
    let records = Dictionary(
      uniqueKeysWithValues: ((results?.records ?? []) + (results?.draws ?? [])).map { record in
        let trial =
          record.simulation?.draw.map(ClaimExperiment.drawName)
          ?? Self.name(ofTrial: record.identity.trial, experiment)
        return ("\(record.identity.name), \(trial)", record)
      })
    return experiment.stacks.flatMap { stack in
      experiment.trials(draws: draws).map { trial in
        let name = "\(stack), \(trial)"
        let record = records[name]
        let isThere = record != nil || killed[name] != nil
        var values: [String: Int64] = [:]
        for column in columns {
          switch column {
          case FigureColumn.ended: values[column] = isThere ? 1 : 0
          case FigureColumn.verified: values[column] = record?.measures.verified ?? 0
          default:
            values[column] = record?.measures[column] ?? killed[name].flatMap { KilledTable.count(column, of: $0) }
          }
        }
        return FigureRow(
          key: FigureRow.Key(experiment: experiment.id, point: point.text, stack: stack, trial: trial), values: values)
      }
    }
  }

  private static func name(ofTrial number: Int, _ experiment: ClaimExperiment) -> String {
    experiment.machine == .live ? ClaimExperiment.trialName(number) : ClaimExperiment.deviceName
  }
}
