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
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(
      SQLiteFile.uri(path), &opened, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_URI, nil)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close(opened)
      throw VerificationError(
        message: "the store cannot be opened: \(String(cString: sqlite3_errstr(code)))", path: path, code: code)
    }
    handle = opened
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
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(
      file.path(percentEncoded: false), &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close(opened)
      throw VerificationError(message: String(cString: sqlite3_errstr(code)), path: path, code: code)
    }
    handle = opened
    // The schema may come from any program: it calls no function with side effects, and damaged pages are found early.
    for pragma in ["trusted_schema = OFF", "cell_size_check = ON"] { try forEachRow("PRAGMA \(pragma)") { _ in } }
  }

  private init(handle: OpaquePointer, path: String) {
    self.handle = handle
    self.path = path
  }

  /// Opens a database in memory, which serves only to call SQLite's functions. `path` is the path of the file whose
  /// text the functions will read. Errors name it.
  static func inMemory(toRead path: String) throws(VerificationError) -> SQLiteFile {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(":memory:", &opened, SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX, nil)
    guard code == SQLITE_OK, let opened else {
      sqlite3_close(opened)
      throw VerificationError(
        message: "SQLite cannot be used: \(String(cString: sqlite3_errstr(code)))", path: path, code: code)
    }
    return SQLiteFile(handle: opened, path: path)
  }

  deinit {
    sqlite3_close(handle)
  }

  /// Runs a statement and passes each row to `body`.
  ///
  /// - Throws: `VerificationError` if the statement fails.
  package func forEachRow(_ sql: String, body: (SQLiteRow) -> Void) throws(VerificationError) {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &prepared, nil) == SQLITE_OK, let statement = prepared else {
      throw failure(sql)
    }
    defer { sqlite3_finalize(statement) }
    let row = SQLiteRow(statement: statement)
    while true {
      switch sqlite3_step(statement) {
      case SQLITE_ROW: body(row)
      case SQLITE_DONE: return
      default: throw failure(sql)
      }
    }
  }

  /// Runs a statement with one text parameter, and passes each row to `body` until it returns false.
  func forEachRow(
    _ sql: String, with text: String, body: (SQLiteRow) throws(VerificationError) -> Bool
  ) throws(VerificationError) {
    var prepared: OpaquePointer?
    guard sqlite3_prepare_v2(handle, sql, -1, &prepared, nil) == SQLITE_OK, let statement = prepared else {
      throw failure(sql)
    }
    defer { sqlite3_finalize(statement) }
    var text = text
    // The text lives longer than the statement's last step, so SQLite needs no copy of it.
    let result = text.withUTF8 { bytes in
      Result { () throws(VerificationError) in
        let start = UnsafeRawPointer(bytes.baseAddress)?.assumingMemoryBound(to: CChar.self)
        guard
          sqlite3_bind_text64(statement, 1, start, UInt64(bytes.count), nil, UInt8(SQLITE_UTF8)) == SQLITE_OK
        else { throw failure(sql) }
        while true {
          switch sqlite3_step(statement) {
          case SQLITE_ROW: guard try body(SQLiteRow(statement: statement)) else { return }
          case SQLITE_DONE: return
          default: throw failure(sql)
          }
        }
      }
    }
    try result.get()
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
    guard let start = sqlite3_column_blob(statement, Int32(column)) else { return "x''" }
    let count = Int(sqlite3_column_bytes(statement, Int32(column)))
    let digits = UnsafeRawBufferPointer(start: start, count: count).map { byte in
      (byte < 16 ? "0" : "") + String(byte, radix: 16)
    }
    return "x'\(digits.joined())'"
  }

  private func bytes(_ column: Int) -> UnsafeBufferPointer<UInt8> {
    let start = sqlite3_column_text(statement, Int32(column))
    return UnsafeBufferPointer(start: start, count: Int(sqlite3_column_bytes(statement, Int32(column))))
  }
}
