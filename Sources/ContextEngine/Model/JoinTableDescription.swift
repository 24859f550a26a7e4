/// The table of a many-to-many relationship: pairs of keys, with a column for each end.
///
/// Core Data names the table after one of its two relationships: the one whose entity's name comes first, or if both
/// entities are the same, the one whose own name comes first. It is called *naming* here, and the other one its
/// inverse.
package struct JoinTableDescription: Sendable {
  /// The index of the table among the model's join tables.
  package let index: Int
  /// The index of the entity that declares the naming relationship.
  package let entity: Int
  /// The place of the naming relationship among the to-many relationships of its entity.
  package let relationship: Int
  /// The index of the entity that declares the inverse, which is the destination of the naming relationship.
  package let inverseEntity: Int
  package let inverseRelationship: Int

  /// True if the relationship is its own inverse. The table then contains each pair in both directions.
  package var isReflexive: Bool { entity == inverseEntity && relationship == inverseRelationship }

  /// The description of the table as if it were named after the inverse.
  package var turned: JoinTableDescription {
    JoinTableDescription(
      index: index, entity: inverseEntity, relationship: inverseRelationship, inverseEntity: entity,
      inverseRelationship: relationship)
  }
}

/// The join table that a many-to-many relationship uses, and the relationship's column in it.
package struct JoinTableEnd: Hashable, Sendable {
  /// The index of the table among the model's join tables.
  package let table: Int
  /// True if the table is named after the relationship. The relationship's objects are in the first column if true, and
  /// in the second column otherwise.
  package let isNaming: Bool
}

extension ManagedObjectModel {
  /// The tables of the model's many-to-many relationships.
  package var joinTableDescriptions: [JoinTableDescription] { joinTables.tables }

  /// Returns the join table end of a to-many relationship, or nil if its keys are in the destination's table.
  package func joinTableEnd(of relationship: EntityDescription.ToMany) -> JoinTableEnd? {
    joinTables.end(of: relationship)
  }
}

/// The join tables of a model, found by relationship.
struct JoinTables: Sendable {
  private(set) var tables: [JoinTableDescription] = []
  /// The join table end of each to-many relationship, by entity and place; nil if its keys are in the destination's
  /// table.
  private var ends: [[JoinTableEnd?]]

  /// Creates the join tables of a model. The entities are visited in order, so that a model always numbers its tables
  /// alike.
  init(_ entities: [EntityDescription]) {
    ends = entities.map { Array(repeating: nil, count: $0.toManys.count) }
    var known: [[Int]: Int] = [:]
    for entity in entities {
      for (place, toMany) in entity.toManys.enumerated() where toMany.isManyToMany {
        let inverse = entities[Int(toMany.inverse.entity)].toManys[toMany.inverse.slot]
        let near = RelationshipEnd(entities[Int(inverse.inverse.entity)], at: inverse.inverse.slot)
        let far = RelationshipEnd(entities[Int(toMany.inverse.entity)], at: toMany.inverse.slot)
        let naming = far.isNamed(before: near) ? far : near
        let other = far.isNamed(before: near) ? near : far
        let identity = [naming.entity.index, naming.place]
        let table = known[identity] ?? tables.count
        if known.updateValue(table, forKey: identity) == nil {
          tables.append(
            JoinTableDescription(
              index: table, entity: naming.entity.index, relationship: naming.place,
              inverseEntity: other.entity.index, inverseRelationship: other.place))
        }
        let isNaming = naming.entity === near.entity && naming.place == near.place
        ends[entity.index][place] = JoinTableEnd(table: table, isNaming: isNaming)
      }
    }
  }

  /// Returns the join table end of a to-many relationship, or nil if its keys are in the destination's table.
  func end(entity: Int, relationship: Int) -> JoinTableEnd? {
    ends[entity][relationship]
  }

  /// Returns the join table end of a resolved relationship, which is the opposite end of its inverse, or nil if its
  /// keys are in the destination's table.
  func end(of relationship: EntityDescription.ToMany) -> JoinTableEnd? {
    guard relationship.isManyToMany else { return nil }
    return ends[Int(relationship.inverse.entity)][relationship.inverse.slot].map { far in
      tables[far.table].isReflexive ? far : JoinTableEnd(table: far.table, isNaming: !far.isNaming)
    }
  }
}

/// A to-many relationship, given by the entity that declares it and its place there.
private struct RelationshipEnd {
  let entity: EntityDescription
  let place: Int

  init(_ entity: EntityDescription, at place: Int) {
    self.entity = entity
    self.place = place
  }

  func isNamed(before other: RelationshipEnd) -> Bool {
    (entity.name, entity.toManys[place].name) < (other.entity.name, other.entity.toManys[other.place].name)
  }
}
