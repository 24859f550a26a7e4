/// A function that returns the rows of a store, as far as a schema describes them.
package typealias StartingRowsReader = (WorkloadSchema) throws(WorkloadError) -> StartingRows

/// The rows of a store from which a run starts, as far as a schema describes them.
///
/// A row is named by its key. If it has no key, or if other rows have the same one, it is named by its primary key. No
/// record can change such a row.
package struct StartingRows: Equatable, Sendable {
  /// The rows of the schema's entities.
  package let answer: Answer
  /// The keys that several rows have, with the primary keys of these rows, by the index of the key root.
  package let sharedKeys: [[RecordKey: [Int64]]]
  /// The rows that relationships lead to or from which no record sets, for each entity. No record deletes them, because
  /// the effect of that is not known.
  package let boundRows: [Set<RecordKey>]

  /// Creates the rows of a store.
  ///
  /// - Parameters:
  ///   - answer: The rows of the schema's entities.
  ///   - sharedKeys: The keys that several rows have, by the index of the key root.
  ///   - boundRows: The rows that no record deletes, for each entity.
  package init(answer: Answer, sharedKeys: [[RecordKey: [Int64]]], boundRows: [Set<RecordKey>]) {
    self.answer = answer
    self.sharedKeys = sharedKeys
    self.boundRows = boundRows
  }

  /// Creates the rows of an answer, of which any may be deleted.
  package init(answer: Answer) {
    self.init(
      answer: answer, sharedKeys: answer.tables.map { _ in [:] }, boundRows: answer.tables.map { _ in [] })
  }

  /// Returns the records that would make the rows of an entity that records can change: those with a key of their own
  /// and with relationships to such rows only, in the order of their keys.
  func records(of entity: Int, in schema: WorkloadSchema) -> [ImportRecord] {
    let attributes = schema.entities[entity].attributes
    return answer.tables[entity].rows.filter { row in
      !row.key.isStoreRow && !row.targets.joined().contains(where: \.isStoreRow)
        && zip(row.values, attributes).allSatisfy { $0.isWritable(as: $1.type) }
    }.map { row in
      ImportRecord(entity: entity, key: row.key, values: row.values, links: row.links, lists: row.lists)
    }
  }

  /// Returns the number of rows that lead to each row by each link and list, by the key root and the key of the row.
  func useCounts(_ schema: WorkloadSchema) -> [Int: [RecordKey: [WorkloadSchema.DeclaredRelationship: Int]]] {
    var uses: [Int: [RecordKey: [WorkloadSchema.DeclaredRelationship: Int]]] = [:]
    for (entity, table) in answer.tables.enumerated() {
      let relationships = schema.entities[entity].relationships.map {
        (schema.declaration(of: $0.name, in: entity), schema.keyRoot(of: schema.index(ofEntity: $0.targetEntity) ?? 0))
      }
      for row in table.rows {
        for ((declared, root), keys) in zip(relationships, row.targets) {
          for key in keys { uses[root, default: [:]][key, default: [:]][declared, default: 0] += 1 }
        }
      }
    }
    return uses
  }

  /// Returns the sentences about a store for the user: its rows, and those that no record can name.
  func remarks(_ schema: WorkloadSchema) -> [String] {
    let counts = answer.tables.indices.filter { !answer.tables[$0].rows.isEmpty }.map {
      "\(schema.entities[$0].name) (\(answer.tables[$0].rows.count))"
    }
    guard !counts.isEmpty else { return ["the store has no rows"] }
    var remarks = ["the store has the rows of \(NameList.text(counts))"]
    for (index, entity) in schema.entities.enumerated() where entity.isImported {
      let count = answer.tables[index].rows.count(where: \.key.isStoreRow)
      guard count > 0 else { continue }
      let key = entity.keyAttributes.map(\.name).joined(separator: ", ")
      remarks.append(
        "no record changes \(count) of the \(answer.tables[index].rows.count) rows of \(entity.name) in the store, which "
          + "have no \(key) or share it with others")
    }
    return remarks
  }
}

/// The rows of a starting store that are named by their primary keys.
package struct NumberedRows: Equatable, Sendable {
  /// The primary keys, by the index of the entity of the table.
  private var numbers: [Set<Int64>]
  /// The index of the entity of the table, for each entity.
  private let tableRoots: [Int]

  /// Creates an empty set.
  package init(_ schema: WorkloadSchema) {
    tableRoots = schema.entities.indices.map { schema.tableRoot(of: $0) }
    numbers = tableRoots.map { _ in [] }
  }

  /// Creates the set of the rows of an answer that are named by their primary keys.
  package init(_ answer: Answer, _ schema: WorkloadSchema) {
    self.init(schema)
    for (entity, table) in answer.tables.enumerated() {
      for row in table.rows { insert(row.key, of: entity) }
    }
  }

  /// Adds a row if its key is a primary key.
  package mutating func insert(_ key: RecordKey, of entity: Int) {
    if case .storeRow(let number) = key { numbers[tableRoots[entity]].insert(number) }
  }

  /// Returns true if the row of an entity with a primary key is in the set.
  package func contains(_ number: Int64, of entity: Int) -> Bool {
    numbers[tableRoots[entity]].contains(number)
  }
}

extension FieldValue {
  /// Returns true if a record can hold the value for an attribute of a type. A store can have values of other types, and
  /// numbers that JSON does not have.
  fileprivate func isWritable(as type: ValueType) -> Bool {
    switch (self, type) {
    case (.null, _), (.string, .string), (.boolean, .boolean), (.uuid, .uuid), (.uri, .uri): true
    case (.integer, _): type.isInteger
    case (.binary, .binary), (.binary, .transformable): true
    case (.decimal(let value), .decimal): value.isFinite
    case (.double(let value), .double), (.double(let value), .float), (.date(let value), .date): value.isFinite
    default: false
    }
  }
}
