import ContextEngine
import Harness
import Topologies

/// The settings of a wiring that is printed as code.
package struct WiringCodeOptions: Sendable {
  /// The merge policy of the contexts.
  package var mergePolicy: MergePolicy
  /// The number of records in a unit.
  package var saveEvery: Int
  /// The number of records in a payload.
  package var batchSize: Int
  /// The records that the code imports.
  package var records: PrintedRecords
  /// Indicates whether the workload deletes rows.
  package var hasDeletions: Bool
  /// The time at which a root saves to the store.
  package var storeSave: StoreSave
  /// The fetches with which an import finds the objects that exist.
  package var lookup: RunOptions.Lookup
  /// The way in which an import writes records.
  package var strategy: RunOptions.Strategy
  /// The queue on which payloads are decoded.
  package var decode: Topology.DecodePlace
  /// The number of imports that run at a time.
  package var lanes: Int
  /// The batch size of lists, or 0 for no batching.
  package var fetchBatchSize: Int
  /// The properties that lists fetch, or nil for those that the topology names.
  package var propertiesToFetch: [String]?
  /// The size of the connection pool, or nil to leave it to the framework.
  package var connectionPool: Int?
  /// SQLite's journal mode, or nil to leave it to the framework.
  package var journalMode: String?
  /// SQLite's synchronous mode, or nil to leave it to the framework.
  package var synchronous: String?

  package init(
    mergePolicy: MergePolicy, saveEvery: Int, batchSize: Int, records: PrintedRecords, hasDeletions: Bool,
    storeSave: StoreSave, lookup: RunOptions.Lookup, strategy: RunOptions.Strategy, decode: Topology.DecodePlace,
    lanes: Int, fetchBatchSize: Int, propertiesToFetch: [String]? = nil, connectionPool: Int? = nil,
    journalMode: String? = nil, synchronous: String? = nil
  ) {
    self.mergePolicy = mergePolicy
    self.saveEvery = saveEvery
    self.batchSize = batchSize
    self.records = records
    self.hasDeletions = hasDeletions
    self.storeSave = storeSave
    self.lookup = lookup
    self.strategy = strategy
    self.decode = decode
    self.lanes = lanes
    self.fetchBatchSize = fetchBatchSize
    self.propertiesToFetch = propertiesToFetch
    self.connectionPool = connectionPool
    self.journalMode = journalMode
    self.synchronous = synchronous
  }
}
