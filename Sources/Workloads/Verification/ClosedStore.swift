import CSQLite
import Foundation

/// The content of a store file, as far as a schema describes it.
package struct ClosedStore {
  package struct Row {
    var number: Int64
    var entityNumber: Int64
    package var key: RecordKey?
    package var values: [FieldValue]
    /// The row numbers in the columns of the to-one relationships, or nil for NULL.
    var links: [Int64?]
    /// The row numbers of the targets of the to-many relationships that records set.
    var lists: [[Int64]] = []
    /// The value of the attribute that the user edits, null if no such attribute exists.
    package var note: FieldValue
  }

  /// A row of `Z_PRIMARYKEY`.
  struct Counter {
    var entityNumber: Int64
    var largest: Int64
  }

  /// The rows of each of the schema's entities, sorted by key, rows without a key first.
  package private(set) var tables: [[Row]] = []
  /// The rows of `Z_PRIMARYKEY` by entity name.
  private(set) var counters: [String: Counter] = [:]
  /// The problems that SQLite's integrity check reports, or an empty array if the file is intact.
  private(set) var integrityProblems: [String] = []

  /// Reads the whole file.
  ///
  /// - Parameters:
  ///   - file: The open file.
  ///   - schema: The entities whose rows are read.
  ///   - numberedRows: The rows that are named by their primary keys, or nil if no row is.
  /// - Throws: `VerificationError` if a table or column is missing or the file is damaged.
  package init(
    of file: SQLiteFile, schema: WorkloadSchema, numberedRows: NumberedRows? = nil
  ) throws(VerificationError) {
    integrityProblems = try file.rows("PRAGMA integrity_check(10)") { $0.string(0) }.filter { $0 != "ok" }
    let counters = try Self.counters(of: file)
    self.counters = counters
    let layout = StoreLayout(schema)
    let reader = ClosedTable(
      file: file, schema: schema, layout: layout, numbers: schema.entities.map { counters[$0.name]?.entityNumber })
    for (index, entity) in schema.entities.enumerated() {
      var rows =
        entity.isImported || schema.startsFromStore && !schema.model.entities[index].isAbstract
        ? try reader.rows(of: index) : []
      if let numberedRows {
        for place in rows.indices where numberedRows.contains(rows[place].number, of: index) {
          rows[place].key = .storeRow(rows[place].number)
        }
      }
      let isSorted = zip(rows, rows.dropFirst()).allSatisfy { !Self.precedes($1, $0) }
      if !isSorted { rows.sort(by: Self.precedes) }
      tables.append(rows)
    }
  }

  /// Reads the rows of `Z_PRIMARYKEY` by entity name.
  static func counters(of file: SQLiteFile) throws(VerificationError) -> [String: Counter] {
    var counters: [String: Counter] = [:]
    try file.forEachRow("SELECT Z_NAME, Z_ENT, Z_MAX FROM Z_PRIMARYKEY") { row in
      counters[row.string(0)] = Counter(entityNumber: row.integer(1), largest: row.integer(2))
    }
    return counters
  }

  /// Names the rows of a starting store: those without a key, and those that share one, by their primary keys.
  ///
  /// - Returns: The keys that several rows have, with the primary keys of these rows, by the index of the key root.
  mutating func nameRows(_ schema: WorkloadSchema) -> [[RecordKey: [Int64]]] {
    var numbers = schema.entities.map { _ in [RecordKey: [Int64]]() }
    for (entity, rows) in tables.enumerated() {
      let root = schema.keyRoot(of: entity)
      for row in rows {
        if let key = row.key { numbers[root][key, default: []].append(row.number) }
      }
    }
    let shared = numbers.map { $0.filter { $0.value.count > 1 }.mapValues { $0.sorted() } }
    for entity in tables.indices {
      let root = schema.keyRoot(of: entity)
      for place in tables[entity].indices where tables[entity][place].key.map({ shared[root][$0] != nil }) ?? true {
        tables[entity][place].key = .storeRow(tables[entity][place].number)
      }
      tables[entity].sort(by: Self.precedes)
    }
    return shared
  }

  private static func precedes(_ left: Row, _ right: Row) -> Bool {
    guard let left = left.key else { return right.key != nil }
    guard let right = right.key else { return false }
    return left < right
  }
}

// MARK: - Tables

/// Reads the rows of one entity after another.
private struct ClosedTable {
  let file: SQLiteFile
  let schema: WorkloadSchema
  let layout: StoreLayout
  /// The numbers of the schema's entities in the file, nil for an entity that the file does not list.
  let numbers: [Int64?]

  func rows(of index: Int) throws(VerificationError) -> [ClosedStore.Row] {
    let entity = schema.entities[index]
    let sql = layout.select(index, of: schema, number: numbers[index] ?? 0)
    let firstLink = 2 + entity.attributes.count
    let note = firstLink + entity.links.count
    var rows = try file.rows(sql) { row in
      let values = entity.attributes.enumerated().map { row.value(2 + $0, of: $1, in: file) }
      return ClosedStore.Row(
        number: row.integer(0), entityNumber: row.integer(1), key: entity.key(of: values), values: values,
        links: entity.links.indices.map { row.integerIfPresent(firstLink + $0) },
        lists: entity.lists.map { _ in [] }, note: row.value(note, of: .note, in: file))
    }
    if !entity.lists.isEmpty { try readLists(of: index, into: &rows) }
    return rows
  }

  private func readLists(of index: Int, into rows: inout [ClosedStore.Row]) throws(VerificationError) {
    var places: [Int64: Int] = [:]
    for (place, row) in rows.enumerated() { places[row.number] = place }
    for (number, list) in schema.entities[index].lists.enumerated() {
      let columns = try ListColumns(of: list, entity: index, in: file, schema, layout, numbers)
      try file.forEachRow(columns.sql) { row in
        if let place = places[row.integer(0)] { rows[place].lists[number].append(row.integer(1)) }
      }
    }
  }
}

extension SQLiteRow {
  /// Returns a value as the type of its attribute. A value that is stored as another type is returned as that type.
  func value(_ column: Int, of attribute: WorkloadSchema.Attribute, in file: SQLiteFile) -> FieldValue {
    switch (kind(column), attribute.type) {
    case (SQLITE_NULL, _): return .null
    // A numeric column stores a whole number of seconds as an integer.
    case (SQLITE_INTEGER, .double), (SQLITE_FLOAT, .double), (SQLITE_INTEGER, .float), (SQLITE_FLOAT, .float):
      return .double(double(column))
    case (SQLITE_INTEGER, .date), (SQLITE_FLOAT, .date): return .date(double(column))
    case (SQLITE_INTEGER, .boolean):
      let number = integer(column)
      return number == 0 || number == 1 ? .boolean(number == 1) : .integer(number)
    case (SQLITE_INTEGER, .decimal): return .decimal(Decimal(integer(column)))
    case (SQLITE_FLOAT, .decimal):
      return Decimal(string: "\(double(column))").map(FieldValue.decimal) ?? .double(double(column))
    // A decimal number that SQLite would round is text after a mark.
    case (SQLITE_TEXT, .decimal):
      let text = string(column)
      return (text.first == "=" ? Decimal(string: String(text.dropFirst())) : nil).map(FieldValue.decimal)
        ?? .string(text)
    case (SQLITE_INTEGER, _): return .integer(integer(column))
    case (SQLITE_FLOAT, _): return .double(double(column))
    case (SQLITE_TEXT, .uri): return .uri(string(column))
    case (SQLITE_TEXT, _): return .string(string(column))
    case (SQLITE_BLOB, .binary), (SQLITE_BLOB, .transformable):
      let bytes = data(column)
      return attribute.allowsExternalStorage ? file.externalValue(bytes) : .binary(bytes)
    case (SQLITE_BLOB, .uuid):
      let bytes = data(column)
      guard bytes.count == 16 else { return .binary(bytes) }
      return .uuid(UUID(uuid: bytes.withUnsafeBytes { $0.loadUnaligned(as: uuid_t.self) }))
    default: return .string(blobLiteral(column))
    }
  }
}

extension SQLiteFile {
  /// Returns the value of an attribute that allows external storage: the bytes after a mark of 1, or the content of the
  /// file whose name follows a mark of 2. Returns a sentence as a string if the value cannot be read.
  func externalValue(_ bytes: Data) -> FieldValue {
    if bytes.first == 1 { return .binary(Data(bytes.dropFirst())) }
    guard bytes.first == 2, bytes.count == 38, let name = String(data: bytes.dropFirst().dropLast(), encoding: .utf8)
    else { return .string("a value without a mark of its place") }
    let store = URL(fileURLWithPath: path)
    let file = store.deletingLastPathComponent().appending(
      path: ".\(store.deletingPathExtension().lastPathComponent)_SUPPORT/_EXTERNAL_DATA/\(name)")
    guard let content = try? Data(contentsOf: file) else { return .string("the file \(name), which is missing") }
    return .binary(content)
  }
}

// MARK: - The canonical form

extension ClosedStore {
  /// Returns the tables as the digest covers them, with foreign keys resolved and the to-many relationships collected
  /// from the to-one relationships.
  package func canonicalTables(schema: WorkloadSchema) -> [CanonicalTable] {
    // Entities of one table share its row numbers.
    let roots = schema.entities.indices.map(schema.tableRoot(of:))
    var keys = schema.entities.map { _ in [Int64: RecordKey]() }
    var places = schema.entities.map { _ in [Int64: Int]() }
    for (entity, rows) in tables.enumerated() {
      places[entity].reserveCapacity(rows.count)
      for (place, row) in rows.enumerated() {
        places[entity][row.number] = place
        keys[roots[entity]][row.number] = row.key
      }
    }
    var canonical: [CanonicalTable] = []
    for (entity, rows) in tables.enumerated() {
      let relationships = schema.entities[entity].relationships
      let targetRoots = relationships.map { roots[schema.index(ofEntity: $0.targetEntity) ?? entity] }
      let inverseCount = schema.inverses(of: entity).count
      canonical.append(
        CanonicalTable(
          rows: rows.map { row in
            let targets = (row.links.map { [$0].compactMap(\.self) } + row.lists).enumerated().map { place, numbers in
              let found = numbers.compactMap { keys[targetRoots[place]][$0] }
              return CanonicalTable.Targets(
                keys: relationships[place].end.isOrdered ? found : found.sorted(),
                danglingCount: numbers.count - found.count)
            }
            return CanonicalTable.Row(
              key: row.key, values: row.values, targets: targets,
              inverses: Array(repeating: [], count: inverseCount))
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
