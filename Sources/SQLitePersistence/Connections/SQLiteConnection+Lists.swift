import ContextEngine

extension SQLiteConnection {
  /// Runs a SELECT of keys with a list of keys as its parameter, and returns the keys found. O(list + rows).
  func keys(_ sql: String, from list: [Int64]) throws(PersistenceError) -> [Int64] {
    let statement = try statement(sql)
    defer { statement.finish() }
    try statement.bind(SQLiteList(keys: list), at: 1)
    var found: [Int64] = []
    while try statement.step() { found.append(statement.column(0).integer) }
    events.rowsStepped += found.count
    events.bytesStepped += 8 * found.count
    return found
  }
}
