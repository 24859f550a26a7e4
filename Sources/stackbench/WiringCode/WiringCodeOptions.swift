import ContextEngine
import Harness
import Topologies

/// What flags of `run` decide about a wiring printed as code.
struct WiringCodeOptions: Hashable, Sendable {
  /// The flags of `run` that change the code.
  static let flagNames: Set<String> = [
    "merge-policy", "save-every", "batch-size", "store-save", "lookup", "strategy", "decode", "concurrent-imports",
    "fetch-batch-size", "properties-to-fetch", "connection-pool", "journal-mode", "synchronous",
  ]

  var mergePolicy: MergePolicy
  /// Records per unit.
  var saveEvery: Int
  /// Records per payload.
  var batchSize: Int
  var storeSave: StoreSave
  var lookup: RunOptions.Lookup
  var strategy: RunOptions.Strategy
  var decode: RunOptions.DecodePlace
  /// Imports at a time.
  var lanes: Int
  /// 0 = no batching.
  var fetchBatchSize: Int
  /// nil = what the topology says.
  var propertiesToFetch: [String]?
  /// nil = what the framework does by itself, as the next two.
  var connectionPool: Int?
  var journalMode: String?
  var synchronous: String?

  /// What flags of a simulated run say about one topology.
  ///
  /// - Throws: `CommandFailure` with status 64 for flags that `run` would refuse.
  init(_ words: RunWords, of topology: Topology) throws {
    let words = words.setting("topology", topology.title)
    let experiment = try words.experiment(output: ".")
    // What was not given is left to the framework.
    let given = try words.parsed()
    let options = experiment.options
    // The flag takes nothing else.
    mergePolicy = MergePolicy(rawValue: options.mergePolicy) ?? .objectTrump
    saveEvery = experiment.isSaveEveryStandard ? experiment.workload.batchSize : options.saveEvery
    batchSize = experiment.workload.batchSize
    storeSave = options.storeSave
    lookup = options.lookup
    strategy = options.strategy
    decode = options.decode ?? (topology.decode == .import ? .import : .network)
    lanes = options.lanes
    fetchBatchSize = options.fetchBatchSize
    propertiesToFetch = options.propertiesToFetch
    connectionPool = given.store.connectionPool
    journalMode = given.store.journalMode
    synchronous = given.store.synchronous
  }
}
