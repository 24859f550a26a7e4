import ContextEngine

/// The table that an entity shares with all its subentities: its columns, and the entities that declare them.
///
/// The layout is the same as in Core Data. A column is named after its property, in capitals after a `Z`. If several
/// entities of the table have properties with the same name, a number is appended to each name except the first.
/// Columns are in the order of their types. Columns of one type are in the order of their entities: the root's columns
/// come first, and each entity's columns precede the columns of its subentities. Columns of one entity have attributes
/// before keys, each in the order of names.
struct TableLayout {
  let root: EntityDescription
  let name: String
  /// All columns, in the order of a new table.
  let columns: [OwnedColumn]
  private let columnsBySlot: [Int: [EntityTable.Column]]

  /// A column and the entity that declares its property.
  struct OwnedColumn {
    var column: EntityTable.Column
    var entity: EntityDescription
    /// The name of the property.
    var property: String
  }

  /// Creates the layout of the table for a root entity and its subentities. `numbers` has `Z_ENT` of each entity of the
  /// model in the file.
  init(of root: EntityDescription, in model: ManagedObjectModel, numbers: [Int64]) {
    self.root = root
    name = "Z" + root.name.uppercased()
    var taken: Set<String> = []
    var owned: [(place: Int, column: OwnedColumn)] = []
    var columnsBySlot: [Int: [EntityTable.Column]] = [:]
    for (place, index) in root.family.enumerated() {
      let entity = model.entities[index]
      var columns = entity.superentity.flatMap { columnsBySlot[$0.index] } ?? []
      for slot in entity.slots[entity.inheritedSlotCount...] {
        let column = Self.column(of: slot, numbers: numbers, taken: &taken)
        columns.append(column)
        if column.isStored {
          owned.append((place, OwnedColumn(column: column, entity: entity, property: slot.name)))
        }
      }
      columnsBySlot[index] = columns
    }
    self.columnsBySlot = columnsBySlot
    columns = owned.sorted { left, right in
      let (first, second) = (left.column.column, right.column.column)
      guard first.storage == second.storage else { return first.storage < second.storage }
      return (left.place, first.isKey ? 1 : 0, first.name) < (right.place, second.isKey ? 1 : 0, second.name)
    }.map(\.column)
  }

  /// Indicates whether several entities share the table, so that each row has to identify its entity.
  var isShared: Bool { root.hasSubentities }

  /// Returns the columns of an entity of the table, including inherited columns, one for each slot.
  func columns(of entity: EntityDescription) -> [EntityTable.Column] {
    columnsBySlot[entity.index] ?? []
  }

  /// Returns the part of a column's name that stands for the property of a slot.
  ///
  /// The hidden inverse of a to-many relationship, such as the relationship `books` of an entity with the number 3, has
  /// the column `Z3BOOKS`. Core Data's SQLite store keeps such a key in the destination's table too: without an inverse,
  /// an object cannot be in the relationship of two owners (wireapp/wire-ios-data-model, pull request 36). No public
  /// source was found for the name of the column.
  private static func propertyName(of slot: EntityDescription.Slot, numbers: [Int64]) -> String {
    guard case .toOne(let relationship) = slot, relationship.isHidden else { return slot.name.uppercased() }
    return "\(numbers[relationship.destination])\(slot.name.uppercased())"
  }

  private static func column(
    of slot: EntityDescription.Slot, numbers: [Int64], taken: inout Set<String>
  ) -> EntityTable.Column {
    let property = propertyName(of: slot, numbers: numbers)
    guard slot.isStored else {
      return EntityTable.Column(
        name: "Z" + property, storage: .integer, isKey: false, isIndexed: false, isStored: false)
    }
    var suffix = ""
    while !taken.insert("Z" + property + suffix).inserted { suffix = String((Int(suffix) ?? 0) + 1) }
    let name = "Z" + property + suffix
    switch slot {
    case .attribute(let attribute):
      return EntityTable.Column(
        name: name, storage: EntityTable.storage(of: attribute.type), isKey: false, isIndexed: attribute.isIndexed,
        isExternal: attribute.mayBeExternal)
    case .toOne(let relationship):
      let entityColumn = relationship.isPolymorphic ? "Z\(numbers[relationship.destination])_\(property)\(suffix)" : nil
      return EntityTable.Column(
        name: name, storage: .integer, isKey: true, isIndexed: true, entityColumn: entityColumn,
        orderName: relationship.hasOrderedInverse ? "Z_FOK_\(property)\(suffix)" : nil)
    }
  }
}

// MARK: - SQL of a new table

extension TableLayout {
  /// Checks that SQLite can create the table.
  ///
  /// - Throws: `.invalidModel` with the entity and both numbers if the table would have more columns than `limit`.
  func checkColumnCount(limit: Int) throws(PersistenceError) {
    let count = definitions.count
    guard count > limit else { return }
    throw PersistenceError(
      .invalidModel,
      "entity \(root.name)\(isShared ? " and those that inherit from it need" : " needs") a table of \(count) columns; "
        + "SQLite allows \(limit)")
  }

  var tableSQL: String { "CREATE TABLE \(name) ( \(definitions.joined(separator: ", ")) )" }

  private var definitions: [String] {
    var definitions = ["Z_PK INTEGER PRIMARY KEY", "Z_ENT INTEGER", "Z_OPT INTEGER"]
    let integers = columns.prefix { $0.column.storage == .integer }
    for owned in integers {
      definitions.append("\(owned.column.name) INTEGER")
      if let entityColumn = owned.column.entityColumn { definitions.append("\(entityColumn) INTEGER") }
    }
    // The places in ordered relationships come after all other integers.
    for owned in integers {
      if let orderName = owned.column.orderName { definitions.append("\(orderName) INTEGER") }
    }
    for owned in columns.dropFirst(integers.count) {
      definitions.append("\(owned.column.name) \(owned.column.storage.rawValue)")
    }
    return definitions
  }

  /// Returns the statements that create the table's indexes: one for each to-one relationship's key and each attribute
  /// that asks for an index, one over `Z_ENT` if entities share the table, the indexes that the model names, and one
  /// for each uniqueness constraint.
  func indexSQL(in model: ManagedObjectModel) -> [String] {
    let entities = root.family.map { model.entities[$0] }
    var texts: [String] = []
    for entity in entities {
      for column in columns(of: entity)[entity.inheritedSlotCount...] where column.isIndexed {
        texts.append("CREATE INDEX \(name)_\(column.name)_INDEX ON \(name) (\(column.name))")
      }
    }
    if isShared { texts.append("CREATE INDEX \(name)_Z_ENT_INDEX ON \(name) (Z_ENT)") }
    for entity in entities {
      for index in entity.fetchIndexes where !isKeyAlone(index, of: entity) {
        let elements = index.elements.map { element in
          "\(columnName(of: element.property, of: entity)) COLLATE BINARY \(element.isAscending ? "ASC" : "DESC")"
        }
        texts.append("CREATE INDEX Z_\(entity.name)_\(index.name) ON \(name) (\(elements.joined(separator: ", ")))")
      }
    }
    for entity in entities {
      let inherited = entity.superentity?.uniquenessConstraints.count ?? 0
      for constraint in entity.uniquenessConstraints[inherited...] {
        let elements = constraint.map { "\(columnName(of: $0, of: entity)) COLLATE BINARY ASC" }
        texts.append(
          "CREATE UNIQUE INDEX Z_\(entity.name)_UNIQUE_\(constraint.joined(separator: "_")) ON \(name) "
            + "(\(elements.joined(separator: ", ")))")
      }
    }
    return texts
  }

  /// Returns true if an index is over a single to-one relationship, for which an index exists already.
  private func isKeyAlone(_ index: FetchIndexDescription, of entity: EntityDescription) -> Bool {
    index.elements.count == 1 && columns(of: entity)[entity.path(index.elements[0].property).slot].isKey
  }

  private func columnName(of property: String, of entity: EntityDescription) -> String {
    columns(of: entity)[entity.path(property).slot].name
  }
}
