import CSQLite
import Foundation
import TestSupport
import Testing
import Workloads

/// A store file written by plain SQL, as the engine's store would lay it out.
final class StoreFixture {
  let file: URL
  private let folder: TemporaryFolder

  /// Creates an empty file. Its folder is removed with the fixture.
  init() throws {
    folder = try TemporaryFolder()
    // A URL would split the name.
    let named = folder.url.appending(path: "a store?#%20")
    try FileManager.default.createDirectory(at: named, withIntermediateDirectories: false)
    file = named.appending(path: "store.sqlite")
  }

  /// Creates a store that holds the rows of an answer. They are written in descending order of their keys, so that no
  /// check can depend on row numbers.
  convenience init(_ answer: Answer, schema: WorkloadSchema) throws {
    try self.init()
    try execute(StoreFixture.sql(answer, schema))
  }

  func execute(_ sql: String) throws {
    var handle: OpaquePointer?
    defer { sqlite3_close(handle) }
    try #require(sqlite3_open(file.path(percentEncoded: false), &handle) == SQLITE_OK)
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    try #require(code == SQLITE_OK, "\(String(cString: sqlite3_errmsg(handle)))")
  }

  private static func sql(_ answer: Answer, _ schema: WorkloadSchema) -> String {
    var sql = """
      PRAGMA journal_mode = WAL; BEGIN;
      CREATE TABLE Z_PRIMARYKEY (Z_ENT INTEGER PRIMARY KEY, Z_NAME VARCHAR, Z_SUPER INTEGER, Z_MAX INTEGER);

      """
    let numbers = answer.tables.map { table in
      Dictionary(uniqueKeysWithValues: table.rows.reversed().enumerated().map { ($1.key, $0 + 1) })
    }
    for (index, entity) in schema.entities.enumerated() {
      let columns =
        entity.attributes.map { "Z\($0.name.uppercased()) \($0.type.columnType)" }
        + entity.links.map { "Z\($0.name.uppercased()) INTEGER" } + ["ZNOTE VARCHAR"]
      sql += """
        CREATE TABLE Z\(entity.name.uppercased()) (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, \
        \(columns.joined(separator: ", ")));
        INSERT INTO Z_PRIMARYKEY VALUES (\(index + 1), '\(entity.name)', 0, \(answer.tables[index].rows.count));

        """
      for row in answer.tables[index].rows {
        let links = zip(row.links, entity.links).map { link, description in
          link.map { "\(numbers[schema.index(ofEntity: description.targetEntity)!][$0]!)" } ?? "NULL"
        }
        let values =
          ["\(numbers[index][row.key]!)", "\(index + 1)", "1"] + row.values.map(\.literal) + links + ["NULL"]
        sql += "INSERT INTO Z\(entity.name.uppercased()) VALUES (\(values.joined(separator: ", ")));\n"
      }
    }
    return sql + "COMMIT;"
  }
}

extension ValueType {
  fileprivate var columnType: String {
    switch self {
    case .integer16, .integer32, .integer64, .boolean: "INTEGER"
    case .double, .float: "FLOAT"
    case .decimal: "DECIMAL"
    case .date: "TIMESTAMP"
    case .string, .uri: "VARCHAR"
    case .binary, .uuid, .transformable: "BLOB"
    }
  }
}

extension FieldValue {
  fileprivate var literal: String {
    switch self {
    case .null: "NULL"
    case .integer(let value): "\(value)"
    case .double(let value), .date(let value): "\(value)"
    case .boolean(let value): value ? "1" : "0"
    case .string(let value), .uri(let value): "'\(value.replacing("'", with: "''"))'"
    case .decimal(let value): "\(value)"
    case .binary(let value): "x'\(value.map { String(format: "%02x", $0) }.joined())'"
    case .uuid(let value): "x'\(value.bytes.map { String(format: "%02x", $0) }.joined())'"
    }
  }
}

/// Rows of the catalog, few enough to spell out.
enum Catalog {
  static func supplier(_ key: String, _ name: String = "n") -> Answer.Row {
    Answer.Row(key: .string(key), values: [.string(key), .string(name), .string("c"), .date(0.5)], links: [])
  }

  static func product(_ key: String, of supplier: String?, name: String = "n", weight: Double = 2) -> Answer.Row {
    Answer.Row(
      key: .string(key),
      values: [.string(key), .string(name), .string("d"), .double(weight), .date(1), .date(2)],
      links: [supplier.map(RecordKey.string)])
  }

  static func price(_ key: String, of product: String?, amount: Double = 1) -> Answer.Row {
    Answer.Row(
      key: .string(key), values: [.string(key), .string("n"), .double(amount), .string("EUR"), .date(3)],
      links: [product.map(RecordKey.string)])
  }

  /// Two suppliers, three products, three prices.
  static let answer = Answer(tables: [
    Answer.Table(rows: [supplier("s1"), supplier("s2")]),
    Answer.Table(rows: [product("p1", of: "s1"), product("p2", of: "s1"), product("p3", of: "s2")]),
    Answer.Table(rows: [price("r1", of: "p1"), price("r2", of: "p1"), price("r3", of: "p3")]),
  ])
}
