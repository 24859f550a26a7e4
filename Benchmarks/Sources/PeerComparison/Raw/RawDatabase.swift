import CSQLite

/// A store's file by SQLite's C API: opened without a mutex, with the pragmas that the engine sets.
final class RawDatabase {
  private let pointer: OpaquePointer

  init(path: String) throws(PeerError) {
    var pointer: OpaquePointer?
    let code = sqlite3_open_v2(path, &pointer, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let pointer else {
      sqlite3_close(pointer)
      throw PeerError(.failed, "raw cannot open \(path): \(String(cString: sqlite3_errstr(code)))")
    }
    self.pointer = pointer
    for pragma in ["synchronous = normal", "recursive_triggers = 1", "wal_autocheckpoint = 1000"] {
      try execute("PRAGMA \(pragma)")
    }
  }

  deinit {
    sqlite3_close(pointer)
  }

  func prepare(_ sql: String) throws(PeerError) -> RawStatement {
    var statement: OpaquePointer?
    guard
      sqlite3_prepare_v3(pointer, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil) == SQLITE_OK,
      let statement
    else {
      throw error(doing: sql)
    }
    return RawStatement(statement, database: self)
  }

  func execute(_ sql: String) throws(PeerError) {
    guard sqlite3_exec(pointer, sql, nil, nil, nil) == SQLITE_OK else { throw error(doing: sql) }
  }

  /// Returns all rows of a table.
  func rows(of table: RawTable) throws(PeerError) -> [RawRow] {
    let selection = try prepare(table.selection)
    var rows: [RawRow] = []
    while try selection.step() { rows.append(RawRow(selection)) }
    return rows
  }

  /// Runs `body` between BEGIN and COMMIT.
  func inTransaction(_ body: () throws(PeerError) -> Void) throws(PeerError) {
    try execute("BEGIN EXCLUSIVE")
    try body()
    try execute("COMMIT")
  }

  /// The rows that the last statement changed.
  var changeCount: Int { Int(sqlite3_changes64(pointer)) }

  func error(doing what: String) -> PeerError {
    PeerError(.failed, "raw failed in \(what): \(String(cString: sqlite3_errmsg(pointer)))")
  }
}

/// A prepared statement; its calls are SQLite's.
final class RawStatement {
  private let pointer: OpaquePointer
  private let database: RawDatabase

  init(_ pointer: OpaquePointer, database: RawDatabase) {
    self.pointer = pointer
    self.database = database
  }

  deinit {
    sqlite3_finalize(pointer)
  }

  @inline(__always)
  func bind(_ value: Int64, at index: Int32) { sqlite3_bind_int64(pointer, index, value) }

  @inline(__always)
  func bind(_ value: Double, at index: Int32) { sqlite3_bind_double(pointer, index, value) }

  /// Binds bytes that must not move until the statement has run.
  @inline(__always)
  func bind(inPlace text: UnsafeBufferPointer<UInt8>, at index: Int32) {
    text.withMemoryRebound(to: CChar.self) { text in
      _ = sqlite3_bind_text64(pointer, index, text.baseAddress, UInt64(text.count), nil, UInt8(SQLITE_UTF8))
    }
  }

  /// Binds text as it is usually written: SQLite copies it.
  @inline(__always)
  func bind(copying text: String, at index: Int32) {
    sqlite3_bind_text(pointer, index, text, -1, unsafeBitCast(-1, to: sqlite3_destructor_type.self))
  }

  /// Steps to the next row, and returns false if all rows have been read.
  @inline(__always)
  func step() throws(PeerError) -> Bool {
    switch sqlite3_step(pointer) {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default: throw database.error(doing: String(cString: sqlite3_sql(pointer)))
    }
  }

  @inline(__always)
  func reset() { sqlite3_reset(pointer) }

  /// Runs a statement that returns no rows.
  @inline(__always)
  func run() throws(PeerError) {
    _ = try step()
    reset()
  }

  @inline(__always)
  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(pointer, column) }

  @inline(__always)
  func double(_ column: Int32) -> Double { sqlite3_column_double(pointer, column) }

  @inline(__always)
  func text(_ column: Int32) -> String {
    guard let start = sqlite3_column_text(pointer, column) else { return "" }
    let count = Int(sqlite3_column_bytes(pointer, column))
    return String(decoding: UnsafeBufferPointer(start: start, count: count), as: UTF8.self)
  }
}
