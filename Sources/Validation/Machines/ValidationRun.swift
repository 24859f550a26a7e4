import Experiments
import Foundation
import Harness
import MachineCore
import MachineSimulated
import Metrics
import Reporting
import Topologies
import TrialProcesses

/// Runs a validation.
///
/// The live trials run first, one at a time, so that they do not disturb each other. The simulated trials follow on all
/// cores, with costs that are scaled to the speed of the computer during the live trials.
///
/// Each round of live runs covers all stacks and workloads, so that a computer that becomes slower affects all cells
/// alike.
package struct ValidationRun: Sendable {
  let validation: ValidationPlan
  private let output: OutputFolder
  let progress: any ProgressDisplay

  private static let preparationLimit = Duration.seconds(3_600)

  /// Creates the run of a validation, whose results go to `output`, a folder that is known to be writable.
  package init(_ validation: ValidationPlan, output: OutputFolder, progress: any ProgressDisplay) {
    self.validation = validation
    self.output = output
    self.progress = progress
  }

  /// Runs all trials, writes `validation.csv`, and returns the text for standard output.
  ///
  /// - Throws: `RunFailure` for the first trial that fails or whose data does not verify; `CancellationError` if the
  ///   run is interrupted.
  package func run() async throws -> String {
    let scratch = try ScratchFolder(in: validation.scratchParent ?? output.path)
    defer {
      progress.clear()
      scratch.remove()
    }
    let children = Children(scratch: scratch)
    progress.show("preparing the workloads")
    let prepared = try await prepare(children)
    let live = try await runLive(prepared, children)
    let speed = speed(of: live)
    let profile = validation.profile.withCPU(times: speed.factor)
    let predicted = try await runSimulated(profile, prepared, children)
    var result = result(live: live, predicted: predicted, of: profile)
    result.speed = speed
    if validation.isByCause { result.causes = CauseComparison.comparisons(of: result.cells) }
    try write(result)
    guard !validation.isJSON else { return try JSONText.text(of: result) }
    let page = ValidationPage(result, reasons: validation.workloads.map { ($0.name, $0.reason) }).page
    return TerminalPage(page, usesColour: validation.usesColour).text
  }

  private static let tableName = "validation.csv"
  /// The names of the files that a run can write. The second file is written only if causes are compared.
  package static let fileNames: Set<String> = [tableName, CauseTable.fileName]

  private func write(_ result: ValidationResult) throws {
    let earlier = EarlierFiles(isReplaced: Self.fileNames.contains, marks: [Self.tableName])
    do {
      _ = try output.replace(earlier) { folder in
        try AtomicFile.write(Data(ValidationTable.csv(of: result).text.utf8), to: "\(folder)/\(Self.tableName)")
        if let causes = result.causes {
          try AtomicFile.write(Data(CauseTable.csv(of: causes).text.utf8), to: "\(folder)/\(CauseTable.fileName)")
        }
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
    _ profile: Profile, _ prepared: [Prepared], _ children: Children
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
          simulation: simulation, hostCore: core)
      },
      ended: { progress.show("simulated: \($0) of \(cells.count)\(timeLeft.text(done: $0))") }
    ).map(\.record)
    for folder in scratches { children.scratch.removeFolder(folder) }
    for (cell, record) in zip(cells, records) { try check(record, "simulated \(title(of: cell))") }
    return Dictionary(uniqueKeysWithValues: zip(cells, records))
  }
}
