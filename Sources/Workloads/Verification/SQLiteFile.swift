import CSQLite
import Foundation

/// An SQLite database: a file that is opened for reading, a file whose log is recovered, or one in memory. This class
/// covers the small part of SQLite's C interface that a check needs.
package final class SQLiteFile {
  private let handle: OpaquePointer
  let path: String

  /// Opens a database file for reading.
  ///
  /// - Throws: `VerificationError` if the file does not exist or cannot be opened.
  package init(reading file: URL) throws(VerificationError) {
    path = file.path(percentEncoded: false)
    guard FileManager.default.isReadableFile(atPath: path) else {
      throw VerificationError(message: "the store cannot be read: no such file", path: path, code: SQLITE_CANTOPEN)
    }
    handle = try SQLiteFile.open(
      SQLiteFile.uri(path), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, path: path, what: "the store cannot be opened: ")
  }

  /// Opens a database file that belongs to the caller, and applies its write-ahead log or hot journal, which may change
  /// the file and create others beside it.
  ///
  /// - Parameters:
  ///   - file: The file.
  ///   - origin: The path that errors name, such as that of the file from which a copy was made.
  /// - Throws: `VerificationError` if the file cannot be opened.
  package init(recovering file: URL, namedAs origin: String) throws(VerificationError) {
    path = origin
    handle = try SQLiteFile.open(file.path(percentEncoded: false), SQLITE_OPEN_READWRITE, path: origin)
    // The schema may come from any program: it calls no function with side effects, and damaged pages are found early.
    for pragma in ["trusted_schema = OFF", "cell_size_check = ON"] { try forEachRow("PRAGMA \(pragma)") { _ in } }
  }

  /// Opens a database in memory, which serves only to call SQLite's functions. `path` is the path of the file whose
  /// text the functions will read. Errors name it.
  init(inMemoryToRead path: String) throws(VerificationError) {
    self.path = path
    handle = try SQLiteFile.open(":memory:", SQLITE_OPEN_READWRITE, path: path, what: "SQLite cannot be used: ")
  }

  /// Opens a store for writing once, so that SQLite rolls back or applies what a killed process left in the journal or
  /// log.
  ///
  /// - Throws: `VerificationError` if the store cannot be opened. Damage to the file is found later, when it is read.
  static func recover(_ file: URL) throws(VerificationError) {
    let path = file.path(percentEncoded: false)
    let handle = try open(path, SQLITE_OPEN_READWRITE, path: path, what: "the store cannot be opened: ")
    sqlite3_exec(handle, "SELECT count(*) FROM sqlite_schema", nil, nil, nil)
    sqlite3_close(handle)
  }

  /// Opens a database with flags. `path` is the path that an error names, and `what` the beginning of its message.
  private static func open(
    _ name: String, _ flags: Int32, path: String, what: String = ""
  ) throws(VerificationError) -> OpaquePointer {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(name, &opened, flags | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close(opened)
      throw VerificationError(message: what + String(cString: sqlite3_errstr(code)), path: path, code: code)
    }
    return opened
  }

  deinit {
    sqlite3_close(handle)
  }

  /// Runs a statement, which may have one text parameter, and passes each row to `body`.
  ///
  /// - Throws: `VerificationError` if the statement fails.
  package func forEachRow(
    _ sql: String, with text: String? = nil, body: (SQLiteRow) -> Void
  ) throws(VerificationError) {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &prepared, nil) == SQLITE_OK, let statement = prepared else {
      throw failure(sql)
    }
    defer { sqlite3_finalize(statement) }
    let row = SQLiteRow(statement: statement)
    var parameter = text ?? ""
    // The text lives longer than the statement's last step, so SQLite needs no copy of it.
    let isComplete = parameter.withUTF8 { bytes in
      let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
      guard
        text == nil
          || sqlite3_bind_text64(statement, 1, start, UInt64(bytes.count), nil, UInt8(SQLITE_UTF8)) == SQLITE_OK
      else { return false }
      while true {
        switch sqlite3_step(statement) {
        case SQLITE_ROW: body(row)
        case SQLITE_DONE: return true
        default: return false
        }
      }
    }
    guard isComplete else { throw failure(sql) }
  }

  /// Runs a statement, which may have one text parameter, and returns the value that `value` makes of each row.
  ///
  /// - Throws: `VerificationError` if the statement fails.
  package func rows<Value>(
    _ sql: String, with text: String? = nil, value: (SQLiteRow) -> Value
  ) throws(VerificationError) -> [Value] {
    var values: [Value] = []
    try forEachRow(sql, with: text) { values.append(value($0)) }
    return values
  }

  /// Makes the tables of another file available to statements, under a name of its database.
  ///
  /// - Throws: `VerificationError` if the file cannot be opened.
  func attach(_ other: SQLiteFile, as name: String) throws(VerificationError) {
    let uri = SQLiteFile.uri(other.path).replacing("'", with: "''")
    try forEachRow("ATTACH '\(uri)' AS \(name)") { _ in }
  }

  private func failure(_ sql: String) -> VerificationError {
    VerificationError(
      message: String(cString: sqlite3_errmsg(handle)), path: path, code: sqlite3_extended_errcode(handle), sql: sql)
  }

  /// Returns the URI under which a store is opened. A closed store has no write-ahead log, so it is opened as
  /// immutable: SQLite then takes no locks and creates no files. A store that a killed process left may have a log,
  /// which is then read too.
  private static func uri(_ path: String) -> String {
    var plain = CharacterSet.urlPathAllowed
    plain.remove(charactersIn: "?#%;")
    let name = path.addingPercentEncoding(withAllowedCharacters: plain) ?? path
    let logSize = (try? FileManager.default.attributesOfItem(atPath: path + "-wal")[.size] as? Int) ?? 0
    return "file:\(name)?mode=ro" + (logSize == 0 ? "&immutable=1" : "")
  }
}

/// The current row of a statement, which is valid until the statement's next step.
package struct SQLiteRow {
  fileprivate let statement: OpaquePointer

  /// Returns the storage class of a column's value, one of `SQLITE_NULL` and its like.
  func kind(_ column: Int) -> Int32 {
    sqlite3_column_type(statement, Int32(column))
  }

  /// Returns true if the value is an integer or a double.
  func isNumber(_ column: Int) -> Bool {
    kind(column) == SQLITE_INTEGER || kind(column) == SQLITE_FLOAT
  }

  /// Returns a column's value as an integer, or 0 for a value that is not a number.
  package func integer(_ column: Int) -> Int64 {
    sqlite3_column_int64(statement, Int32(column))
  }

  /// Returns a column's value as an integer, or nil for NULL.
  func integerIfPresent(_ column: Int) -> Int64? { kind(column) == SQLITE_NULL ? nil : integer(column) }

  func double(_ column: Int) -> Double {
    sqlite3_column_double(statement, Int32(column))
  }

  /// Returns a column's value as text, which is empty for NULL.
  package func string(_ column: Int) -> String {
    String(decoding: bytes(column), as: UTF8.self)
  }

  /// Returns true if a column's text has the bytes of a string.
  func hasBytes(of text: String, at column: Int) -> Bool {
    let stored = bytes(column)
    let isSame = text.utf8.withContiguousStorageIfAvailable { text in
      text.count == stored.count && (text.isEmpty || memcmp(text.baseAddress!, stored.baseAddress!, text.count) == 0)
    }
    return isSame ?? stored.elementsEqual(text.utf8)
  }

  /// Returns the bytes of a blob or of a text, which are empty for NULL.
  package func data(_ column: Int) -> Data {
    guard let start = sqlite3_column_blob(statement, Int32(column)) else { return Data() }
    return Data(bytes: start, count: Int(sqlite3_column_bytes(statement, Int32(column))))
  }

  /// Returns a blob as an SQL literal.
  func blobLiteral(_ column: Int) -> String {
    "x'\(data(column).hexadecimal)'"
  }

  private func bytes(_ column: Int) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_column_text(statement, Int32(column))
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, Int32(column))))
  }
}
