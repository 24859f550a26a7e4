import ContextEngine
import Foundation
import Harness
import MachineCore
import MachineLive
import Metrics
import SQLitePersistence
import TestSupport
import Topologies
import TrialSupport
import Workloads

/// A workload with its base store in a temporary folder, on which trials run in this process.
final class TrialBench {
  let archive: WorkloadArchive
  private let temporaryFolder: TemporaryFolder
  private var folder: URL { temporaryFolder.url }
  private var trialCount = 0

  /// Writes the workload and the store of existing rows.
  init(_ workload: WorkloadOptions, inFlight: RunOptions.InFlight = .off) throws {
    temporaryFolder = try TemporaryFolder()
    archive = try WorkloadArchive.write(workload, to: temporaryFolder.url)
    let machine = LiveMachine(ledger: WorkLedger())
    defer { machine.stop() }
    var options = RunOptions()
    options.inFlight = inFlight
    try BaseStore.write(
      archive, to: basePath, options: options, machine: machine, instruments: .recording(Statements()))
  }

  /// Creates a catalogue of few rows, in payloads of 60.
  convenience init(
    rows: Int = 240, existingRows: Int = 150, batchSize: Int = 60, mix: Mix = .standard,
    inFlight: RunOptions.InFlight = .off
  ) throws {
    try self.init(
      WorkloadOptions(
        workload: .catalog, rows: rows, existingRows: .count(existingRows), batchSize: batchSize, mix: mix),
      inFlight: inFlight)
  }

  /// Creates a workload of a feed with these lines.
  convenience init(feed lines: [String], batchSize: Int) throws {
    let folder = try TemporaryFolder()
    defer { withExtendedLifetime(folder) {} }
    let file = try folder.write(lines.joined(separator: "\n"), to: "feed.jsonl")
    try self.init(
      WorkloadOptions(
        workload: try Workload(argument: file), rows: nil, existingRows: 0, batchSize: batchSize,
        mix: .insertsOnly))
  }

  private var basePath: String { folder.appending(path: "base.sqlite").path }

  /// The outcome of a trial.
  struct Outcome {
    var measures: TrialMeasures
    var noise: TrialNoise
    var complaints: [String]
    /// The statements that the store of the trial ran, in order.
    var statements: [String]
    var isVerified: Bool { measures.verified == 1 }
  }

  /// Runs one trial to its end and returns its outcome.
  ///
  /// `meddle` receives the path of the closed store before it is checked, and may change the file. `change` changes the
  /// instruments before they are used.
  func run(
    _ topology: Topology, _ options: RunOptions = .quick, meddle: (@Sendable (String) -> Void)? = nil,
    change: (inout TrialInstruments) -> Void = { _ in }
  ) throws -> Outcome {
    trialCount += 1
    let scratch = folder.appending(path: "trial-\(trialCount)")
    try FileManager.default.createDirectory(at: scratch, withIntermediateDirectories: true)
    let work = WorkLedger()
    let mainQueue = MainQueueLedger(tickCapacity: 1_000)
    let machine = LiveMachine(ledger: work, observer: mainQueue)
    defer { machine.stop() }
    let plan = TrialPlan(
      topology: topology, options: options, archive: folder.path, baseStore: basePath, scratch: scratch.path, trial: 1)
    let statements = Statements()
    var instruments = TrialInstruments.recording(statements, meddle: meddle)
    let clockOrigin = machine.clockOrigin
    instruments.startImportProcess = { plan, receive in
      NearImport(plan, clockOrigin: clockOrigin, instruments: .recording(statements), receive: receive)
    }
    change(&instruments)
    let trial = Trial(plan: plan, machine: machine, work: work, mainQueue: mainQueue, instruments: instruments)
    let (record, complaints) = try trial.run()
    return Outcome(
      measures: record.measures, noise: record.noise, complaints: complaints, statements: statements.all)
  }
}

extension RunOptions {
  /// Options for short trials: no warm-up, small units, frames without work, and many edits.
  static let quick = quick()

  static func quick(_ change: (inout RunOptions) -> Void = { _ in }) -> RunOptions {
    var options = RunOptions()
    options.warmup = 0
    options.saveEvery = 30
    options.frameWork = .zero
    options.userEditInterval = .milliseconds(15)
    options.scrollSpeed = 200
    change(&options)
    return options
  }
}
