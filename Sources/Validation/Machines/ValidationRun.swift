import Experiments
import Foundation
import Harness
import MachineCore
import MachineSimulated
import Metrics
import OutputFiles
import Reporting
import Topologies
import TrialProcesses

/// Runs a validation.
///
/// The live trials run one at a time, so that they do not disturb each other. The simulated trials follow the first and
/// the last round on all cores, with costs that are scaled to the speed of the computer during the live trials so far.
///
/// Each round of live runs covers all stacks and workloads, so that a computer that becomes slower affects all cells
/// alike. The files are written after each round.
package final class ValidationRun: Sendable {
  let validation: ValidationPlan
  private let output: OutputFolder
  let progress: any ProgressDisplay
  private let writtenRounds = Guarded(0)

  /// The number of rounds of live runs whose results have been written, as in `2 of 5`, or nil if it is zero.
  package var keptRounds: String? {
    let count = writtenRounds.withLock { $0 }
    return count == 0 ? nil : "\(count) of \(validation.trials)"
  }

  private static let preparationLimit = Duration.seconds(3_600)

  /// Creates the run of a validation, whose results go to `output`, a folder that is known to be writable.
  package init(_ validation: ValidationPlan, output: OutputFolder, progress: any ProgressDisplay) {
    self.validation = validation
    self.output = output
    self.progress = progress
  }

  /// Runs all trials, writes `validation.csv` and `causes.csv`, and returns the text for standard output.
  ///
  /// - Throws: `RunFailure` for the first trial that fails or whose data does not verify; `CancellationError` if the
  ///   run is interrupted.
  package func run() async throws -> String {
    let scratch = try ScratchFolder(in: validation.request.scratch ?? output.path)
    defer {
      progress.clear()
      scratch.remove()
    }
    let children = Children(scratch: scratch)
    progress.show("preparing the workloads")
    let prepared = try await prepare(children)
    let rounds = LiveRounds(validation, cellCount: cells.count)
    var live: [Cell: [TrialRecord]] = [:]
    var (profile, predicted) = (validation.profile, [Cell: TrialRecord]())
    var latest: ValidationResult?
    for round in 1...validation.trials {
      for (cell, record) in try await runLive(round: round, of: rounds, prepared: prepared, children: children) {
        live[cell, default: []].append(record)
      }
      let speed = speed(of: live)
      if round == 1 || round == validation.trials {
        profile = validation.profile.withCPU(times: speed.factor)
        predicted = try await runSimulated(profile, prepared: prepared, children: children)
      }
      var result = result(live: live, predicted: predicted, of: profile)
      result.speed = speed
      result.causes = CauseComparison.comparisons(of: result.cells)
      try write(result)
      writtenRounds.withLock { $0 = round }
      latest = result
    }
    guard let result = latest else { trapMisuse("a validation has at least one round of live runs") }
    guard !validation.request.isJSON else { return try JSONText.text(of: result) }
    let page = ValidationPage(result, reasons: validation.workloads.map { ($0.name, $0.reason) }).page
    return TerminalPage(page, usesColour: validation.request.usesColour).text
  }

  private static let tableName = "validation.csv"
  /// The names of the files that a run writes.
  package static let fileNames: Set<String> = [tableName, CauseTable.fileName]

  private func write(_ result: ValidationResult) throws {
    let earlier = EarlierFiles(isReplaced: Self.fileNames.contains, marks: [Self.tableName])
    do {
      _ = try output.replace(earlier) { folder in
        try AtomicFile.write(Data(ValidationTable.csv(of: result).text.utf8), to: "\(folder)/\(Self.tableName)")
        let causes = CauseTable.csv(of: result.causes).text
        try AtomicFile.write(Data(causes.utf8), to: "\(folder)/\(CauseTable.fileName)")
      }
    } catch {
      throw RunFailure.unexpected(error, in: output.path)
    }
  }

  /// The places of a prepared workload on disk.
  struct Prepared: Sendable {
    var archive: String
    var baseStore: String
  }

  /// A stack on a workload, as their indices.
  struct Cell: Hashable, Sendable {
    let workload: Int
    let topology: Int
  }

  var topologies: [Topology] { validation.live[0].topologies }

  /// All cells, grouped by workload.
  var cells: [Cell] {
    validation.workloads.indices.flatMap { workload in
      topologies.indices.map { Cell(workload: workload, topology: $0) }
    }
  }

  func title(of cell: Cell) -> String {
    "\(validation.workloads[cell.workload].name), \(topologies[cell.topology].title)"
  }
}

// MARK: - Steps

extension ValidationRun {
  private func prepare(_ children: Children) async throws -> [Prepared] {
    let prepared = try validation.workloads.map { workload in
      Prepared(
        archive: try children.scratch.makeFolder("workload-\(workload.name)"),
        baseStore: try children.scratch.makeFolder("base-\(workload.name)") + "/store.sqlite")
    }
    _ = try await children.answers(
      of: PrepareTask.self, count: prepared.count, timeLimit: ValidationRun.preparationLimit,
      plan: { [validation] index, _ in
        PrepareTask.Plan(
          workload: validation.live[index].workload, isBatchSizeStandard: false, isSaveEveryStandard: true,
          options: validation.live[index].options, archive: prepared[index].archive,
          baseStore: prepared[index].baseStore)
      })
    return prepared
  }

  private func runSimulated(
    _ profile: Profile, prepared: [Prepared], children: Children
  ) async throws -> [Cell: TrialRecord] {
    let cells = cells
    let scratches = try cells.indices.map { try children.scratch.makeFolder("simulated-\($0)") }
    let topologies = topologies
    let timeLeft = TimeLeft(trials: cells.count)
    let records = try await children.answers(
      of: TrialTask.self, count: cells.count, timeLimit: nil,
      plan: { [validation] index, core in
        let cell = cells[index]
        let experiment = validation.simulated[cell.workload]
        var simulation = experiment.simulation
        simulation?.profile = profile
        return TrialTask.Plan(
          trial: TrialPlan(
            topology: topologies[cell.topology], options: experiment.options, archive: prepared[cell.workload].archive,
            baseStore: prepared[cell.workload].baseStore, scratch: scratches[index], trial: 1,
            profile: validation.profile.name),
          simulation: simulation, hostCore: core, binding: validation.request.isPinned ? ValidationRun.binding : nil)
      },
      ended: { progress.show("simulated: \($0) of \(cells.count)\(timeLeft.text(done: $0))") }
    ).map(\.record)
    for folder in scratches { children.scratch.removeFolder(folder) }
    for (cell, record) in zip(cells, records) { try check(record, title: "simulated \(title(of: cell))") }
    return Dictionary(uniqueKeysWithValues: zip(cells, records))
  }
}
