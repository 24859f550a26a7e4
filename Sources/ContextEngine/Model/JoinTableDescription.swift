/// The table behind a many-to-many relationship: pairs of keys, a column for each end.
///
/// Of the two relationships that it serves, Core Data names the table after the one whose entity's name comes first, or
/// whose own name does where both entities are the same. That one is called *naming* here, the other its inverse.
package struct JoinTableDescription: Sendable {
  /// The place among the model's join tables.
  package let index: Int
  /// The entity that declares the naming relationship, as an index.
  package let entity: Int
  /// The naming relationship's place among the to-many relationships of its entity.
  package let relationship: Int
  /// The entity that declares the inverse, as an index; the naming relationship leads to it.
  package let inverseEntity: Int
  package let inverseRelationship: Int

  /// Whether the relationship is its own inverse: each pair stands in the table both ways round then.
  package var isReflexive: Bool { entity == inverseEntity && relationship == inverseRelationship }

  /// The table as it would be named after the inverse.
  package var turned: JoinTableDescription {
    JoinTableDescription(
      index: index, entity: inverseEntity, relationship: inverseRelationship, inverseEntity: entity,
      inverseRelationship: relationship)
  }
}

/// Which join table, and which of its columns, a many-to-many relationship uses.
package struct JoinTableEnd: Hashable, Sendable {
  /// The place among the model's join tables.
  package let table: Int
  /// Whether the table is named after the relationship: its objects are in the first column then, else in the second.
  package let isNaming: Bool
}

extension ManagedObjectModel {
  /// The tables behind its many-to-many relationships.
  package var joinTableDescriptions: [JoinTableDescription] { joinTables.tables }

  /// Where the pairs of a to-many relationship are; nil = its keys are in the destination's table.
  package func joinTableEnd(of relationship: EntityDescription.ToMany) -> JoinTableEnd? {
    joinTables.end(of: relationship)
  }
}

/// The join tables of a model, found by relationship.
struct JoinTables: Sendable {
  private(set) var tables: [JoinTableDescription] = []
  /// By entity and by the place of the to-many relationship; nil = its keys are in the destination's table.
  private var ends: [[JoinTableEnd?]]

  /// Goes through the entities in their order, so that a model always numbers its tables alike.
  init(_ entities: [EntityDescription]) {
    ends = entities.map { Array(repeating: nil, count: $0.toManys.count) }
    var known: [[Int]: Int] = [:]
    for entity in entities {
      for (place, toMany) in entity.toManys.enumerated() where toMany.isManyToMany {
        let inverse = entities[Int(toMany.inverse.entity)].toManys[toMany.inverse.slot]
        let near = RelationshipEnd(entities[Int(inverse.inverse.entity)], inverse.inverse.slot)
        let far = RelationshipEnd(entities[Int(toMany.inverse.entity)], toMany.inverse.slot)
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

  /// Where the pairs of a to-many relationship are; nil = its keys are in the destination's table.
  func end(entity: Int, relationship: Int) -> JoinTableEnd? {
    ends[entity][relationship]
  }

  /// The same for a relationship as its entity has it: the other end of its inverse.
  func end(of relationship: EntityDescription.ToMany) -> JoinTableEnd? {
    guard relationship.isManyToMany else { return nil }
    return ends[Int(relationship.inverse.entity)][relationship.inverse.slot].map { far in
      tables[far.table].isReflexive ? far : JoinTableEnd(table: far.table, isNaming: !far.isNaming)
    }
  }
}

/// A relationship as the entity has it that declares it.
private struct RelationshipEnd {
  let entity: EntityDescription
  let place: Int

  init(_ entity: EntityDescription, _ place: Int) {
    self.entity = entity
    self.place = place
  }

  func isNamed(before other: RelationshipEnd) -> Bool {
    (entity.name, entity.toManys[place].name) < (other.entity.name, other.entity.toManys[other.place].name)
  }
}
