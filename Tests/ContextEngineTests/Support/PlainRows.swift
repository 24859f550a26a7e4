import CSQLite
import Testing

/// Returns the rows of a statement that plain SQLite runs on a file, each column as text, and a null value as "NULL".
@discardableResult
func plainRows(_ path: String, _ sql: String) throws -> [[String]] {
  var connection: OpaquePointer?
  defer { sqlite3_close(connection) }
  try #require(sqlite3_open_v2(path, &connection, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK)
  var statement: OpaquePointer?
  try #require(sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
  defer { sqlite3_finalize(statement) }
  var rows: [[String]] = []
  while true {
    let code = sqlite3_step(statement)
    if code == SQLITE_DONE { return rows }
    try #require(code == SQLITE_ROW, "\(sql)")
    rows.append(
      (0..<sqlite3_column_count(statement)).map { column in
        sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
      })
  }
}
