import ContextEngine
import Foundation
import Harness
import MachineCore
import MachineLive
import MachineSimulated
import Metrics
import Profiles
import SQLitePersistence
import TestSupport
import Testing
import Topologies
import Workloads

@testable import Experiments
@testable import TrialProcesses
@testable import Validation
@testable import stackbench

/// Both machines run one engine: what it reports must not depend on which of them it runs on.
///
/// Units that follow each other at once overlap with what main does about the one before, on either machine as time has it,
/// and two things that contexts share pass that on into the counters of the import:
/// - a fault finds its row in the row cache while the other context has the object registered, else it runs a SELECT;
/// - a did-save holds the objects that were saved until it has been merged, so that the next unit finds them registered.
/// Both are Core Data's ways. So payloads come one by one here, each when the one before is visible and durable: which is
/// checked, since a live machine may be busy. What is left to time then is left out:
/// - how many frames there are, and each reads the visible cells: `cellRead`;
/// - where main takes a worker's save in, by merging or by fetching anew, whether it does so before or after the worker's
///   block ends and lets go of its objects, and so of their rows: a later fault finds its row, or runs a SELECT.
///   `faultSelect` is what that adds. In the other stacks the import runs on main, or through it, and nothing is left out;
/// - in the same stacks an object that a did-save holds dies when main has taken the save in, and its context reports it
///   with its next block, if it has one: `objectReleased`.
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

  /// One lane and no edits; payloads `interval` apart, of a unit each.
  private func options(_ profile: Profile, scrollSpeed: Int, interval: Span) -> RunOptions {
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

  /// The work of a live trial; nil if a payload was still under way when the next one came.
  private func runLive(_ topology: Topology, _ options: RunOptions) throws -> WorkLedger? {
    let work = WorkLedger()
    let mainQueue = MainQueueLedger(tickCapacity: 1_000)
    let machine = LiveMachine(ledger: work, observer: mainQueue)
    defer { machine.stop() }
    var instruments = TrialInstruments.live()
    instruments.heap = ModelledHeapMeter()
    // Through the shim as well: else pages and syncs would be work on one machine only.
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

  /// Whether each payload was visible and durable, with a frame to spare, before the next one came.
  private func isOneByOne(_ record: TrialRecord, _ options: RunOptions) -> Bool {
    let latest = max(
      record.measures.timeToVisibleNanosecondsMaximum ?? 0, record.measures.timeToDurableNanosecondsMaximum ?? 0)
    // An arrival is up to a tick later than its interval says.
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

  /// Both machines' work on the same plan, with payloads far enough apart for this computer at the moment.
  private func run(_ topology: Topology, scrollSpeed: Int) throws -> (live: WorkLedger, simulated: WorkLedger) {
    let profile = try ProfileLibrary.profile(named: "host")
    var interval = Span.milliseconds(120)
    while true {
      let options = options(profile, scrollSpeed: scrollSpeed, interval: interval)
      if let live = try runLive(topology, options) { return (live, try runSimulated(topology, options, profile)) }
      interval = interval * 2
    }
  }

  /// What a fault reports beyond itself when its row is not in the row cache.
  private static let faultSelect: Set<Work.Kind> = [
    .storeRequest, .statementPrepared, .statementRun, .rowStepped, .valueBound, .pageRead,
  ]

  private func timed(_ topology: Topology) -> Set<Work.Kind> {
    let onlySaves = topology.rules.allSatisfy { rule in
      if case .save = rule.action { true } else { false }
    }
    return topology.mergesSaves || !onlySaves ? Self.faultSelect.union([.objectReleased]) : []
  }

  /// Where two ledgers differ, as sentences. A live machine does not count the threads that are
  /// woken.
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

  @Test(arguments: Topology.known)
  func `with one lane and no edits the import's counters are equal on both machines`(_ topology: Topology) throws {
    let ledgers = try run(topology, scrollSpeed: 200)
    #expect(ledgers.live.count(.rowWritten, for: .background) >= 400)
    #expect(differences(ledgers, .background, except: timed(topology)) == [])
  }

  @Test(arguments: Topology.known)
  func `with nothing scrolling either all counters are equal on both machines`(_ topology: Topology) throws {
    let ledgers = try run(topology, scrollSpeed: 0)
    #expect(differences(ledgers, .background, except: timed(topology)) == [])
    #expect(differences(ledgers, .user, except: timed(topology).union([.cellRead])) == [])
    #expect(ledgers.live.count(.cellRead, for: .user) > 0 && ledgers.simulated.count(.cellRead, for: .user) > 0)
  }
}
