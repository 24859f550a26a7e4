import GRDB

/// A store's file as GRDB opens it: one connection, with the pragmas that the engine sets.
struct GRDBStore: Sendable {
  let queue: DatabaseQueue

  init(path: String) throws {
    var configuration = Configuration()
    // Write-ahead log and synchronous = normal.
    configuration.journalMode = .wal
    configuration.prepareDatabase { database in
      try database.execute(sql: "PRAGMA recursive_triggers = 1")
      try database.execute(sql: "PRAGMA wal_autocheckpoint = 1000")
    }
    queue = try DatabaseQueue(path: path, configuration: configuration)
  }
}

extension Database {
  /// Raises the store's counter of keys and returns the first of them. This is part of the caller's transaction.
  func reserveKeys(_ count: Int, of table: RawTable) throws -> Int64 {
    guard let lastKey = try Int64.fetchOne(self, sql: RawTable.lastKeySelection, arguments: [table.number]) else {
      throw PeerError(.failed, "the store counts no keys of \(table.name)")
    }
    try execute(sql: RawTable.lastKeyUpdate, arguments: [lastKey + Int64(count), table.number])
    return lastKey + 1
  }
}
