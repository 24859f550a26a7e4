import ContextEngine
import Foundation
import Glibc
import Harness
import MachineCore
import MachineLive
import Metrics
import SQLitePersistence
import Yardstick

extension TrialInstruments {
  /// Returns the instruments of a trial on real threads, with stores in SQLite files.
  ///
  /// - Parameters:
  ///   - storeIdentifier: The UUID of a store that is made, or nil for a random one.
  ///   - traced: The machine whose trace shows requests, statements and the heap, or nil for no trace.
  /// - Returns: The instruments.
  package static func live(storeIdentifier: String? = nil, traced: LiveMachine? = nil) -> TrialInstruments {
    let busyRetries = BusyRetries()
    let faults = FileFaults()
    var didSampleHeap: (@Sendable (_ bytes: Int) -> Void)?
    if let traced { didSampleHeap = { traced.add(.counterSet("heap", series: "bytes", to: $0)) } }
    var instruments = TrialInstruments(
      openStore: { machine, model, path, options throws(PersistenceError) in
        var configuration = try SQLiteStoreConfiguration(path: path, options: options)
        configuration.onBusy = { busyRetries.add() }
        configuration.identifier = storeIdentifier
        if options.fileFault != nil {
          configuration.fileAccess = .counted(passesSyncsOn: true)
          configuration.letOccur(faults)
        }
        if let traced {
          configuration.onConnectionUse = { connection, use in traced.note(use.step, of: connection) }
        }
        return try SQLiteStore(machine, model: model, configuration: configuration)
      },
      heap: Heap.makeMeter(onSample: didSampleHeap), busyRetries: busyRetries,
      runQueueWait: { RunQueueWait.current() },
      processCPU: { ProcessorClock.process },
      spendCPU: ProcessorClock.spend,
      endProcess: {
        kill(getpid(), SIGKILL)
        // This line is reached only if the signal has not ended the process yet.
        _exit(RunFailure.Kind.failed.rawValue)
      })
    instruments.faults = faults
    instruments.yardstick = { TimeSpan(nanoseconds: YardstickWork.measure()) }
    instruments.resources = { contexts in
      ProcessResources(
        heapBytes: Int64(Heap.bytesInUse ?? 0), descriptorsCount: entryCount(of: "/proc/self/fd"),
        threadsCount: entryCount(of: "/proc/self/task"),
        registeredObjectsCount: contexts.reduce(0) { $0 + Int64($1.registeredCount) })
    }
    instruments.stolenTime = { StolenTime.current }
    return instruments
  }
}

extension TrialInstruments {
  /// Returns the number of files in a folder of `/proc`.
  private static func entryCount(of folder: String) -> Int64 {
    Int64((try? FileManager.default.contentsOfDirectory(atPath: folder))?.count ?? 0)
  }
}

extension SQLiteStoreConfiguration {
  /// Creates the configuration of a store from the options of a run.
  ///
  /// - Throws: `PersistenceError` if SQLite does not have the journal mode or the synchronous mode.
  init(path: String, options: RunOptions) throws(PersistenceError) {
    try self.init(
      path: path, poolSize: options.connectionPool, journalModeName: options.journalMode,
      synchronousName: options.synchronous)
    tracksHistory = options.tracksHistory ?? false
    if let name = options.storeName { connectionName = name }
  }

  /// Lets faults occur in the calls on the store's files, which are counted.
  mutating func letOccur(_ faults: FileFaults) {
    self.faults = faults
    keepsFilesInMemory = false
  }

  /// Creates the configuration of a store from the names of the modes in SQLite.
  ///
  /// - Throws: `PersistenceError` if SQLite does not have the journal mode or the synchronous mode.
  package init(
    path: String, poolSize: Int, journalModeName: String, synchronousName: String
  ) throws(PersistenceError) {
    guard let journalMode = JournalMode(rawValue: journalModeName) else {
      throw PersistenceError(.storeOpen, "SQLite has no journal mode \(journalModeName)")
    }
    guard let synchronous = Synchronous(rawValue: synchronousName) else {
      throw PersistenceError(.storeOpen, "SQLite has no synchronous mode \(synchronousName)")
    }
    self.init(path: path, poolSize: poolSize, journalMode: journalMode, synchronous: synchronous)
  }
}
