import CSQLite
import Foundation

/// The rows of a model in an SQLite database of their own, which is removed with this object.
///
/// The first error is kept, and thrown when the rows are read in order. Calls after it have no effect.
// `@unchecked Sendable`: one model has the file, and one thread at a time uses that model.
final class RowFile: @unchecked Sendable {
  private let path: String
  private var handle: OpaquePointer?
  private var failure: String?
  private var statements: [Statement: OpaquePointer] = [:]
  /// Bits at places that follow from the hashes of the keys that the file has had, so that most new keys are not looked
  /// for.
  private var filter: [UInt64] = []

  private enum Statement: String {
    case begin = "BEGIN"
    case commit = "COMMIT"
    case find = "SELECT content FROM rows WHERE root = ?1 AND key = ?2"
    case put = "INSERT OR REPLACE INTO rows VALUES (?1, ?2, ?3)"
    case remove = "DELETE FROM rows WHERE root = ?1 AND key = ?2"
    case all = "SELECT content, key FROM rows WHERE root = ?1 ORDER BY key"
  }

  /// Creates an object whose file is made when rows are first written.
  init(_ file: URL) {
    path = file.path(percentEncoded: false)
  }

  deinit {
    close()
  }

  /// True if no rows were written.
  var isEmpty: Bool { filter.isEmpty }

  // MARK: Rows

  func row(_ name: AnswerModel.RowName) -> AnswerModel.StoredRow? {
    guard mayHave(name), let statement = bound(.find, name) else { return nil }
    defer { sqlite3_reset(statement) }
    return step(statement) ? AnswerModel.StoredRow(statement, column: 0) : nil
  }

  func remove(_ name: AnswerModel.RowName) {
    guard mayHave(name), let statement = bound(.remove, name) else { return }
    _ = step(statement)
    sqlite3_reset(statement)
  }

  /// Writes the rows of each root, in place of those with the same names.
  func write(_ rows: [[RecordKey: AnswerModel.StoredRow]]) {
    if isEmpty { open() }
    run(.begin)
    for root in rows.indices {
      for key in rows[root].keys.sorted() {
        guard let content = rows[root][key]?.binary else { continue }
        for place in Self.places(key) { filter[place >> 6] |= 1 << UInt64(place & 63) }
        guard let statement = bound(.put, AnswerModel.RowName(root: root, key: key)) else { return }
        _ = content.withUnsafeBytes {
          sqlite3_bind_blob64(statement, 3, $0.baseAddress, UInt64($0.count), RowFile.copied)
        }
        _ = step(statement)
        sqlite3_reset(statement)
      }
    }
    run(.commit)
  }

  /// Calls a closure with the rows of a root, in ascending order of their keys.
  ///
  /// - Throws: The error of `body`, or `WorkloadError` if a statement has failed since the file was made.
  func forEach(
    _ root: Int, _ body: (RecordKey, AnswerModel.StoredRow) throws(WorkloadError) -> Void
  ) throws(WorkloadError) {
    if let statement = statement(.all) {
      defer { sqlite3_reset(statement) }
      sqlite3_bind_int64(statement, 1, Int64(root))
      while step(statement) {
        guard let key = RecordKey(statement, column: 1),
          let row = AnswerModel.StoredRow(statement, column: 0)
        else {
          failure = "it is damaged"
          break
        }
        try body(key, row)
      }
    }
    if let failure {
      throw WorkloadError(.unwritableFolder, "the rows of the workload cannot be kept: \(failure)", path: path)
    }
  }

  // MARK: Keys

  /// The bits that belong to a key.
  private static func places(_ key: RecordKey) -> [Int] {
    let hash = UInt(bitPattern: key.hashValue)
    return [Int(hash & (1 << 26 - 1)), Int(hash >> 32 & (1 << 26 - 1))]
  }

  private func mayHave(_ name: AnswerModel.RowName) -> Bool {
    !isEmpty && Self.places(name.key).allSatisfy { filter[$0 >> 6] & 1 << UInt64($0 & 63) != 0 }
  }

  // MARK: Statements

  private static let copied = unsafeBitCast(-1, to: sqlite3_destructor_type.self)

  private func open() {
    filter = Array(repeating: 0, count: 1 << 20)
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX
    guard sqlite3_open_v2(path, &handle, flags, nil) == SQLITE_OK else { return fail() }
    sqlite3_create_collation_v2(handle, "record_key", SQLITE_UTF8, nil, { RecordKey.compare($1, $2, $3, $4) }, nil)
    let sql = """
      PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA locking_mode = EXCLUSIVE; PRAGMA cache_size = -8192;
      CREATE TABLE rows (root INTEGER, key COLLATE record_key, content BLOB, PRIMARY KEY (root, key)) WITHOUT ROWID;
      """
    if sqlite3_exec(handle, sql, nil, nil, nil) != SQLITE_OK { fail() }
  }

  private func close() {
    for statement in statements.values { sqlite3_finalize(statement) }
    statements = [:]
    sqlite3_close(handle)
    handle = nil
    if !isEmpty { unlink(path) }
  }

  private func fail() {
    if failure == nil { failure = String(cString: sqlite3_errmsg(handle)) }
  }

  private func statement(_ statement: Statement) -> OpaquePointer? {
    guard failure == nil else { return nil }
    if let known = statements[statement] { return known }
    var prepared: OpaquePointer?
    if sqlite3_prepare_v2(handle, statement.rawValue, -1, &prepared, nil) != SQLITE_OK { fail() }
    statements[statement] = prepared
    return prepared
  }

  private func bound(_ statement: Statement, _ name: AnswerModel.RowName) -> OpaquePointer? {
    guard let prepared = self.statement(statement) else { return nil }
    sqlite3_bind_int64(prepared, 1, Int64(name.root))
    if case .integer(let number) = name.key {
      sqlite3_bind_int64(prepared, 2, number)
    } else {
      _ = name.key.text.withUnsafeBytes { bytes in
        sqlite3_bind_text64(
          prepared, 2, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), UInt64(bytes.count), RowFile.copied,
          UInt8(SQLITE_UTF8))
      }
    }
    return prepared
  }

  /// Returns true if the statement has another row.
  private func step(_ statement: OpaquePointer) -> Bool {
    let code = sqlite3_step(statement)
    if code != SQLITE_ROW, code != SQLITE_DONE { fail() }
    return code == SQLITE_ROW
  }

  private func run(_ statement: Statement) {
    guard let prepared = self.statement(statement) else { return }
    _ = step(prepared)
    sqlite3_reset(prepared)
  }
}

// MARK: - Columns

extension RecordKey {
  /// The bytes that stand for a key that is not an integer: those of a string after an `s`, or a binary form after a
  /// `v`.
  fileprivate var text: [UInt8] {
    if case .string(let text) = self { return [UInt8(ascii: "s")] + text.utf8 }
    return [UInt8(ascii: "v")] + binary
  }

  fileprivate init?(_ statement: OpaquePointer, column: Int32) {
    guard sqlite3_column_type(statement, column) != SQLITE_INTEGER else {
      self = .integer(sqlite3_column_int64(statement, column))
      return
    }
    self.init(
      text: UnsafeRawBufferPointer(
        start: sqlite3_column_text(statement, column),
        count: Int(sqlite3_column_bytes(statement, column))))
  }

  private init?(text: UnsafeRawBufferPointer) {
    let content = text.dropFirst()
    if text.first == UInt8(ascii: "s") {
      self = .string(String(decoding: content, as: UTF8.self))
    } else {
      self.init(binary: Data(content))
    }
  }

  /// Compares the bytes of two keys in the order of keys. Keys that are not equal never compare as equal.
  fileprivate static func compare(
    _ leftCount: Int32, _ left: UnsafeRawPointer?, _ rightCount: Int32, _ right: UnsafeRawPointer?
  ) -> Int32 {
    let left = UnsafeRawBufferPointer(start: left, count: Int(leftCount))
    let right = UnsafeRawBufferPointer(start: right, count: Int(rightCount))
    if left.first == UInt8(ascii: "v"), right.first == UInt8(ascii: "v"),
      let one = RecordKey(text: left), let other = RecordKey(text: right)
    {
      if one < other { return -1 }
      if other < one { return 1 }
    }
    // Strings, which come before other keys, are in the order of their bytes.
    let order = memcmp(left.baseAddress!, right.baseAddress!, min(left.count, right.count))
    return order != 0 ? order : leftCount - rightCount
  }
}

extension AnswerModel.StoredRow {
  fileprivate var binary: [UInt8] {
    var writer = BinaryWriter()
    writer.append(.integer(Int64(entity)))
    writer.append(values.count)
    for value in values { writer.append(value) }
    writer.append(targets.count)
    for keys in targets + wanted { writer.append(keys) }
    writer.append(edited)
    return writer.bytes
  }

  fileprivate init?(_ statement: OpaquePointer, column: Int32) {
    let bytes = UnsafeRawBufferPointer(
      start: sqlite3_column_blob(statement, column), count: Int(sqlite3_column_bytes(statement, column)))
    var reader = BinaryReader(bytes, path: "")
    do throws(WorkloadError) {
      guard case .integer(let entity) = try reader.value() else { return nil }
      self.entity = Int(entity)
      values = []
      for _ in 0..<(try reader.count()) { values.append(try reader.value()) }
      let count = try reader.count()
      (targets, wanted) = ([], [])
      for _ in 0..<count { targets.append(try reader.keys()) }
      for _ in 0..<count { wanted.append(try reader.keys()) }
      edited = try reader.value()
    } catch {
      return nil
    }
  }
}
