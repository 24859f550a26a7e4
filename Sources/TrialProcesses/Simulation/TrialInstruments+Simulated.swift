import ContextEngine
import Harness
import MachineCore
import MachineSimulated
import SQLitePersistence
import Workloads

extension TrialInstruments {
  /// Returns the instruments of a trial in virtual time. Stores are real SQLite files, and the profile has the costs of
  /// their pages and syncs.
  ///
  /// `isTraced` is true if the machine's trace shows requests and statements. `leavesFiles` is true if the files of an
  /// open store are read, as those of an app that dies.
  package static func simulated(
    on simulated: SimulatedMachine, _ simulation: Simulation, isTraced: Bool = false, leavesFiles: Bool = false
  ) -> TrialInstruments {
    let identifier = storeIdentifier(seed: simulation.seed)
    let busyRetries = BusyRetries()
    let faults = FileFaults()
    let fullfsync = simulation.profile.era.fullfsync
    var instruments = TrialInstruments(
      openStore: { machine, model, path, options throws(PersistenceError) in
        var configuration = try SQLiteStoreConfiguration(path: path, options: options)
        configuration.fileAccess = .counted(passesSyncsOn: false)
        configuration.keepsFilesInMemory = !leavesFiles
        if options.fileFault != nil { configuration.letOccur(faults) }
        configuration.fullfsync = fullfsync
        configuration.onBusy = { busyRetries.add() }
        configuration.identifier = identifier
        if isTraced {
          configuration.onConnectionUse = { connection, use in simulated.note(use.step, of: connection) }
        }
        return try SQLiteStore(machine, model: model, configuration: configuration)
      },
      heap: ModelledHeapMeter(), busyRetries: busyRetries,
      runQueueWait: { nil },
      processCPU: { simulated.totalCPU },
      spendCPU: { simulated.spend($0) })
    instruments.faults = faults
    instruments.openWorkload = { (folder) throws(WorkloadError) in try WorkloadArchive.shared(opening: folder) }
    return instruments
  }

  /// Returns text in the form of a UUID that is the same for the same seed. All of its digits are drawn, so it has no
  /// valid version.
  static func storeIdentifier(seed: UInt64) -> String {
    var random = SeededRandom(seed: seed, stream: "store identifier")
    let digits = (0..<32).map { _ in String(random.below(16), radix: 16, uppercase: true) }
    let groups = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
    return groups.map { digits[$0].joined() }.joined(separator: "-")
  }
}

extension SQLiteStoreConfiguration.ConnectionUse {
  /// The step that the trace of the schedule shows.
  var step: ScheduleEvent.ConnectionStep {
    switch self {
    case .taken: .taken
    case .statement(let sql): .statement(sql)
    case .left: .left
    }
  }
}
