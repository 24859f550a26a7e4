import Harness
import Topologies
import Workloads

extension WiringCode {
  /// Creates the code of a stack with the settings of a run at their defaults.
  package init(standard topology: Topology) {
    let options = RunOptions()
    let workload = WorkloadOptions(workload: .catalog, rows: 1, existingRows: 0, batchSize: 500, mix: .standard)
    self.init(
      topology: topology,
      options: WiringCodeOptions(
        mergePolicy: options.mergePolicy, saveEvery: workload.batchSize, batchSize: workload.batchSize,
        records: .catalog, hasDeletions: workload.mix.deletes > 0, storeSave: options.storeSave,
        lookup: options.lookup, strategy: options.strategy,
        decode: topology.decode, lanes: options.lanes,
        fetchBatchSize: options.fetchBatchSize),
      command: "")
  }

  /// The number of lines that are neither empty nor comments.
  package var codeLineCount: Int { Self.count(text) }

  /// The number of statements that make, connect and configure the stack's lasting contexts and their merges.
  package var setUpLineCount: Int { Self.count(setUpStatements.joined(separator: "\n")) }

  private static func count(_ text: String) -> Int {
    text.split(separator: "\n").map { $0.drop(while: \.isWhitespace) }.count { !$0.isEmpty && !$0.hasPrefix("//") }
  }
}
