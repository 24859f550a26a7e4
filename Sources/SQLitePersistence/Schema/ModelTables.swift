import ContextEngine
import Foundation

/// The tables that a store needs for the entities of a model, for a comparison with the tables that a file has.
package struct ModelTables: Sendable {
  /// A table of an entity and its subentities.
  package struct Table: Hashable, Sendable {
    /// The name of the table.
    package let name: String
    /// The name of the root entity.
    package let entity: String
    /// The columns that are needed, without those that every table has.
    package let columns: [Column]
    /// The unique indexes that are needed.
    package let uniqueIndexes: [UniqueIndex]
  }

  /// A column that a property needs.
  package struct Column: Hashable, Sendable {
    /// The name of the column.
    package let name: String
    /// The declared type of the column.
    package let type: String
    /// The name of the entity that declares the property.
    package let entity: String
    /// The name of the property.
    package let property: String
    /// The value that the column holds.
    package let role: Role
  }

  /// The values that a column can hold.
  package enum Role: Hashable, Sendable {
    /// The value of an attribute.
    case attribute
    /// The key of the object to which a to-one relationship leads.
    case key
    /// The entity of that object, where it can be one of several.
    case entity
    /// The place of the object in the ordered inverse of a to-one relationship.
    case order
  }

  /// An index that a uniqueness constraint needs.
  package struct UniqueIndex: Hashable, Sendable {
    /// The name of the entity that declares the constraint.
    package let entity: String
    /// The names of the properties, as the constraint lists them.
    package let properties: [String]
    /// The names of the columns, sorted.
    package let columns: [String]
  }

  /// A table of a many-to-many relationship.
  package struct Join: Hashable, Sendable {
    /// The names that the table may have: after the relationship, or after its inverse.
    package let names: [String]
    /// The name of the entity that declares the relationship.
    package let entity: String
    /// The name of the relationship.
    package let relationship: String
    /// The number of columns for the places in ordered relationships.
    package let orderCount: Int
  }

  /// The tables of entities, in the order of their numbers.
  package let tables: [Table]
  /// The tables of many-to-many relationships.
  package let joins: [Join]

  /// The columns that the table of every entity has, all of type `INTEGER`.
  package static let systemColumns = ["Z_PK", "Z_ENT", "Z_OPT"]

  /// Creates the tables of a model.
  ///
  /// - Parameters:
  ///   - model: The model.
  ///   - numbers: The number that each entity of the model has in the file (`Z_ENT`), in the model's order.
  package init(_ model: ManagedObjectModel, numbers: [Int64]) {
    tables = SQLiteSchema.layouts(of: model, numbers: numbers).map { layout in
      Table(
        name: layout.name, entity: layout.root.name, columns: layout.columns.flatMap(Self.columns),
        uniqueIndexes: Self.uniqueIndexes(of: layout, in: model))
    }
    joins = model.joinTableDescriptions.map { description in
      let table = JoinTable(description, in: model, numbers: numbers)
      let turned = JoinTable(description.turned, in: model, numbers: numbers)
      let entity = model.entities[description.entity]
      return Join(
        names: table.name == turned.name ? [table.name] : [table.name, turned.name], entity: entity.name,
        relationship: entity.toManys[description.relationship].name,
        orderCount: [table.source.orderName, table.target.orderName].count { $0 != nil })
    }
  }

  private static func columns(_ owned: TableLayout.OwnedColumn) -> [Column] {
    func column(_ name: String, storage: EntityTable.Storage, role: Role) -> Column {
      Column(name: name, type: storage.rawValue, entity: owned.entity.name, property: owned.property, role: role)
    }
    let own = column(owned.column.name, storage: owned.column.storage, role: owned.column.isKey ? .key : .attribute)
    return [own] + [owned.column.entityColumn.map { column($0, storage: .integer, role: .entity) }].compactMap(\.self)
      + [owned.column.orderName.map { column($0, storage: .integer, role: .order) }].compactMap(\.self)
  }

  private static func uniqueIndexes(of layout: TableLayout, in model: ManagedObjectModel) -> [UniqueIndex] {
    layout.root.family.map { model.entities[$0] }.flatMap { entity in
      let inherited = entity.superentity?.uniquenessConstraints.count ?? 0
      let columns = layout.columns(of: entity)
      return entity.uniquenessConstraints[inherited...].map { properties in
        UniqueIndex(
          entity: entity.name, properties: properties,
          columns: properties.map { columns[entity.path($0).slot].name }.sorted())
      }
    }
  }

  /// Returns the hash that a new store's metadata have for an entity: the hash that the model declares, or the hash that
  /// this store computes.
  package static func versionHash(of entity: EntityDescription) -> Data {
    Data(StoreMetadata.versionHash(of: entity))
  }
}
