import CSQLite
import ContextEngine

// The C calls that statements and connections use. Apart from this file, only the table of bound lists
// (`SQLiteListTable.swift`), the text functions (`SQLiteTextFunctions.swift`), the order of decimal numbers
// (`DecimalForm.swift`) and the VFS shim (`CountingFileSystem.swift`, `CountedFile.swift`) use C. All other code works
// with the types here.

/// The SQLite result codes that this module distinguishes.
enum ResultCode {
  static let ok = SQLITE_OK
  static let row = SQLITE_ROW
  static let done = SQLITE_DONE
  static let busy = SQLITE_BUSY
  /// `SQLITE_BUSY_SNAPSHOT`, a macro that Swift does not import: `SQLITE_BUSY | (2 << 8)`.
  static let busySnapshot = SQLITE_BUSY | (2 << 8)
  static let corrupt = SQLITE_CORRUPT
  /// `SQLITE_CONSTRAINT_UNIQUE`: `SQLITE_CONSTRAINT | (8 << 8)`.
  static let notUnique = SQLITE_CONSTRAINT | (8 << 8)
  static let full = SQLITE_FULL
  static let cannotOpen = SQLITE_CANTOPEN
  static let readOnly = SQLITE_READONLY
  static let notADatabase = SQLITE_NOTADB
  /// `SQLITE_IOERR_SHORT_READ`: `SQLITE_IOERR | (2 << 8)`.
  static let shortRead = SQLITE_IOERR | (2 << 8)
  /// `SQLITE_IOERR_WRITE`: `SQLITE_IOERR | (3 << 8)`.
  static let notWritten = SQLITE_IOERR | (3 << 8)
}

/// An open database. The type is trivial: the code that opened the database closes it.
struct DatabaseHandle {
  let pointer: OpaquePointer

  /// Opens a file without SQLite's own mutex. Returns the code and the message of the error if that fails.
  ///
  /// `creating` is true if the file is created when it does not exist. `fileSystem` is the name of the VFS, or nil for
  /// the default one.
  static func open(
    _ path: String, creating: Bool, fileSystem: String?
  ) -> (handle: DatabaseHandle?, code: Int32, message: String) {
    var pointer: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | (creating ? SQLITE_OPEN_CREATE : 0)
    let code = sqlite3_open_v2(path, &pointer, flags, fileSystem)
    guard let pointer else { return (nil, code, String(cString: sqlite3_errstr(code))) }
    let handle = DatabaseHandle(pointer: pointer)
    guard code == SQLITE_OK else {
      let failure = (code: handle.errorCode, message: handle.errorMessage)
      // A failed open leaves a handle that can only return the error and be closed.
      _ = sqlite3_close(pointer)
      return (nil, failure.code, failure.message)
    }
    sqlite3_extended_result_codes(pointer, 1)
    return (handle, code, "")
  }

  func close() -> Int32 { sqlite3_close(pointer) }

  var errorCode: Int32 { sqlite3_extended_errcode(pointer) }
  var errorMessage: String { String(cString: sqlite3_errmsg(pointer)) }
  var isInTransaction: Bool { sqlite3_get_autocommit(pointer) == 0 }
  /// The greatest number of columns that a table can have.
  var columnLimit: Int { Int(sqlite3_limit(pointer, SQLITE_LIMIT_COLUMN, -1)) }
  var isReadOnly: Bool { sqlite3_db_readonly(pointer, "main") == 1 }
  /// The number of rows that the last INSERT, UPDATE or DELETE changed.
  var changeCount: Int64 { sqlite3_changes64(pointer) }

  /// The number of rows that were inserted, updated or deleted since the connection was opened.
  var totalChangeCount: Int64 { sqlite3_total_changes64(pointer) }

  /// Prepares a statement that is kept for many uses. Returns nil and SQLite's result code if SQLite refuses it.
  func prepare(_ sql: String) -> (statement: StatementHandle?, code: Int32) {
    var statement: OpaquePointer?
    let code = sqlite3_prepare_v3(pointer, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &statement, nil)
    return (statement.map { StatementHandle(pointer: $0) }, code)
  }

  /// Keeps all triggers of the file from firing on this connection. Returns SQLite's result code.
  func disableTriggers() -> Int32 { stackbench_sqlite3_disable_triggers(pointer) }

  /// Copies the whole write-ahead log into the database and truncates it. Returns SQLite's result code.
  func checkpointTruncating() -> Int32 {
    sqlite3_wal_checkpoint_v2(pointer, nil, SQLITE_CHECKPOINT_TRUNCATE, nil, nil)
  }

  /// The number of statements that have begun and not ended.
  var busyStatementCount: Int {
    var count = 0
    var statement = sqlite3_next_stmt(pointer, nil)
    while let current = statement {
      if sqlite3_stmt_busy(current) != 0 { count += 1 }
      statement = sqlite3_next_stmt(pointer, current)
    }
    return count
  }

  /// Reports waits for a lock to `events`, which must outlive the connection.
  func reportBusy(to events: SQLiteConnectionEvents) -> Int32 {
    sqlite3_busy_handler(
      pointer,
      { context, attempt in
        guard let context else { return 0 }
        return Unmanaged<SQLiteConnectionEvents>.fromOpaque(context)._withUnsafeGuaranteedRef {
          $0.waitForLock(attempt: attempt) ? 1 : 0
        }
      }, Unmanaged.passUnretained(events).toOpaque())
  }

  /// Reports the beginning of statements and the commit of transactions to `events`, which must outlive the connection.
  func reportStatementsAndCommits(to events: SQLiteConnectionEvents) -> Int32 {
    let context = Unmanaged.passUnretained(events).toOpaque()
    sqlite3_commit_hook(
      pointer,
      { context in
        guard let context else { return 0 }
        Unmanaged<SQLiteConnectionEvents>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.transactionCommits() }
        return 0
      }, context)
    return reportStatements(to: events, andRows: false)
  }

  /// Reports the beginning of statements to `events` and, if `andRows` is true, every row that they reach.
  private func reportStatements(to events: SQLiteConnectionEvents, andRows: Bool) -> Int32 {
    sqlite3_trace_v2(
      pointer, UInt32(SQLITE_TRACE_STMT | (andRows ? SQLITE_TRACE_ROW : 0)),
      { kind, context, _, text in
        guard let context else { return 0 }
        Unmanaged<SQLiteConnectionEvents>.fromOpaque(context)._withUnsafeGuaranteedRef {
          if kind == UInt32(SQLITE_TRACE_ROW) {
            $0.rowArrives()
          } else if let text {
            $0.statementBegins(UnsafePointer(text.assumingMemoryBound(to: CChar.self)))
          }
        }
        return 0
      }, Unmanaged.passUnretained(events).toOpaque())
  }

  /// The number of virtual machine instructions after which SQLite asks whether to continue.
  private static let stepsBetweenQuestions: Int32 = 1_000

  /// Starts or stops to report rows to `events`, which can also interrupt the statement.
  func reportProgress(to events: SQLiteConnectionEvents, _ isOn: Bool) -> Int32 {
    sqlite3_progress_handler(
      pointer, isOn ? Self.stepsBetweenQuestions : 0,
      { context in
        guard let context else { return 0 }
        return Unmanaged<SQLiteConnectionEvents>.fromOpaque(context)._withUnsafeGuaranteedRef { $0.isCancelled ? 1 : 0 }
      }, Unmanaged.passUnretained(events).toOpaque())
    return reportStatements(to: events, andRows: isOn)
  }
}

/// A prepared statement. The type is trivial: the code that prepared the statement finalises it.
struct StatementHandle {
  let pointer: OpaquePointer

  func step() -> Int32 { sqlite3_step(pointer) }
  /// Ends the run. SQLite's result code is ignored, since it repeats the result of `step`.
  func reset() { sqlite3_reset(pointer) }
  /// Returns the number of sorts that the statement has made since the last call.
  func takeSorts() -> Int { Int(sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_SORT, 1)) }
  func clearBindings() { sqlite3_clear_bindings(pointer) }
  /// Returns the number of rows that full scans have visited since the last call.
  func takeScannedRows() -> Int { Int(sqlite3_stmt_status(pointer, SQLITE_STMTSTATUS_FULLSCAN_STEP, 1)) }
  /// Finalises the statement. SQLite's result code is ignored, since it repeats the result of the last `step`.
  func finalise() { sqlite3_finalize(pointer) }
  /// The text of the statement, which exists as long as the statement.
  var text: UnsafePointer<CChar>? { sqlite3_sql(pointer) }

  func bind(_ value: Int64, at index: Int32) -> Int32 { sqlite3_bind_int64(pointer, index, value) }
  func bind(_ value: Double, at index: Int32) -> Int32 { sqlite3_bind_double(pointer, index, value) }
  func bindNull(at index: Int32) -> Int32 { sqlite3_bind_null(pointer, index) }

  /// Binds text without copying it. The text must remain in memory until the parameter is bound again or cleared.
  func bind(textInPlace text: UnsafeBufferPointer<CChar>, at index: Int32) -> Int32 {
    sqlite3_bind_text64(pointer, index, text.baseAddress, UInt64(text.count), nil, UInt8(SQLITE_UTF8))
  }

  /// Binds bytes without copying them. They must remain in memory like text. An empty value needs an address too, since
  /// without one it would be NULL.
  func bind(bytesInPlace bytes: UnsafeBufferPointer<CChar>, at index: Int32) -> Int32 {
    sqlite3_bind_blob64(pointer, index, bytes.baseAddress, UInt64(bytes.count), nil)
  }

  func bind(bytes: [UInt8], at index: Int32) -> Int32 {
    // SQLITE_TRANSIENT makes SQLite copy the bytes.
    sqlite3_bind_blob64(
      pointer, index, bytes, UInt64(bytes.count), unsafeBitCast(-1, to: sqlite3_destructor_type.self))
  }

  /// Binds a list for the table of bound lists. The list must exist until the parameter is bound again or cleared.
  func bind(list: SQLiteList, at index: Int32) -> Int32 {
    sqlite3_bind_pointer(pointer, index, Unmanaged.passUnretained(list).toOpaque(), SQLiteList.pointerType, nil)
  }

  /// Binds a test of strings for the text functions. The test must exist until the parameter is bound again or cleared.
  func bind(matcher: TextMatcher, at index: Int32) -> Int32 {
    sqlite3_bind_pointer(
      pointer, index, Unmanaged.passUnretained(matcher).toOpaque(), SQLiteTextFunctions.pointerType, nil)
  }

  func column(_ index: Int32) -> ColumnValue { ColumnValue(pointer: sqlite3_column_value(pointer, index)) }
}

/// A column of a statement's current row, valid until the statement's next step.
///
/// The value is requested once, and the calls on it are cheap: asking the statement for the type and the value of each
/// column takes twice the checks. SQLite calls such a value "unprotected", which matters only for connections with a
/// mutex; connections here do not have one.
struct ColumnValue {
  let pointer: OpaquePointer?

  enum StorageClass {
    static let integer = SQLITE_INTEGER
    static let float = SQLITE_FLOAT
    static let text = SQLITE3_TEXT
    static let blob = SQLITE_BLOB
    static let null = SQLITE_NULL
  }

  var storageClass: Int32 { sqlite3_value_type(pointer) }
  var integer: Int64 { sqlite3_value_int64(pointer) }
  var double: Double { sqlite3_value_double(pointer) }

  /// The bytes of text as UTF-8, embedded zeros included; valid until the next step.
  var text: UnsafeBufferPointer<UInt8> {
    let start = sqlite3_value_text(pointer)
    return UnsafeBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(pointer)))
  }

  /// The number of bytes of text or a blob; 0 for all other types.
  var longByteCount: Int {
    let storageClass = storageClass
    // SQLite would convert a number to text to count its bytes.
    return storageClass == StorageClass.text || storageClass == StorageClass.blob
      ? Int(sqlite3_value_bytes(pointer)) : 0
  }

  /// The bytes of a blob; valid until the next step.
  var bytes: UnsafeRawBufferPointer {
    let start = sqlite3_value_blob(pointer)
    return UnsafeRawBufferPointer(start: start, count: start == nil ? 0 : Int(sqlite3_value_bytes(pointer)))
  }
}
