extension WorkloadSchema {
  /// A relationship by the index of the entity that declares it, and its name. Other entities may have relationships of
  /// the same name.
  package struct DeclaredRelationship: Hashable, Sendable {
    package var entity: Int
    package var name: String
  }

  /// Returns the index of the entity that an entity inherits from, or nil if it does not exist.
  package func superentity(of entity: Int) -> Int? {
    model.entities[entity].parent.flatMap(index(ofEntity:))
  }

  /// Returns the index of an entity, followed by those of the entities that it inherits from, the nearest first.
  package func lineage(of entity: Int) -> [Int] {
    var lineage = [entity]
    while let next = superentity(of: lineage[lineage.count - 1]), lineage.count <= entities.count {
      lineage.append(next)
    }
    return lineage
  }

  /// Returns the index of the topmost entity that an entity inherits from, whose table has the rows of both.
  package func tableRoot(of entity: Int) -> Int {
    lineage(of: entity).last ?? entity
  }

  /// Returns the declaration of a relationship that an entity has, its own or an inherited one.
  package func declaration(of relationship: String, in entity: Int) -> DeclaredRelationship {
    let declaring = lineage(of: entity).last { index in
      model.entities[index].relationships.contains { $0.name == relationship }
    }
    return DeclaredRelationship(entity: declaring ?? entity, name: relationship)
  }

  /// Returns the index of the topmost entity that has the key of an entity. A key identifies one row among all entities
  /// that inherit from it.
  package func keyRoot(of entity: Int) -> Int {
    let names = entities[entity].keyAttributes.map(\.name)
    var root = entity
    while let next = superentity(of: root), entities[next].keyAttributes.map(\.name) == names { root = next }
    return root
  }
}
