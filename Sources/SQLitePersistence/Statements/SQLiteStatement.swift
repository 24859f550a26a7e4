import ContextEngine
import Foundation
import MachineCore

/// A prepared statement of one connection, owned by the owner of the connection.
///
/// A run consists of binding values, stepping until there are no more rows, and `finish`. The code that takes a
/// statement must finish it, even after an error, so that no statement is busy between two requests.
package final class SQLiteStatement {
  /// The text that is shown.
  let sql: String
  private let isOtherTextShown: Bool
  private let handle: StatementHandle
  private let database: DatabaseHandle
  let path: String
  private let events: SQLiteConnectionEvents
  private var texts = TextArena()
  /// The lists and matchers that were bound without copying, kept until the bindings are cleared.
  private var lists: [SQLiteList] = []
  private var matchers: [TextMatcher] = []
  private var boundCount = 0
  private var listedCount = 0
  /// The number of bytes of the values bound since they were last taken.
  private var boundBytes = 0
  /// The number of conditions of the statement that compare texts without a function.
  var textRangeCount = 0

  init(
    _ handle: StatementHandle, sql: String, isOtherTextShown: Bool, database: DatabaseHandle, path: String,
    events: SQLiteConnectionEvents
  ) {
    self.handle = handle
    self.sql = sql
    self.isOtherTextShown = isOtherTextShown
    self.database = database
    self.path = path
    self.events = events
  }

  /// Runs a statement that returns no rows and makes it ready for new values; all its parameters must be bound.
  func run() throws(PersistenceError) {
    let code = handle.step()
    handle.reset()
    texts.removeAll()
    guard code == ResultCode.done else { throw failure(code) }
  }

  /// Advances to the next row. Returns false if there are no more rows.
  func step() throws(PersistenceError) -> Bool {
    let code = handle.step()
    if code == ResultCode.row { return true }
    guard code == ResultCode.done else { throw failure(code) }
    return false
  }

  /// Returns a column of the current row.
  func column(_ index: Int32) -> ColumnValue { handle.column(index) }

  /// Returns the number of rows that the runs have visited without an index since the last call, and counts the texts
  /// that were compared in them.
  func takeScannedRows() -> Int {
    let scanned = handle.takeScannedRows()
    events.textsTested += scanned * textRangeCount
    return scanned
  }

  /// Returns the number of sorts in the runs since the last call.
  func takeSorts() -> Int { handle.takeSorts() }

  /// Ends the run and clears the bound values. Has no effect if the statement is not running.
  func finish() {
    handle.reset()
    handle.clearBindings()
    texts.removeAll()
    if !lists.isEmpty { lists.removeAll() }
    if !matchers.isEmpty { matchers.removeAll() }
    events.valuesBound += boundCount
    boundCount = 0
    events.keysListed += listedCount
    listedCount = 0
    boundBytes = 0
    textRangeCount = 0
  }

  /// Returns the number of bytes of the values bound since the last call.
  func takeBoundBytes() -> Int {
    defer { boundBytes = 0 }
    return boundBytes
  }

  /// Finalises the statement, which must not be used afterwards.
  func finalise() {
    if isOtherTextShown { events.show(nil, insteadOf: handle.text) }
    handle.finalise()
  }

  /// Returns the error for a code that this statement returned. Must be called before another call into the database.
  private func failure(_ code: Int32) -> PersistenceError {
    PersistenceError(
      sqliteCode: code, reason: database.errorMessage, doing: "a statement of the store", sql: sql, path: path)
  }
}

// MARK: - Binding

extension SQLiteStatement {
  func bind(_ value: Int64, at index: Int32) throws(PersistenceError) {
    try check(handle.bind(value, at: index), bytes: 8)
  }

  /// Binds a number to a parameter that may already have it from the previous run, since a statement keeps its values
  /// from run to run and the rows of one save often have the same version. The number counts as bound in both cases.
  func bind(_ value: Int64, at index: Int32, insteadOf old: Int64?) throws(PersistenceError) {
    try check(value == old ? ResultCode.ok : handle.bind(value, at: index), bytes: 8)
  }

  func bind(_ value: Double, at index: Int32) throws(PersistenceError) {
    try check(handle.bind(value, at: index), bytes: 8)
  }

  func bindNull(at index: Int32) throws(PersistenceError) {
    try check(handle.bindNull(at: index), bytes: 0)
  }

  /// Binds text. Its bytes are copied into memory of the statement, which SQLite then reads in place.
  ///
  /// A short string is stored in the value itself and has no lasting address, so one copy cannot be avoided. A copy by
  /// SQLite would also cost an allocation.
  func bind(_ value: String, at index: Int32) throws(PersistenceError) {
    let text = texts.copy(value)
    try check(handle.bind(textInPlace: text, at: index), bytes: text.count)
  }

  func bind(_ bytes: [UInt8], at index: Int32) throws(PersistenceError) {
    try check(handle.bind(bytes: bytes, at: index), bytes: bytes.count)
  }

  /// Binds a list for `Z_LIST(?)` and keeps it until `finish`.
  func bind(_ list: SQLiteList, at index: Int32) throws(PersistenceError) {
    lists.append(list)
    try check(handle.bind(list: list, at: index), bytes: 8 * list.count)
    listedCount += list.count
  }

  /// Binds a test of strings for `Z_MATCHES` and keeps it until `finish`.
  func bind(_ matcher: TextMatcher, at index: Int32) throws(PersistenceError) {
    matchers.append(matcher)
    try check(handle.bind(matcher: matcher, at: index), bytes: 8)
  }

  /// Binds a property's value as a column stores it. NaN is bound as NULL, since SQLite does not have NaN.
  func bind(_ value: Value, at index: Int32) throws(PersistenceError) {
    switch value {
    case .null: try bindNull(at: index)
    case .integer(let value): try bind(value, at: index)
    case .double(let value), .date(let value): try bind(value, at: index)
    case .boolean(let value): try bind(value ? 1 : 0 as Int64, at: index)
    case .decimal(let value): try bind(DecimalForm(value), at: index)
    case .string(let value): try bind(value, at: index)
    case .uri(let value): try bind(value.absoluteString, at: index)
    case .binary(let data): try bind(blobInPlace: data.withUnsafeBytes { texts.copy($0) }, at: index)
    case .uuid(let value): try bind(blobInPlace: withUnsafeBytes(of: value.uuid) { texts.copy($0) }, at: index)
    case .object(let objectID): try bind(objectID.key, at: index)
    case .transformable(let value): trapMisuse("\(value) was bound before its transformer converted it to bytes")
    }
  }

  /// Binds all slots of a row. SQLite reads values longer than a number, except decimal numbers, directly from the row,
  /// which must exist until the run ends.
  func bind(_ row: Row, from first: Int32) throws(PersistenceError) {
    var hasDecimals = false
    var code = ResultCode.ok
    row.forEachColumnValue { slot, value in
      if case .decimal = value {
        hasDecimals = true
      } else {
        code = bind(value, at: first + Int32(slot))
      }
      return code == ResultCode.ok
    }
    guard code == ResultCode.ok else { throw failure(code) }
    guard hasDecimals else { return }
    for slot in 0..<row.slotCount {
      if case .decimal(let decimal) = row.value(at: slot) { try bind(DecimalForm(decimal), at: first + Int32(slot)) }
    }
  }

  /// Binds one slot of a row in the same way.
  func bind(_ row: Row, slot: Int, at index: Int32) throws(PersistenceError) {
    var decimal: Decimal?
    let code = row.withColumnValue(at: slot) { value in
      if case .decimal(let number) = value {
        decimal = number
        return ResultCode.ok
      }
      return bind(value, at: index)
    }
    guard code == ResultCode.ok else { throw failure(code) }
    if let decimal { try bind(DecimalForm(decimal), at: index) }
  }

  /// Binds and counts a value other than a decimal number, and returns SQLite's result code.
  @inline(__always)
  private func bind(_ value: Row.ColumnForm, at index: Int32) -> Int32 {
    boundCount += 1
    switch value {
    case .null: return handle.bindNull(at: index)
    case .integer(let value):
      boundBytes += 8
      return handle.bind(value, at: index)
    case .double(let value):
      boundBytes += 8
      return handle.bind(value, at: index)
    case .text(let text):
      boundBytes += text.count
      return handle.bind(textInPlace: text.assumingMemoryBound(to: CChar.self), at: index)
    case .blob(let blob):
      boundBytes += blob.count
      return handle.bind(bytesInPlace: blob.assumingMemoryBound(to: CChar.self), at: index)
    case .decimal: return ResultCode.ok
    }
  }

  private func bind(_ form: DecimalForm, at index: Int32) throws(PersistenceError) {
    switch form {
    case .null: try bindNull(at: index)
    case .integer(let value): try bind(value, at: index)
    case .double(let value): try bind(value, at: index)
    case .text(let value): try bind(value, at: index)
    }
  }

  private func bind(blobInPlace bytes: UnsafeBufferPointer<CChar>, at index: Int32) throws(PersistenceError) {
    try check(handle.bind(bytesInPlace: bytes, at: index), bytes: bytes.count)
  }

  @inline(__always)
  private func check(_ code: Int32, bytes: Int) throws(PersistenceError) {
    guard code == ResultCode.ok else { throw failure(code) }
    boundCount += 1
    boundBytes += bytes
  }
}

/// Memory for the texts and blobs bound to one run of a statement. It grows without moving its contents.
private struct TextArena: ~Copyable {
  private var chunks: [UnsafeMutableBufferPointer<CChar>] = []
  private var used = 0

  /// The size of the first chunk, into which the texts of most rows fit.
  private static let firstCapacity = 1_024

  deinit {
    for chunk in chunks { chunk.deallocate() }
  }

  /// Returns a copy of the UTF-8 of `text` at an address that is valid until `removeAll`. The address is never nil,
  /// even if the text is empty.
  mutating func copy(_ text: String) -> UnsafeBufferPointer<CChar> {
    if let copied = text.utf8.withContiguousStorageIfAvailable({ copy(UnsafeRawBufferPointer($0)) }) { return copied }
    return Array(text.utf8).withUnsafeBytes { copy($0) }
  }

  mutating func copy(_ bytes: UnsafeRawBufferPointer) -> UnsafeBufferPointer<CChar> {
    if chunks.isEmpty || chunks[chunks.count - 1].count - used < bytes.count {
      let capacity = max(Self.firstCapacity, 2 * (chunks.last?.count ?? 0), bytes.count)
      chunks.append(.allocate(capacity: capacity))
      used = 0
    }
    let start = chunks[chunks.count - 1].baseAddress.map { $0 + used }
    if let start, let source = bytes.baseAddress {
      UnsafeMutableRawPointer(start).copyMemory(from: source, byteCount: bytes.count)
    }
    used += bytes.count
    return UnsafeBufferPointer(start: start, count: bytes.count)
  }

  /// Makes the memory available for other texts, and keeps the largest chunk.
  mutating func removeAll() {
    used = 0
    while chunks.count > 1 {
      chunks.removeFirst().deallocate()
    }
  }
}
