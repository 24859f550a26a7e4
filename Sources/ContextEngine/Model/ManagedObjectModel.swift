import MachineCore

/// The entities of a store, with every relationship resolved. Immutable.
public final class ManagedObjectModel: Sendable {
  /// In the order in which they were declared; an entity's index is its place here.
  public let entities: [EntityDescription]
  private let indexes: [String: Int]

  /// One entity as it is declared, before its relationships are resolved.
  public struct Declaration: Sendable {
    public var name: String
    public var attributes: [AttributeDescription]
    public var relationships: [RelationshipDescription]

    public init(
      _ name: String, attributes: [AttributeDescription], relationships: [RelationshipDescription] = []
    ) {
      self.name = name
      self.attributes = attributes
      self.relationships = relationships
    }
  }

  /// Resolves the declarations.
  ///
  /// Traps when they do not fit together (two of one name, a destination or an inverse that is not there, an inverse
  /// that leads elsewhere, a relationship whose both ends are to-many, more than 64 slots), since a model is code.
  public init(_ declarations: [Declaration]) {
    var indexes: [String: Int] = [:]
    for (index, declaration) in declarations.enumerated() {
      guard indexes.updateValue(index, forKey: declaration.name) == nil else {
        trapMisuse("the model declares entity \(declaration.name) twice")
      }
    }
    self.indexes = indexes
    let resolver = ModelResolver(declarations: declarations, indexes: indexes)
    entities = declarations.indices.map { resolver.entity(at: $0) }
  }

  /// The entity called `name`. Traps when there is none.
  public func entity(_ name: String) -> EntityDescription {
    guard let index = indexes[name] else {
      trapMisuse("the model has no entity \(name); it has \(entities.map(\.name).joined(separator: ", "))")
    }
    return entities[index]
  }
}

/// Turns declarations into entities whose relationships know where their inverses lie.
private struct ModelResolver {
  let declarations: [ManagedObjectModel.Declaration]
  let indexes: [String: Int]
  private let paths: [[String: PropertyPath]]

  init(declarations: [ManagedObjectModel.Declaration], indexes: [String: Int]) {
    self.declarations = declarations
    self.indexes = indexes
    paths = declarations.enumerated().map { Self.paths(of: $1, at: $0) }
  }

  func entity(at index: Int) -> EntityDescription {
    let declaration = declarations[index]
    var slots = declaration.attributes.map(EntityDescription.Slot.attribute)
    var toManys: [EntityDescription.ToMany] = []
    for relationship in declaration.relationships {
      let (destination, inverse) = resolve(relationship, of: declaration)
      if relationship.isToMany {
        toManys.append(
          .init(
            name: relationship.name, destination: destination, inverse: inverse,
            deleteRule: relationship.deleteRule, isOptional: relationship.isOptional, minCount: relationship.minCount,
            maxCount: relationship.maxCount))
      } else {
        slots.append(
          .toOne(
            .init(
              name: relationship.name, destination: destination, inverse: inverse,
              deleteRule: relationship.deleteRule, isOptional: relationship.isOptional)))
      }
    }
    guard slots.count <= 64 else {
      trapMisuse("entity \(declaration.name) has \(slots.count) attributes and to-one relationships; 64 are possible")
    }
    return EntityDescription(
      name: declaration.name, index: index, attributes: declaration.attributes,
      relationships: declaration.relationships, slots: slots, toManys: toManys, paths: paths[index])
  }

  private static func paths(
    of declaration: ManagedObjectModel.Declaration, at index: Int
  ) -> [String: PropertyPath] {
    var paths: [String: PropertyPath] = [:]
    func add(_ name: String, _ path: PropertyPath) {
      guard paths.updateValue(path, forKey: name) == nil else {
        trapMisuse("entity \(declaration.name) declares property \(name) twice")
      }
    }
    for (slot, attribute) in declaration.attributes.enumerated() {
      add(attribute.name, PropertyPath(entity: index, slot: slot, kind: .attribute))
    }
    let toOnes = declaration.relationships.filter { !$0.isToMany }
    for (offset, relationship) in toOnes.enumerated() {
      let slot = declaration.attributes.count + offset
      add(relationship.name, PropertyPath(entity: index, slot: slot, kind: .toOne))
    }
    for (slot, relationship) in declaration.relationships.filter(\.isToMany).enumerated() {
      add(relationship.name, PropertyPath(entity: index, slot: slot, kind: .toMany))
    }
    return paths
  }

  private func resolve(
    _ relationship: RelationshipDescription, of declaration: ManagedObjectModel.Declaration
  ) -> (destination: Int, inverse: PropertyPath) {
    let title = "relationship \(declaration.name).\(relationship.name)"
    guard let destination = indexes[relationship.destination] else {
      trapMisuse("\(title) leads to entity \(relationship.destination), which the model does not have")
    }
    let far = declarations[destination]
    guard let back = far.relationships.first(where: { $0.name == relationship.inverse }),
      let inverse = paths[destination][relationship.inverse]
    else {
      trapMisuse("\(title) names \(far.name).\(relationship.inverse) as its inverse, which does not exist")
    }
    guard back.destination == declaration.name, back.inverse == relationship.name else {
      trapMisuse("\(title) and \(far.name).\(back.name) are not each other's inverse")
    }
    guard !(relationship.isToMany && back.isToMany) else {
      trapMisuse("\(title) is to-many at both ends; one end must be to-one")
    }
    return (destination, inverse)
  }
}
