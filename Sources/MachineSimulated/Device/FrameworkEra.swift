/// The settings with which the framework of a device's time uses its store.
package struct FrameworkEra: Hashable, Sendable, Codable {
  /// The number of connections of a coordinator; 1 for a serial coordinator, as before iOS 10.
  package var connectionPool: Int
  /// SQLite's journal mode, as `PRAGMA journal_mode` takes it.
  package var journalMode: String
  /// SQLite's synchronous mode, as `PRAGMA synchronous` takes it.
  package var synchronous: String
  /// True if every sync also flushes the drive's cache.
  package var fullfsync: Bool
  /// True if a fault without a row becomes a deleted object instead of an error.
  package var shouldDeleteInaccessibleFaults: Bool
  /// True if only a context directly on the coordinator honours a fetch's batch size.
  package var batchSizeIgnoredInChildren: Bool
  package var source: String

  package init(
    connectionPool: Int, journalMode: String, synchronous: String, fullfsync: Bool,
    shouldDeleteInaccessibleFaults: Bool, batchSizeIgnoredInChildren: Bool, source: String
  ) {
    self.connectionPool = connectionPool
    self.journalMode = journalMode
    self.synchronous = synchronous
    self.fullfsync = fullfsync
    self.shouldDeleteInaccessibleFaults = shouldDeleteInaccessibleFaults
    self.batchSizeIgnoredInChildren = batchSizeIgnoredInChildren
    self.source = source
  }
}
