import CSQLite
import TestSupport
import Testing

/// A folder with a store's file, which is removed with the last reference to it.
final class StoreFile: Sendable {
  private let folder: TemporaryFolder
  var path: String { "\(folder.path)/catalogue.sqlite" }

  init() throws {
    folder = try TemporaryFolder()
  }

  /// Returns the number that a query yields, read by plain SQLite on a new connection, as a new process would read it.
  func number(_ sql: String) throws -> Int {
    var connection: OpaquePointer?
    defer { sqlite3_close(connection) }
    try #require(sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    try #require(sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
    try #require(sqlite3_step(statement) == SQLITE_ROW, "\(sql)")
    return Int(sqlite3_column_int64(statement, 0))
  }

  func productCount(id: Int) throws -> Int {
    try number("SELECT count(*) FROM ZPRODUCT WHERE ZREMOTEID = \(id)")
  }

  func productCount(note: String) throws -> Int {
    try number("SELECT count(*) FROM ZPRODUCT WHERE ZNOTE = '\(note)'")
  }
}
