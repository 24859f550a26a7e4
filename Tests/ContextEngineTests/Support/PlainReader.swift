import CSQLite
import ContextEngine
import Testing

/// Reads a stack's file with plain SQLite, without the engine.
struct PlainReader {
  private let path: String

  init(_ stack: Stack) throws {
    path = stack.folder.storePath
  }

  init(path: String) {
    self.path = path
  }

  /// Returns the rows of a statement, each column as text, and a null value as "NULL".
  @discardableResult
  func rows(_ sql: String) throws -> [[String]] {
    var opened: OpaquePointer?
    let code = sqlite3_open_v2(path, &opened, SQLITE_OPEN_READWRITE, nil)
    let pointer = try #require(opened)
    defer { sqlite3_close(pointer) }
    try #require(code == SQLITE_OK)
    var statement: OpaquePointer?
    try #require(sqlite3_prepare_v2(pointer, sql, -1, &statement, nil) == SQLITE_OK, "\(sql)")
    defer { sqlite3_finalize(statement) }
    var rows: [[String]] = []
    while sqlite3_step(statement) == SQLITE_ROW {
      rows.append(
        (0..<sqlite3_column_count(statement)).map { column in
          sqlite3_column_text(statement, column).map { String(cString: $0) } ?? "NULL"
        })
    }
    return rows
  }
}

extension PersistentStoreCoordinator {
  /// Returns the versions of these objects' rows in the row cache, or 0 for a row that is not cached.
  func cachedVersions(of objectIDs: [ObjectID]) -> [Int64] {
    rowCache.rows(for: objectIDs).map { $0?.version ?? 0 }
  }
}
