import Harness

/// The settings of a wiring that is printed as code.
package struct WiringCodeOptions: Sendable {
  /// The settings of a run: the merge policy and the saves of contexts, the look-up and the lists.
  package var run: RunOptions
  /// The records that the code imports.
  package var records: PrintedRecords
  /// The number of records in a payload.
  package var batchSize: Int
  /// Indicates whether the workload deletes rows.
  package var hasDeletions: Bool
  /// The size of the connection pool, or nil to leave it to the framework.
  package var connectionPool: Int?
  /// SQLite's journal mode, or nil to leave it to the framework.
  package var journalMode: String?
  /// SQLite's synchronous mode, or nil to leave it to the framework.
  package var synchronous: String?

  package init(run: RunOptions = RunOptions(), records: PrintedRecords, batchSize: Int, hasDeletions: Bool) {
    self.run = run
    self.records = records
    self.batchSize = batchSize
    self.hasDeletions = hasDeletions
  }
}
