import ContextEngine
import Harness
import Topologies
import Workloads

/// The settings of a wiring that is printed as code, from the flags of `run`.
struct WiringCodeOptions: Hashable, Sendable {
  /// The flags of `run` that change the code.
  static let flagNames: Set<String> = [
    "merge-policy", "save-every", "batch-size", "store-save", "lookup", "strategy", "decode", "concurrent-imports",
    "fetch-batch-size", "properties-to-fetch", "connection-pool", "journal-mode", "synchronous", "workload", "mix",
  ]

  var mergePolicy: MergePolicy
  /// The number of records in a unit.
  var saveEvery: Int
  /// The number of records in a payload.
  var batchSize: Int
  var workload: Workload
  /// Indicates whether the workload deletes rows.
  var hasDeletions: Bool
  var storeSave: StoreSave
  var lookup: RunOptions.Lookup
  var strategy: RunOptions.Strategy
  var decode: RunOptions.DecodePlace
  /// The number of imports at a time.
  var lanes: Int
  /// The batch size of lists, or 0 for no batching.
  var fetchBatchSize: Int
  /// The properties that lists fetch, or nil for those that the topology says.
  var propertiesToFetch: [String]?
  /// The size of the connection pool, or nil if it is left to the framework, as are the next two.
  var connectionPool: Int?
  var journalMode: String?
  var synchronous: String?

  /// Takes the settings of a simulated run of one topology.
  ///
  /// - Throws: `CommandFailure` with status 64 for settings that `run` would refuse.
  init(_ request: RunRequest, of topology: Topology) throws {
    let experiment = try request.with(\.topology, [topology.title]).adviceExperiment()
    let options = experiment.options
    mergePolicy = options.mergePolicy
    saveEvery = experiment.isSaveEveryStandard ? experiment.workload.batchSize : options.saveEvery
    batchSize = experiment.workload.batchSize
    workload = experiment.workload.workload
    hasDeletions = experiment.workload.mix.deletes > 0
    storeSave = options.storeSave
    lookup = options.lookup
    strategy = options.strategy
    decode = options.decode ?? (topology.decode == .import ? .import : .network)
    lanes = options.lanes
    fetchBatchSize = options.fetchBatchSize
    propertiesToFetch = options.propertiesToFetch
    // Settings that were not given are left to the framework.
    connectionPool = request.connectionPool
    journalMode = request.journalMode
    synchronous = request.synchronous
  }
}
