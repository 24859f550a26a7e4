import SQLitePersistence

extension SQLiteStore {
  /// The number of statements that run at the moment on all connections together. It waits for requests under way.
  var busyStatementCount: Int {
    var count = 0
    pool.forEachOpenConnection { count += $0.busyStatementCount }
    return count
  }
}
