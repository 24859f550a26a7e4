import ContextEngine
import MachineCore
import Workloads

/// The schema of a workload as a model of the engine, with the paths of its properties.
package struct EngineSchema: Sendable {
  package let schema: WorkloadSchema
  package let model: ManagedObjectModel
  package let entities: [Entity]

  /// An entity with the paths of its properties, in the order of the schema's lists.
  package struct Entity: Sendable {
    package let description: EntityDescription
    package let key: PropertyPath
    package let attributes: [PropertyPath]
    package let links: [Link]
    /// The properties that a cell shows. `note` is the last of them.
    package let shown: [PropertyPath]
    package let note: PropertyPath
    package let sortDescriptors: [FetchSortDescriptor]
  }

  package struct Link: Sendable {
    package let path: PropertyPath
    /// The index of the link's destination entity.
    package let target: Int
  }

  /// Makes the model of a schema, which may come from a feed.
  ///
  /// - Parameters:
  ///   - schema: The entities of the workload.
  ///   - indexesKeys: True if a store keeps an index over each entity's key.
  /// - Throws: `PersistenceError` with `.invalidModel` if no model can be made of the schema.
  package init(_ schema: WorkloadSchema, indexesKeys: Bool = false) throws(PersistenceError) {
    self.schema = schema
    model = try ManagedObjectModel(
      checking: schema.entities.indices.map { Self.declaration(of: $0, schema, indexesKey: indexesKeys) },
      // The numbers are in every row. Other numbers would change the length of rows, and thereby results.
      numbering: .asDeclared)
    let model = model
    entities = schema.entities.map { entity in
      let description = model.entity(entity.name)
      return Entity(
        description: description,
        key: description.path(entity.keyAttribute.name),
        attributes: entity.attributes.map { description.path($0.name) },
        links: entity.links.map {
          Link(path: description.path($0.name), target: model.entity($0.targetEntity).index)
        },
        shown: entity.shownAttributes.map { description.path($0.name) },
        note: description.path(WorkloadSchema.Entity.editedAttribute.name),
        sortDescriptors: entity.sortAttributes.map { FetchSortDescriptor(description.path($0.name)) })
    }
  }

  private static func declaration(
    of index: Int, _ schema: WorkloadSchema, indexesKey: Bool
  ) -> ManagedObjectModel.Declaration {
    let entity = schema.entities[index]
    let attributes = entity.allAttributes.enumerated().map { place, attribute in
      AttributeDescription(
        attribute.name, type(of: attribute), isOptional: attribute.isOptional,
        isIndexed: indexesKey && place == entity.keyIndex)
    }
    let toOnes = entity.links.map {
      RelationshipDescription($0.name, to: $0.targetEntity, inverse: $0.inverseName)
    }
    let toManys = schema.inverses(of: index).map { inverse in
      RelationshipDescription(
        inverse.name, to: schema.entities[inverse.sourceEntity].name,
        inverse: schema.entities[inverse.sourceEntity].links[inverse.sourceLink].name, isToMany: true,
        deleteRule: inverse.deleteRule == .cascade ? .cascade : .nullify)
    }
    return ManagedObjectModel.Declaration(entity.name, attributes: attributes, relationships: toOnes + toManys)
  }

  private static func type(of attribute: WorkloadSchema.Attribute) -> AttributeType {
    switch attribute.type {
    case .integer64: .integer64
    case .double: .double
    case .boolean: .boolean
    case .date: .date
    case .string: .string
    }
  }
}

// MARK: - Values

extension Value {
  package init(_ value: FieldValue) {
    switch value {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .double(let value): self = .double(value)
    case .boolean(let value): self = .boolean(value)
    case .date(let value): self = .date(value)
    case .string(let value): self = .string(value)
    }
  }
}

extension FieldValue {
  /// Creates the value of an attribute. Traps for a reference and for types that no workload has.
  package init(_ value: Value) {
    switch value {
    case .null: self = .null
    case .integer(let value): self = .integer(value)
    case .double(let value): self = .double(value)
    case .boolean(let value): self = .boolean(value)
    case .date(let value): self = .date(value)
    case .string(let value): self = .string(value)
    case .object(let objectID): trapMisuse("\(objectID) is a reference, not the value of an attribute")
    case .decimal, .binary, .uuid, .uri, .transformable:
      trapMisuse("\(value) is of a type that no workload has")
    }
  }
}
