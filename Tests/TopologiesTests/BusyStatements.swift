import SQLitePersistence

extension SQLiteStore {
  /// How many statements run at the moment on all connections together; waits for requests under way.
  var busyStatementCount: Int {
    var count = 0
    pool.forEachOpenConnection { count += $0.busyStatementCount }
    return count
  }
}
