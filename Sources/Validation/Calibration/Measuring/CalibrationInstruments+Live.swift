import ContextEngine
import Harness
import MachineCore
import MachineLive
import SQLitePersistence
import TrialProcesses
import Yardstick

extension CalibrationInstruments {
  /// The instruments of the live machine: SQLite files whose pages and syncs are counted, and the real clocks. Syncs
  /// are `normal` or `full` according to the durability, with a full flush for `flushed`.
  package static var live: CalibrationInstruments {
    CalibrationInstruments(
      openStore: { machine, model, path, durability throws(PersistenceError) in
        var configuration = SQLiteStoreConfiguration(path: path, poolSize: 1)
        configuration.fileAccess = .counted(passesSyncsOn: true)
        configuration.synchronous = durability == .normal ? .normal : .full
        configuration.fullfsync = durability == .flushed
        return try SQLiteStore(machine, model: model, configuration: configuration)
      },
      threadCPU: { ProcessorClock.thread },
      processCPU: { ProcessorClock.process },
      runQueueWait: { RunQueueWait.current() },
      yardstick: { TimeSpan(nanoseconds: YardstickWork.measure()) })
  }
}
