import Foundation
import Harness
import MachineCore
import MachineSimulated
import Metrics
import Reporting
import Topologies

/// Runs a validation: simulated trials first, on all cores; then the live ones, one at a time, so that nothing disturbs
/// them.
///
/// Live runs take turns over stacks and workloads: a computer that slows down meanwhile does so for all cells.
struct ValidationRun: Sendable {
  private let validation: Validation
  private let output: OutputFolder
  private let progress: ProgressLine

  private static let preparationLimit = Duration.seconds(3_600)

  /// - Parameter output: has been proven writable.
  init(_ validation: Validation, output: OutputFolder) {
    self.validation = validation
    self.output = output
    progress = ProgressLine(isQuiet: validation.isQuiet)
  }

  /// Runs to the end, writes `validation.csv`, and returns what standard output gets.
  ///
  /// - Throws: `CommandFailure` of the first trial that failed or did not verify; `CancellationError` when interrupted.
  func run() async throws -> String {
    let scratch = try ScratchFolder(in: validation.scratchParent ?? output.path)
    defer {
      progress.clear()
      scratch.remove()
    }
    let children = try Children(scratch: scratch)
    progress.show("preparing the workloads")
    let prepared = try await prepare(children)
    let predicted = try await runSimulated(prepared, children)
    let live = try await runLive(prepared, children)
    var report = report(live: live, predicted: predicted)
    if validation.isByCause { report.causes = CauseComparison.comparisons(of: report.cells) }
    try write(report)
    guard !validation.isJSON else { return try JSONText.text(of: report) }
    return ValidationText(
      report, reasons: validation.workloads.map { ($0.name, $0.reason) },
      usesColour: StandardOutput.showsColour
    ).text
  }

  private func write(_ report: ValidationReport) throws {
    do {
      try AtomicFile.write(Data(ValidationTable.csv(of: report).text.utf8), to: "\(output.path)/validation.csv")
      if let causes = report.causes {
        try AtomicFile.write(
          Data(CauseTable.csv(of: causes).text.utf8), to: "\(output.path)/\(CauseTable.fileName)")
      }
    } catch {
      throw CommandFailure.failed("\(error)")
    }
  }

  /// Where a workload lies on disk.
  private struct Prepared: Sendable {
    var archive: String
    var baseStore: String
  }

  /// One stack on one workload.
  private struct Cell: Hashable, Sendable {
    let workload: Int
    let topology: Int
  }

  private var topologies: [Topology] { validation.live[0].topologies }

  /// All cells, the stacks of a workload together.
  private var cells: [Cell] {
    validation.workloads.indices.flatMap { workload in
      topologies.indices.map { Cell(workload: workload, topology: $0) }
    }
  }

  private func title(of cell: Cell) -> String {
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
      of: PrepareCommand.self, count: prepared.count, timeLimit: ValidationRun.preparationLimit,
      plan: { [validation] index, _ in
        PrepareCommand.Plan(
          workload: validation.live[index].workload, isBatchSizeStandard: false, isSaveEveryStandard: true,
          options: validation.live[index].options, archive: prepared[index].archive,
          baseStore: prepared[index].baseStore)
      })
    return prepared
  }

  private func runSimulated(_ prepared: [Prepared], _ children: Children) async throws -> [Cell: TrialRecord] {
    let cells = cells
    let scratches = try cells.indices.map { try children.scratch.makeFolder("simulated-\($0)") }
    let topologies = topologies
    let timeLeft = TimeLeft(trials: cells.count)
    let records = try await children.answers(
      of: ChildTrialCommand.self, count: cells.count, timeLimit: timeLimit,
      plan: { [validation] index, core in
        let cell = cells[index]
        let experiment = validation.simulated[cell.workload]
        return ChildTrialCommand.Plan(
          trial: TrialPlan(
            topology: topologies[cell.topology], options: experiment.options, archive: prepared[cell.workload].archive,
            baseStore: prepared[cell.workload].baseStore, scratch: scratches[index], trial: 1,
            profile: validation.profile.name),
          simulation: experiment.simulation, hostCore: core)
      },
      ended: { progress.show("simulated: \($0) of \(cells.count)\(timeLeft.text(done: $0))") })
    for folder in scratches { children.scratch.removeFolder(folder) }
    for (cell, record) in zip(cells, records) { try check(record, "simulated \(title(of: cell))") }
    return Dictionary(uniqueKeysWithValues: zip(cells, records))
  }

  private func runLive(_ prepared: [Prepared], _ children: Children) async throws -> [Cell: [TrialRecord]] {
    let cells = cells
    var records: [Cell: [TrialRecord]] = [:]
    let timeLeft = TimeLeft(trials: validation.trials * cells.count)
    for trial in 1...validation.trials {
      for (place, cell) in cells.enumerated() {
        let done = (trial - 1) * cells.count + place
        progress.show("live: \(title(of: cell)), run \(trial) of \(validation.trials)\(timeLeft.text(done: done))")
        let scratch = try children.scratch.makeFolder("live")
        defer { children.scratch.removeFolder(scratch) }
        let plan = ChildTrialCommand.Plan(
          trial: TrialPlan(
            topology: topologies[cell.topology], options: validation.live[cell.workload].options,
            archive: prepared[cell.workload].archive, baseStore: prepared[cell.workload].baseStore, scratch: scratch,
            trial: trial),
          simulation: nil, hostCore: nil)
        let record = try await answer(plan, "live \(title(of: cell)), run \(trial)", children)
        records[cell, default: []].append(record)
      }
    }
    return records
  }

  private func answer(
    _ plan: ChildTrialCommand.Plan, _ title: String, _ children: Children
  ) async throws -> TrialRecord {
    do {
      let record = try await children.answer(of: ChildTrialCommand.self, to: plan, timeLimit: timeLimit).answer
      try check(record, title)
      return record
    } catch let failure as CommandFailure {
      throw failure.during(title)
    }
  }

  private var timeLimit: Duration { .nanoseconds(validation.live[0].options.timeLimit.nanoseconds) }

  private func check(_ record: TrialRecord, _ title: String) throws {
    guard record.measures.verified != 1 else { return }
    throw CommandFailure.failed("\(title): its data did not verify")
  }
}

// MARK: - Comparing

extension ValidationRun {
  private func report(live: [Cell: [TrialRecord]], predicted: [Cell: TrialRecord]) -> ValidationReport {
    let tick = 1_000_000_000 / Int64(validation.profile.hardware.refreshRate)
    var compared: [ValidationReport.Cell] = []
    var records: [TrialRecord] = []
    for cell in cells {
      guard let record = predicted[cell] else { continue }
      records.append(record)
      compared.append(
        ValidationReport.Cell(
          workload: validation.workloads[cell.workload].name, topology: topologies[cell.topology].id,
          live: (live[cell] ?? []).map(\.measures), predicted: record.measures, tick: tick))
    }
    let explanations = ValidationReport.Measure.allCases.compactMap { measure -> ValidationReport.Explanation? in
      guard let worst = ValidationReport.largestError(of: measure, in: compared),
        let place = compared.firstIndex(of: worst), let work = records[place].work
      else { return nil }
      return ValidationReport.Explanation(
        measure: measure, workload: worst.workload, topology: worst.topology,
        work: validation.profile.device().costs.priced(work))
    }
    return ValidationReport(
      profile: validation.profile.name, rows: validation.rows, cells: compared, explanations: explanations)
  }
}
