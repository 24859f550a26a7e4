import CSQLite

/// An SQLite database in memory with one table of rows.
final class RowDatabase {
  private let connection: OpaquePointer

  init() {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_MEMORY | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(":memory:", &opened, flags, nil) == SQLITE_OK, let opened else {
      fatalError("SQLite opened no database in memory for the yardstick.")
    }
    connection = opened
    execute("CREATE TABLE ROW (KEY INTEGER PRIMARY KEY, VERSION INTEGER, NAME VARCHAR, AMOUNT FLOAT)")
  }

  deinit {
    sqlite3_close_v2(connection)
  }

  /// Inserts the rows in one transaction.
  func write(_ rows: [YardstickRow]) {
    execute("BEGIN")
    let statement = prepare("INSERT INTO ROW (KEY, VERSION, NAME, AMOUNT) VALUES (?, ?, ?, ?)")
    defer { sqlite3_finalize(statement) }
    for row in rows {
      sqlite3_bind_int64(statement, 1, row.key)
      sqlite3_bind_int64(statement, 2, row.version)
      var name = row.name
      name.withUTF8 { bytes in
        bytes.withMemoryRebound(to: CChar.self) { text in
          // SQLITE_TRANSIENT: SQLite copies the text.
          _ = sqlite3_bind_text(
            statement, 3, text.baseAddress, Int32(text.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
        }
      }
      sqlite3_bind_double(statement, 4, row.amount)
      guard sqlite3_step(statement) == SQLITE_DONE else { fail() }
      sqlite3_reset(statement)
    }
    execute("COMMIT")
  }

  /// Returns all rows as new objects, in the order of their keys. The process ends if their number is not `count`.
  func readRows(count: Int) -> [YardstickRow] {
    let statement = prepare("SELECT KEY, VERSION, NAME, AMOUNT FROM ROW ORDER BY KEY")
    defer { sqlite3_finalize(statement) }
    var rows: [YardstickRow] = []
    rows.reserveCapacity(count)
    while sqlite3_step(statement) == SQLITE_ROW {
      let text = UnsafeBufferPointer(
        start: sqlite3_column_text(statement, 2), count: Int(sqlite3_column_bytes(statement, 2)))
      let row = YardstickRow(
        key: sqlite3_column_int64(statement, 0), name: String(decoding: text, as: UTF8.self),
        amount: sqlite3_column_double(statement, 3))
      row.version = sqlite3_column_int64(statement, 1)
      rows.append(row)
    }
    guard rows.count == count else { fail() }
    return rows
  }

  private func prepare(_ sql: String) -> OpaquePointer {
    var statement: OpaquePointer?
    guard sqlite3_prepare_v2(connection, sql, -1, &statement, nil) == SQLITE_OK, let statement else { fail() }
    return statement
  }

  private func execute(_ sql: String) {
    guard sqlite3_exec(connection, sql, nil, nil, nil) == SQLITE_OK else { fail() }
  }

  /// Ends the process, because only a lack of memory or a wrong count of rows leads here.
  private func fail() -> Never {
    fatalError("SQLite failed in the yardstick's work: \(String(cString: sqlite3_errmsg(connection)))")
  }
}
