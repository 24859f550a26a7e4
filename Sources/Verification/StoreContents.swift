import CSQLite
import Foundation
import Workloads

/// The content of a store file, as far as a schema describes it.
package struct StoreContents {
  struct Row {
    var number: Int64
    var entityNumber: Int64
    var key: RecordKey?
    var values: [FieldValue]
    /// The row numbers in the columns of the to-one relationships, or nil for NULL.
    var links: [Int64?]
    var note: FieldValue
  }

  /// A row of `Z_PRIMARYKEY`.
  struct Counter {
    var entityNumber: Int64
    var largest: Int64
  }

  /// The rows of each of the schema's entities, sorted by key, rows without a key first.
  private(set) var tables: [[Row]] = []
  /// The rows of `Z_PRIMARYKEY` by entity name.
  private(set) var counters: [String: Counter] = [:]
  /// The problems that SQLite's integrity check reports, or an empty array if the file is intact.
  private(set) var integrityProblems: [String] = []

  /// Reads the whole file.
  ///
  /// - Throws: `VerificationError` if a table or column is missing or the file is damaged.
  package init(of file: SQLiteFile, schema: WorkloadSchema) throws(VerificationError) {
    var messages: [String] = []
    try file.forEachRow("PRAGMA integrity_check(10)") { row in
      if row.string(0) != "ok" { messages.append(row.string(0)) }
    }
    integrityProblems = messages
    var counters: [String: Counter] = [:]
    try file.forEachRow("SELECT Z_NAME, Z_ENT, Z_MAX FROM Z_PRIMARYKEY") { row in
      counters[row.string(0)] = Counter(entityNumber: row.integer(1), largest: row.integer(2))
    }
    self.counters = counters
    for entity in schema.entities {
      tables.append(try StoreContents.rows(of: entity, in: file))
    }
  }

  private static func rows(
    of entity: WorkloadSchema.Entity, in file: SQLiteFile
  ) throws(VerificationError) -> [Row] {
    let names =
      entity.attributes.map(\.name) + entity.links.map(\.name) + [WorkloadSchema.Entity.editedAttribute.name]
    let columns = ["Z_PK", "Z_ENT"] + names.map { "\"Z\($0.uppercased())\"" }
    let sql = "SELECT \(columns.joined(separator: ", ")) FROM \"Z\(entity.name.uppercased())\""
    let firstLink = 2 + entity.attributes.count
    let note = firstLink + entity.links.count
    var rows: [Row] = []
    try file.forEachRow(sql) { row in
      var values: [FieldValue] = []
      values.reserveCapacity(entity.attributes.count)
      for (index, attribute) in entity.attributes.enumerated() {
        values.append(row.value(2 + index, as: attribute.type))
      }
      var links: [Int64?] = []
      for index in entity.links.indices {
        links.append(row.kind(firstLink + index) == SQLITE_NULL ? nil : row.integer(firstLink + index))
      }
      rows.append(
        Row(
          number: row.integer(0), entityNumber: row.integer(1), key: RecordKey(values[entity.keyIndex]),
          values: values, links: links, note: row.value(note, as: .string)))
    }
    let isSorted = zip(rows, rows.dropFirst()).allSatisfy { !precedes($1, $0) }
    if !isSorted { rows.sort(by: precedes) }
    return rows
  }

  private static func precedes(_ left: Row, _ right: Row) -> Bool {
    guard let left = left.key else { return right.key != nil }
    guard let right = right.key else { return false }
    return left < right
  }
}

extension SQLiteRow {
  /// Returns a value as the type of its attribute. A value that is stored as another type is returned as that type.
  fileprivate func value(_ column: Int, as type: WorkloadSchema.AttributeType) -> FieldValue {
    switch (kind(column), type) {
    case (SQLITE_NULL, _): return .null
    // A numeric column stores a whole number of seconds as an integer.
    case (SQLITE_INTEGER, .double), (SQLITE_FLOAT, .double): return .double(double(column))
    case (SQLITE_INTEGER, .date), (SQLITE_FLOAT, .date): return .date(double(column))
    case (SQLITE_INTEGER, .boolean):
      let number = integer(column)
      return number == 0 || number == 1 ? .boolean(number == 1) : .integer(number)
    case (SQLITE_INTEGER, _): return .integer(integer(column))
    case (SQLITE_FLOAT, _): return .double(double(column))
    case (SQLITE_TEXT, _): return .string(string(column))
    default: return .string(blobLiteral(column))
    }
  }
}

// MARK: - The canonical form

extension StoreContents {
  /// Returns the tables as the digest covers them, with foreign keys resolved and the to-many relationships collected
  /// from the to-one relationships.
  package func canonicalTables(schema: WorkloadSchema) -> [CanonicalTable] {
    let places = tables.map { rows in
      var places: [Int64: Int] = [:]
      places.reserveCapacity(rows.count)
      for (place, row) in rows.enumerated() { places[row.number] = place }
      return places
    }
    var canonical: [CanonicalTable] = []
    for (entity, rows) in tables.enumerated() {
      let targets = schema.entities[entity].links.map { schema.index(ofEntity: $0.targetEntity) ?? entity }
      let inverseCount = schema.inverses(of: entity).count
      canonical.append(
        CanonicalTable(
          rows: rows.map { row in
            let links = zip(row.links, targets).map { number, target -> CanonicalTable.Link in
              guard let number else { return .absent }
              let key = places[target][number].flatMap { tables[target][$0].key }
              return key.map(CanonicalTable.Link.row) ?? .dangling
            }
            return CanonicalTable.Row(
              key: row.key, values: row.values, links: links, inverses: Array(repeating: [], count: inverseCount))
          }))
    }
    for entity in tables.indices {
      for (place, inverse) in schema.inverses(of: entity).enumerated() {
        // Sources are in the order of their keys, so each list is sorted as it grows.
        for source in tables[inverse.sourceEntity] {
          guard let number = source.links[inverse.sourceLink], let key = source.key,
            let target = places[entity][number]
          else { continue }
          canonical[entity].rows[target].inverses[place].append(key)
        }
      }
    }
    return canonical
  }
}
