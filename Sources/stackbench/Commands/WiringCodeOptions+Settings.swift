import Experiments
import Harness
import Topologies
import TrialProcesses
import Workloads

extension WiringCodeOptions {
  /// The names of the settings that change the printed code.
  static var settingNames: [String] { SettingTable.standard.settings(for: .printedCode).map(\.name) }

  /// Creates the options from the settings of a simulated run of one stack.
  ///
  /// - Throws: `RunFailure` with status 64 for settings that `run` would refuse, and for records that cannot be printed.
  init(_ request: RunRequest, of stack: StackChoice) throws {
    let experiment = try request.with(\.topology, [stack]).adviceExperiment()
    let workload = experiment.workload
    self.init(
      run: experiment.options, records: try WiringCodeOptions.records(of: experiment), batchSize: workload.batchSize,
      hasDeletions: workload.mix.deletes > 0)
    if experiment.isSaveEveryStandard { run.saveEvery = workload.batchSize }
    // The framework's defaults apply to settings that were not given.
    (connectionPool, journalMode, synchronous) = (request.connectionPool, request.journalMode, request.synchronous)
  }

  /// Returns the records of a run's workload.
  ///
  /// - Throws: `RunFailure` with status 64 if a feed or a model cannot be read, or if the code cannot have the records.
  private static func records(of experiment: Experiment) throws -> PrintedRecords {
    let records: PrintedRecords
    do {
      records = try PrintedRecords(experiment.workload)
    } catch {
      throw RunFailure.usage("\(error)")
    }
    if let limit = records.limit {
      throw RunFailure.usage(
        "--workload \(experiment.workload.workload.name): its records cannot be printed as code: \(limit)")
    }
    if experiment.options.strategy == .batchInsert, let relationship = records.firstRelationship {
      throw RunFailure.usage(
        "--strategy \(experiment.options.strategy.rawValue): batch inserts cannot set relationships such as \(relationship); "
          + "leave it out, or use records without relationships")
    }
    return records
  }
}
