import ContextEngine
import Foundation
import Harness
import InputFiles
import MachineCore
import MachineLive
import MachineSimulated
import Metrics
import SQLitePersistence
import TestSupport
import Testing
import Topologies
import Workloads

@testable import TrialProcesses

/// Tests that the work that the engine reports does not depend on the machine on which it runs.
///
/// Units that follow each other without a pause overlap with the main thread's work for the unit before. The overlap
/// depends on timing, and changes the counters of the import in two ways:
/// - A fault finds its row in the row cache as long as the other context has the object registered. Otherwise it runs a
///   SELECT.
/// - A did-save notification retains the saved objects until it has been merged, so that the next unit finds them
///   registered.
///
/// Core Data behaves the same way. Each payload therefore arrives only when the one before is visible and durable. The
/// tests check this, since the computer may be busy. The following counters still depend on timing, and are not
/// compared:
/// - `cellRead`, because each frame reads the visible cells, and the number of frames differs.
/// - `faultSelect`, in stacks whose main context merges a worker's save or fetches again. The main context can do so
///   before or after the end of the worker's block, which releases the objects and with them their rows. A later fault
///   then finds its row or runs a SELECT. The import of all other stacks runs on the main thread or through it.
/// - `objectReleased`, in the same stacks. An object that a did-save notification retains is released when the main
///   context has merged the save. Its context reports the release with its next block, if there is one.
@Suite(.serialized) struct CounterEqualityTests {
  private let folder: TemporaryFolder
  private let archive: WorkloadArchive
  private let baseStore: String

  init() throws {
    folder = try TemporaryFolder()
    let archiveFolder = URL(fileURLWithPath: "\(folder.path)/workload")
    try FileManager.default.createDirectory(at: archiveFolder, withIntermediateDirectories: true)
    archive = try WorkloadArchive.write(
      WorkloadOptions(workload: .catalog, rows: 400, existingRows: 200, batchSize: 100, mix: .standard),
      to: archiveFolder)
    baseStore = "\(folder.path)/base.sqlite"
    let machine = LiveMachine(ledger: WorkLedger())
    defer { machine.stop() }
    try BaseStore.write(archive, to: baseStore, options: RunOptions(), machine: machine, instruments: .live())
  }

  /// Returns options with one lane and no edits, and with payloads of one unit that arrive `interval` apart.
  private func options(_ profile: Profile, scrollSpeed: Int, interval: TimeSpan) -> RunOptions {
    var options = RunOptions(simulating: profile)
    options.warmup = 0
    options.saveEvery = 100
    options.arrivalInterval = interval
    options.userEditInterval = .zero
    options.scrollSpeed = scrollSpeed
    options.viewControllers = 2
    options.frameWork = .zero
    return options
  }

  private func plan(_ topology: Topology, _ options: RunOptions, _ name: String) throws -> TrialPlan {
    let scratch = "\(folder.path)/\(name)"
    try? FileManager.default.removeItem(atPath: scratch)
    try FileManager.default.createDirectory(atPath: scratch, withIntermediateDirectories: true)
    return TrialPlan(
      topology: topology, options: options, archive: "\(folder.path)/workload", baseStore: baseStore,
      scratch: scratch, trial: 1)
  }

  /// Returns the work of a live trial, or nil if a payload was not yet finished when the next one arrived.
  private func runLive(_ topology: Topology, _ options: RunOptions) throws -> WorkLedger? {
    let work = WorkLedger()
    let mainQueue = MainQueueLedger(tickCapacity: 1_000)
    let machine = LiveMachine(ledger: work, observer: mainQueue)
    defer { machine.stop() }
    var instruments = TrialInstruments.live()
    instruments.heap = ModelledHeapMeter()
    // Files are counted as on the simulated machine. Otherwise pages and syncs would be work on one machine only.
    instruments.openStore = { machine, model, path, options throws(PersistenceError) in
      var configuration = try SQLiteStoreConfiguration(path: path, options: options)
      configuration.fileAccess = .counted(passesSyncsOn: false)
      configuration.identifier = TrialInstruments.storeIdentifier(seed: 1)
      return try SQLiteStore(machine, model: model, configuration: configuration)
    }
    let (record, complaints) = try Trial(
      plan: try plan(topology, options, "live"), machine: machine, work: work, mainQueue: mainQueue,
      instruments: instruments
    ).run()
    #expect(record.measures.verified == 1, "\(complaints)")
    return isOneByOne(record, options) ? work : nil
  }

  /// Returns true if each payload was visible and durable at least one frame before the next one arrived.
  private func isOneByOne(_ record: TrialRecord, _ options: RunOptions) -> Bool {
    let latest = max(
      record.measures.timeToVisibleNanosecondsMaximum ?? 0, record.measures.timeToDurableNanosecondsMaximum ?? 0)
    // A payload arrives up to a tick later than the interval demands.
    let tick = 1_000_000_000 / Int64(options.refreshRate)
    return latest < options.arrivalInterval.nanoseconds - 3 * tick
  }

  private func runSimulated(_ topology: Topology, _ options: RunOptions, _ profile: Profile) throws -> WorkLedger {
    let work = WorkLedger()
    let simulation = Simulation(profile: profile, scheduleSeed: nil, seed: 1, isTraced: false)
    let (record, complaints) = try SimulatedTrial(try plan(topology, options, "simulated"), simulation).run(
      work, MainQueueLedger(tickCapacity: 1_000))
    #expect(record.measures.verified == 1, "\(complaints)")
    #expect(isOneByOne(record, options))
    return work
  }

  /// Returns the work of both machines on the same plan. The interval between payloads is doubled until this computer
  /// finishes each payload before the next one.
  private func run(_ topology: Topology, scrollSpeed: Int) throws -> (live: WorkLedger, simulated: WorkLedger) {
    let profile = try ProfileLibrary.profile(named: "host")
    var interval = TimeSpan.milliseconds(120)
    while true {
      let options = options(profile, scrollSpeed: scrollSpeed, interval: interval)
      if let live = try runLive(topology, options) { return (live, try runSimulated(topology, options, profile)) }
      interval = interval * 2
    }
  }

  /// The additional work that a fault reports if its row is not in the row cache.
  private static let faultSelect: Set<Work.Kind> = [
    .storeRequest, .statementPrepared, .statementRun, .rowStepped, .valueBound, .pageRead,
  ]

  private func timed(_ topology: Topology) -> Set<Work.Kind> {
    let onlySaves = topology.rules.allSatisfy { rule in
      if case .save = rule.action { true } else { false }
    }
    return topology.mergesSaves || !onlySaves ? Self.faultSelect.union([.objectReleased]) : []
  }

  /// Returns the differences between two ledgers, one line for each kind of work. The waking of threads is left out,
  /// because a live machine does not count it.
  private func differences(
    _ ledgers: (live: WorkLedger, simulated: WorkLedger), _ role: WorkRole, except: Set<Work.Kind> = []
  ) -> [String] {
    Work.Kind.allCases.filter { ![.threadWoken, .coldStart, .timeSlept].contains($0) && !except.contains($0) }
      .compactMap { kind in
        let live = (ledgers.live.count(kind, for: role), ledgers.live.bytes(kind, for: role))
        let simulated = (ledgers.simulated.count(kind, for: role), ledgers.simulated.bytes(kind, for: role))
        return live == simulated ? nil : "\(role) \(kind): live \(live), simulated \(simulated)"
      }
  }

  @Test(arguments: Topology.knownInOneProcess)
  func `the counters of an import without edits are equal on both machines`(_ topology: Topology) throws {
    let ledgers = try run(topology, scrollSpeed: 200)
    #expect(ledgers.live.count(.rowWritten, for: .background) >= 400)
    #expect(differences(ledgers, .background, except: timed(topology)) == [])
  }

  @Test(arguments: Topology.knownInOneProcess)
  func `all counters without edits and scrolling are equal on both machines`(_ topology: Topology) throws {
    let ledgers = try run(topology, scrollSpeed: 0)
    #expect(differences(ledgers, .background, except: timed(topology)) == [])
    #expect(differences(ledgers, .user, except: timed(topology).union([.cellRead])) == [])
    #expect(ledgers.live.count(.cellRead, for: .user) > 0 && ledgers.simulated.count(.cellRead, for: .user) > 0)
  }
}
