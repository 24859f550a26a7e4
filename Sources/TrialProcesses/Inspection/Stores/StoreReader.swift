import CSQLite
import Foundation
import OutputFiles
import Workloads

/// Reads parts of a store from the open copy of its file.
struct StoreReader {
  let file: SQLiteFile
  /// The path of the original, which errors name.
  let origin: String

  func integer(_ sql: String) throws(VerificationError) -> Int {
    try file.rows(sql) { Int($0.integer(0)) }.last ?? 0
  }

  func string(_ sql: String) throws(VerificationError) -> String {
    try file.rows(sql) { $0.string(0) }.last ?? ""
  }

  /// Returns the names of all tables except SQLite's own, sorted.
  func tableNames() throws(VerificationError) -> [String] {
    let names = try file.rows("SELECT name FROM sqlite_schema WHERE type = 'table'") { $0.string(0) }
    return names.filter { !$0.hasPrefix("sqlite_") }.sorted()
  }

  /// Checks the whole file and returns `ok`, or the reason why SQLite cannot check it: an index over a collation that
  /// another program defines.
  ///
  /// - Throws: `VerificationError` with the first problem.
  func integrityCheck() throws(VerificationError) -> String {
    let problems: [String]
    do {
      problems = try file.rows("PRAGMA integrity_check(1)") { $0.string(0) }
    } catch  where error.message.hasPrefix("no such collation sequence") {
      return "not possible: \(error.message)"
    }
    guard problems == ["ok"] else {
      throw VerificationError(
        message: problems.first ?? "the check of the file gives no result", path: origin, code: SQLITE_CORRUPT)
    }
    return "ok"
  }

  /// Checks that the last page is complete. SQLite reads what is missing of it as zeros.
  ///
  /// - Throws: `VerificationError` if the file ends in the middle of a page.
  func checkEnd(of path: String, pageSize: Int) throws(VerificationError) {
    var status = stat()
    guard stat(path, &status) == 0, pageSize > 0, Int(status.st_size) % pageSize != 0 else { return }
    throw VerificationError(
      message: "its \(status.st_size) bytes are not a multiple of the page size \(pageSize)", path: origin,
      code: SQLITE_CORRUPT)
  }

  func metadata() throws(VerificationError) -> InspectedMetadata {
    let lists = try file.rows("SELECT Z_UUID, Z_PLIST FROM Z_METADATA WHERE Z_VERSION = 1") {
      InspectedMetadata(identifier: $0.string(0), propertyList: $0.data(1))
    }
    guard let metadata = lists.last ?? nil else {
      throw VerificationError(
        message: lists.isEmpty
          ? "Z_METADATA has no row with Z_VERSION 1"
          : "the property list in Z_METADATA cannot be read, or has no NSStoreModelVersionHashes", path: origin,
        code: SQLITE_CORRUPT)
    }
    return metadata
  }

  func entities() throws(VerificationError) -> [StoreContents.Entity] {
    try file.rows("SELECT Z_ENT, Z_NAME, Z_SUPER, Z_MAX FROM Z_PRIMARYKEY ORDER BY Z_ENT") { row in
      StoreContents.Entity(
        number: row.integer(0), name: row.string(1), superentity: row.integer(2), largestKey: row.integer(3))
    }
  }

  /// Returns the tables of entities and of many-to-many relationships among all tables.
  ///
  /// Core Data names the former `ZNAME` after the entity, and the latter `Z_` with a number and a name. Its tables for
  /// itself begin with an A, or are called `Z_PRIMARYKEY`, `Z_METADATA` and `Z_MODELCACHE`.
  func tables(
    _ names: [String], of entities: [StoreContents.Entity]
  ) throws(VerificationError) -> [StoreContents.Table] {
    let expected = Set(entities.map { "Z" + $0.name.uppercased() })
    let own = names.filter { expected.contains($0) || $0.contains(/^Z([^_]|_[0-9])/) }
    return try own.map { (name) throws(VerificationError) in try table(name) }
  }

  private func table(_ name: String) throws(VerificationError) -> StoreContents.Table {
    let columns = try file.rows("PRAGMA table_info(\(Self.quoted(name)))") {
      StoreContents.Column(name: $0.string(1), type: $0.string(2))
    }
    let indexes = try file.rows("PRAGMA index_list(\(Self.quoted(name)))") { row in
      // The index of a primary key is left out.
      row.integer(2) == 1 && row.string(3) != "pk" ? row.string(1) : nil
    }
    let uniqueIndexes = try indexes.compactMap(\.self).sorted().map { (index) throws(VerificationError) in
      try file.rows("PRAGMA index_info(\(Self.quoted(index)))") { $0.string(2) }.sorted()
    }
    return StoreContents.Table(
      name: name, columns: columns, uniqueIndexes: uniqueIndexes,
      // SQLite would count the entries of an index, whose collation it may not know.
      rowCount: try integer("SELECT count(*) FROM \(Self.quoted(name)) NOT INDEXED"))
  }

  private static func quoted(_ name: String) -> String {
    "\"\(name.replacing("\"", with: "\"\""))\""
  }
}

// MARK: - Errors

extension StoreReader {
  /// Returns the error for a database that Core Data did not make. Its tables show what it may be.
  static func notAStore(_ origin: String, _ names: [String]) -> VerificationError {
    let found = names.isEmpty ? "it has no tables" : "it has the tables \(shown(names))"
    return VerificationError(
      message: "is an SQLite database, but not a store of Core Data: \(found), and not Z_METADATA and Z_PRIMARYKEY",
      path: origin, code: 0)
  }

  private static func shown(_ names: [String]) -> String {
    let limit = 5
    let first = names.prefix(limit).joined(separator: ", ")
    return names.count > limit ? "\(first) and \(names.count - limit) others" : first
  }

  /// Returns the error of a store for an error that SQLite reports on its copy.
  static func inspectionError(_ error: VerificationError, _ origin: String) -> FileError {
    switch error.code & 0xff {
    case 0: FileError(.otherKind, path: origin, message: error.message)
    case SQLITE_NOTADB:
      FileError(
        .malformed, path: origin, message: "is not a database that SQLite can read: it is encrypted or damaged")
    case SQLITE_FULL:
      FileError(.fullDisk, path: origin, message: "cannot be read: there is no room for the recovery of its copy")
    default:
      FileError(
        .malformed, path: origin,
        message: "is damaged: \(error.message.split(whereSeparator: \.isNewline).joined(separator: " "))"
      )
    }
  }
}
