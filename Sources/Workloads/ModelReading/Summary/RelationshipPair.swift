/// A relationship and its inverse, or a relationship without an inverse.
struct RelationshipPair {
  /// An end of a pair: a relationship and the entity that declares it.
  struct End {
    /// The index of the entity in the document.
    let entity: Int
    let relationship: ModelDocument.Relationship
  }

  let first: End
  /// The inverse of the first relationship. It is nil if the relationship has no inverse or is its own inverse.
  let second: End?
  let isReflexive: Bool
  /// The index of the first relationship's destination entity.
  let destination: Int

  var isManyToMany: Bool {
    first.relationship.isToMany && (isReflexive || second?.relationship.isToMany == true)
  }

  /// Returns the pairs of a model, each once, in the order of their first relationships.
  static func all(of document: ModelDocument) -> [RelationshipPair] {
    struct Name: Hashable {
      var entity: Int
      var relationship: String
    }

    let indexes = Dictionary(document.entities.enumerated().map { ($1.name, $0) }) { first, _ in first }
    var ends: [Name: End] = [:]
    for (index, entity) in document.entities.enumerated() {
      for relationship in entity.relationships {
        ends[Name(entity: index, relationship: relationship.name)] = End(entity: index, relationship: relationship)
      }
    }
    /// Returns the end with a name in an entity or in one that it inherits from.
    func end(_ entity: String, relationship: String) -> End? {
      var current = indexes[entity]
      while let index = current {
        if let end = ends[Name(entity: index, relationship: relationship)] { return end }
        current = document.entities[index].parent.flatMap { indexes[$0] }
      }
      return nil
    }
    var taken: Set<Name> = []
    var pairs: [RelationshipPair] = []
    for (index, entity) in document.entities.enumerated() {
      for relationship in entity.relationships {
        guard taken.insert(Name(entity: index, relationship: relationship.name)).inserted,
          let destination = indexes[relationship.destination]
        else { continue }
        let near = End(entity: index, relationship: relationship)
        let far = relationship.inverse.flatMap {
          end(relationship.inverseEntity ?? relationship.destination, relationship: $0)
        }
        let isReflexive = far.map { $0.entity == index && $0.relationship.name == relationship.name } ?? false
        if let far { taken.insert(Name(entity: far.entity, relationship: far.relationship.name)) }
        pairs.append(
          RelationshipPair(
            first: near, second: isReflexive ? nil : far, isReflexive: isReflexive, destination: destination))
      }
    }
    return pairs
  }
}
