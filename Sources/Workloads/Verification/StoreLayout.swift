/// The tables and columns in which a store of Core Data's form keeps a schema's rows.
///
/// An entity and all entities that inherit from it share a table. A column is named after its property, in capitals
/// after a `Z`. If several entities of a table declare properties of one name, the columns after the first have a number
/// at the end; the entities come depth first, siblings by name, and each entity's attributes before its to-one
/// relationships.
struct StoreLayout {
  /// The tables and columns of one entity.
  struct Entity {
    var table: String
    /// True if the rows of other entities are in the table too.
    var isShared: Bool
    /// The index of the entity that all entities of the table inherit from, or the entity itself.
    var root: Int
    var columns: [String: String]
  }

  private(set) var entities: [Entity] = []

  init(_ schema: WorkloadSchema) {
    let roots = schema.entities.indices.map(schema.tableRoot(of:))
    entities = schema.entities.indices.map { index in
      Entity(
        table: "Z" + schema.entities[roots[index]].name.uppercased(),
        isShared: roots.count { $0 == roots[index] } > 1, root: roots[index], columns: [:])
    }
    let document = schema.model
    for root in schema.entities.indices where roots[root] == root {
      var taken: Set<String> = []
      nameColumns(of: root, schema, document, inherited: [:], &taken)
    }
  }

  /// Names the columns of an entity and of the entities that inherit from it.
  private mutating func nameColumns(
    of index: Int, _ schema: WorkloadSchema, _ document: ModelDocument, inherited: [String: String],
    _ taken: inout Set<String>
  ) {
    var columns = inherited
    for property in document.entities[index].storedProperties where columns[property] == nil {
      let plain = "Z" + property.uppercased()
      var name = plain
      var number = 0
      while !taken.insert(name).inserted {
        number += 1
        name = plain + String(number)
      }
      columns[property] = name
    }
    entities[index].columns = columns
    let children = schema.entities.indices.filter { schema.superentity(of: $0) == index }
    for child in children.sorted(by: { schema.entities[$0].name.bytesPrecede(schema.entities[$1].name) }) {
      nameColumns(of: child, schema, document, inherited: columns, &taken)
    }
  }

  /// Returns the statement that reads the rows of an entity: `Z_PK`, `Z_ENT`, the attributes, the links, and the
  /// attribute that the user edits, or NULL. `number` is the number of the entity in the file.
  func select(_ entity: Int, of schema: WorkloadSchema, number: Int64) -> String {
    let described = schema.entities[entity]
    let names = described.attributes.map(\.name) + described.links.map(\.name)
    var columns = ["Z_PK", "Z_ENT"] + names.map { "\"\(column($0, of: entity))\"" }
    columns.append(described.editedAttribute.map { "\"\(column($0.name, of: entity))\"" } ?? "NULL")
    let sql = "SELECT \(columns.joined(separator: ", ")) FROM \"\(entities[entity].table)\""
    return entities[entity].isShared ? sql + " WHERE Z_ENT = \(number)" : sql
  }

  /// Returns the column of a property, which is named after the property if the schema does not declare it.
  func column(_ property: String, of entity: Int) -> String {
    entities[entity].columns[property] ?? "Z" + property.uppercased()
  }
}

// MARK: - Lists

/// The table and columns in which a store keeps the targets of a to-many relationship.
struct ListColumns {
  var table: String
  /// The column with the row number of the row that has the relationship.
  var source: String
  /// The column with the row number of the target.
  var target: String
  /// The column with the place of the target in the relationship, or nil if the relationship has no order.
  var order: String?

  /// Finds the columns of a list.
  ///
  /// A to-many relationship whose inverse is to-one is kept in the table of its targets, in the column of the inverse.
  /// Without an inverse, it is kept there in a column that is named after the number of the owner's entity and the
  /// relationship, such as `Z3BOOKS`. Any other is kept in a join table, which is named after the number of an entity
  /// and one of the two relationships.
  ///
  /// - Throws: `VerificationError` if the file has no such table or column.
  init(
    of list: WorkloadSchema.Relationship, entity: Int, in file: SQLiteFile, _ schema: WorkloadSchema,
    _ layout: StoreLayout, _ numbers: [Int64?]
  ) throws(VerificationError) {
    guard let target = schema.index(ofEntity: list.targetEntity) else {
      throw VerificationError(
        message: "\(schema.entities[entity].name).\(list.name) leads to \(list.targetEntity), which is no entity",
        path: file.path, code: 0)
    }
    if let inverse = list.inverse, !inverse.isToMany {
      let column = layout.column(inverse.name, of: target)
      self.init(
        table: layout.entities[target].table, source: column, target: "Z_PK",
        order: list.isOrdered ? "Z_FOK_" + column.dropFirst() : nil)
      return
    }
    if list.inverse == nil {
      let candidates = schema.lineage(of: entity).compactMap { numbers[$0].map { "\($0)\(list.name.uppercased())" } }
      let columns = try file.rows("PRAGMA table_info(\"\(layout.entities[target].table)\")") { $0.string(1) }
      guard let name = candidates.first(where: { columns.contains("Z" + $0) }) else {
        throw VerificationError(
          message: "\(schema.entities[entity].name).\(list.name) has no column in \(layout.entities[target].table); "
            + "looked for \(candidates.map { "Z" + $0 }.joined(separator: ", "))", path: file.path, code: 0)
      }
      self.init(
        table: layout.entities[target].table, source: "Z" + name, target: "Z_PK",
        order: list.isOrdered ? "Z_FOK_" + name : nil)
      return
    }
    func names(_ property: String, _ index: Int) -> [String] {
      schema.lineage(of: index).compactMap { numbers[$0].map { "Z_\($0)\(property.uppercased())" } }
    }
    let own = names(list.name, entity)
    let candidates = own + (list.inverse.map { names($0.name, target) } ?? [])
    for table in candidates {
      let columns = try file.rows("PRAGMA table_info(\"\(table)\")") { $0.string(1) }
      let keys = columns.filter { !$0.hasPrefix("Z_FOK_") }
      guard keys.count == 2 else { continue }
      // The first column has the rows after whose relationship the table is named.
      let isNamedAfterList = own.contains(table)
      let (source, target) = isNamedAfterList ? (keys[0], keys[1]) : (keys[1], keys[0])
      let order = columns.first {
        $0.hasPrefix("Z_FOK_") && ($0 == "Z_FOK_" + target.dropFirst(2) || keys.contains("REFLEXIVE"))
      }
      self.init(table: table, source: source, target: target, order: list.isOrdered ? order : nil)
      return
    }
    throw VerificationError(
      message: "\(schema.entities[entity].name).\(list.name) has no join table; looked for "
        + candidates.joined(separator: ", "), path: file.path, code: 0)
  }

  private init(table: String, source: String, target: String, order: String?) {
    self.table = table
    self.source = source
    self.target = target
    self.order = order
  }

  var sql: String {
    "SELECT \"\(source)\", \"\(target)\" FROM \"\(table)\" WHERE \"\(source)\" IS NOT NULL ORDER BY \"\(source)\", "
      + (order.map { "\"\($0)\", " } ?? "") + "\"\(target)\""
  }
}
