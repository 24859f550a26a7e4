/// The relationships between rows of a store that no record of a schema sets, because the records of the rows' entities
/// do not have them.
struct UnsetRelationships {
  /// A row by its entity and its primary key.
  struct Row: Hashable {
    var entity: Int
    var number: Int64
  }

  struct Pair: Hashable {
    var source: Row
    /// The target, or nil if there is no such row.
    var target: Row?
    /// The primary key of the target.
    var targetNumber: Int64
  }

  struct Relationship: Hashable {
    /// The entity and the name of the relationship.
    var title: String
    /// The related rows. Targets of one row are in the order of the relationship.
    var pairs: [Pair]
  }

  /// The relationships of the model, in its order, without a to-many one whose inverse says the same.
  private(set) var relationships: [Relationship] = []

  /// Reads the relationships of a store.
  ///
  /// - Throws: `VerificationError` if a table or column is missing or the file is damaged.
  init(_ schema: WorkloadSchema, in file: SQLiteFile) throws(VerificationError) {
    let model = schema.model
    var reader = RelationshipReader(file: file, schema: schema)
    try reader.readRows()
    for (index, entity) in schema.entities.enumerated() {
      for relationship in model.entity(entity.name)?.relationships ?? [] where !relationship.isTransient {
        let inverse = model.inverse(of: relationship)
        if relationship.isToMany, !relationship.isOrdered, let inverse, !inverse.isToMany { continue }
        let pairs = try reader.pairs(of: relationship, inverse, entity: index)
        relationships.append(Relationship(title: "\(entity.name).\(relationship.name)", pairs: pairs))
      }
    }
  }
}

/// Reads the pairs of rows that relationships connect.
private struct RelationshipReader {
  let file: SQLiteFile
  let schema: WorkloadSchema
  let layout: StoreLayout
  /// The numbers of the schema's entities in the file, nil for an entity that the file does not list.
  private var numbers: [Int64?] = []
  /// The entity of each row, by the entity of the table and the primary key.
  private var entities: [Int: [Int64: Int]] = [:]

  init(file: SQLiteFile, schema: WorkloadSchema) {
    self.file = file
    self.schema = schema
    layout = StoreLayout(schema)
  }

  mutating func readRows() throws(VerificationError) {
    let counters = try ClosedStore.counters(of: file)
    numbers = schema.entities.map { counters[$0.name]?.entityNumber }
    var places: [Int64: Int] = [:]
    for (index, number) in numbers.enumerated() {
      if let number { places[number] = index }
    }
    for (index, entity) in layout.entities.enumerated() where entity.root == index {
      var rows: [Int64: Int] = [:]
      try file.forEachRow("SELECT Z_PK, Z_ENT FROM \"\(entity.table)\"") { row in
        rows[row.integer(0)] = places[row.integer(1)]
      }
      entities[index] = rows
    }
  }

  /// Returns the pairs of a relationship that records of neither end set.
  func pairs(
    of relationship: ModelDocument.Relationship, _ inverse: ModelDocument.Relationship?, entity: Int
  ) throws(VerificationError) -> [UnsetRelationships.Pair] {
    guard let destination = schema.index(ofEntity: relationship.destination) else { return [] }
    let sources = entities[layout.entities[entity].root] ?? [:]
    let targets = entities[layout.entities[destination].root] ?? [:]
    var pairs: [UnsetRelationships.Pair] = []
    try file.forEachRow(sql(relationship, inverse, entity)) { row in
      guard let source = sources[row.integer(0)] else { return }
      let target = targets[row.integer(1)]
      guard !sets(source, relationship.name), !(target.map { sets($0, inverse?.name) } ?? false) else { return }
      pairs.append(
        UnsetRelationships.Pair(
          source: UnsetRelationships.Row(entity: source, number: row.integer(0)),
          target: target.map { UnsetRelationships.Row(entity: $0, number: row.integer(1)) },
          targetNumber: row.integer(1)))
    }
    return pairs
  }

  private func sql(
    _ relationship: ModelDocument.Relationship, _ inverse: ModelDocument.Relationship?, _ entity: Int
  ) throws(VerificationError) -> String {
    guard relationship.isToMany else {
      let column = layout.column(relationship.name, of: entity)
      return "SELECT Z_PK, \"\(column)\" FROM \"\(layout.entities[entity].table)\" WHERE \"\(column)\" IS NOT NULL "
        + "ORDER BY Z_PK"
    }
    let list = WorkloadSchema.Relationship(
      RelationshipEnd(relationship), to: relationship.destination, inverse: inverse.map { RelationshipEnd($0) })
    return try ListColumns(of: list, entity: entity, in: file, schema, layout, numbers).sql
  }

  /// Returns true if records of an entity set a relationship.
  private func sets(_ entity: Int, _ name: String?) -> Bool {
    schema.entities[entity].relationships.contains { $0.name == name }
  }
}
