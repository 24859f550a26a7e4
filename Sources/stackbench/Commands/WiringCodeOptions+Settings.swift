import Experiments
import Harness
import Topologies
import TrialProcesses
import WiringCode
import Workloads

extension WiringCodeOptions {
  /// The names of the settings that change the printed code.
  static var settingNames: [String] { SettingTable.standard.settings(for: .printedCode).map(\.name) }

  /// The names of the settings that choose the entities of a workload in other ways than by its records.
  static let mappingSettingNames: Set = ["model", "model-version", "map"]

  /// Creates the options from the settings of a simulated run of one stack.
  ///
  /// - Throws: `RunFailure` with status 64 for settings that `run` would refuse.
  init(_ request: RunRequest, of stack: StackChoice) throws {
    let experiment = try request.with(\.topology, [stack]).adviceExperiment()
    let topology = experiment.topologies[0]
    let options = experiment.options
    self.init(
      mergePolicy: options.mergePolicy,
      saveEvery: experiment.isSaveEveryStandard ? experiment.workload.batchSize : options.saveEvery,
      batchSize: experiment.workload.batchSize, workload: experiment.workload.workload,
      hasDeletions: experiment.workload.mix.deletes > 0, storeSave: options.storeSave, lookup: options.lookup,
      strategy: options.strategy, decode: options.decode ?? (topology.decode == .import ? .import : .network),
      lanes: options.lanes, fetchBatchSize: options.fetchBatchSize, propertiesToFetch: options.propertiesToFetch,
      // The framework's defaults apply to settings that were not given.
      connectionPool: request.connectionPool, journalMode: request.journalMode, synchronous: request.synchronous)
  }
}
