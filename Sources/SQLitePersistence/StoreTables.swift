import ContextEngine

/// The tables of a store, by entity, and those of its many-to-many relationships.
struct StoreTables: Sendable {
  /// One per entity of the model.
  let entities: [EntityTable]
  /// In the order of the model's.
  let joinTables: [JoinTable]
  let model: ManagedObjectModel

  /// The table of the entity with this index.
  subscript(entity: Int) -> EntityTable { entities[entity] }

  /// The join table of a relationship with the columns of its ends.
  struct Pairs {
    let name: String
    /// The keys of the objects that have the relationship.
    let near: String
    /// The keys that it leads to.
    let far: String

    /// The SELECT of the keys that the relationship of one object leads to.
    func selection(of key: String) -> String { "SELECT \(far) FROM \(name) WHERE \(near) = \(key)" }
  }

  /// Nil where the keys are in the table of the relationship's destination.
  func pairs(of relationship: EntityDescription.ToMany) -> Pairs? {
    model.joinTableEnd(of: relationship).map { end in
      let table = joinTables[end.table]
      return Pairs(name: table.name, near: table.near(end).name, far: table.far(end).name)
    }
  }
}
