import ContextEngine
import Harness
import InputFiles
import MachineSimulated

// MARK: - Entities

extension PublishedTableReader {
  private static let attributeKeys = ["type", "length", "indexed", "optional", "distinct", "every"]
  /// The types for which values can be generated.
  private static let types = AttributeType.allCases.filter { $0 != .uri }

  func entities(_ root: YAMLMapping) throws(YAMLError) -> [PublishedTable.Entity] {
    let mapping = try root.mapping("entities", keys: nil)
    var entities: [PublishedTable.Entity] = []
    for name in mapping.keys {
      let entity = try mapping.mapping(name, keys: ["attributes", "relationships", "unique"])
      guard entity.has("attributes") else {
        throw mapping.error(
          name, "has no attributes; give it at least one, as in attributes: {number: {type: integer64}}")
      }
      let attributes = try self.attributes(entity)
      entities.append(
        PublishedTable.Entity(
          name: name, attributes: attributes,
          relationships: entity.has("relationships") ? try relationships(entity) : [],
          uniquenessConstraints: entity.has("unique") ? try constraints(entity, attributes) : []))
    }
    do throws(PersistenceError) {
      try PublishedTable.checkModel(of: entities)
    } catch {
      throw root.error("entities", error.message)
    }
    return entities
  }

  private func attributes(_ entity: YAMLMapping) throws(YAMLError) -> [PublishedTable.Attribute] {
    let mapping = try entity.mapping("attributes", keys: nil)
    var attributes: [PublishedTable.Attribute] = []
    for name in mapping.keys {
      let attribute = try mapping.mapping(name, keys: Self.attributeKeys)
      let type = try attribute.type(of: Self.types)
      let hasLength = type == .string || type == .binary || type == .transformable
      if attribute.has("length"), !hasLength {
        throw attribute.error("length", "attributes of type \(type) have no length; leave it out")
      }
      attributes.append(
        PublishedTable.Attribute(
          name: name, type: type, isIndexed: attribute.has("indexed") ? try attribute.boolean("indexed") : false,
          isOptional: attribute.has("optional") ? try attribute.boolean("optional") : true,
          length: hasLength ? try attribute.integer("length", in: 1...1_000_000) : 0,
          distinctCount: attribute.has("distinct") ? try attribute.integer("distinct", in: 1...Self.countLimit) : nil,
          interval: attribute.has("every") ? try attribute.integer("every", in: 1...Self.countLimit) : 1))
      if attributes[attributes.count - 1].interval > 1, !attributes[attributes.count - 1].isOptional {
        throw attribute.error("every", "leaves objects without a value that is not optional; use optional: true")
      }
    }
    guard !attributes.isEmpty else { throw entity.error("attributes", "empty; give at least one attribute") }
    return attributes
  }

  private func relationships(_ entity: YAMLMapping) throws(YAMLError) -> [PublishedTable.Relationship] {
    let mapping = try entity.mapping("relationships", keys: nil)
    var relationships: [PublishedTable.Relationship] = []
    for name in mapping.keys {
      let relationship = try mapping.mapping(name, keys: ["to", "inverse", "many", "delete"])
      relationships.append(
        PublishedTable.Relationship(
          name: name, destination: try relationship.text("to"), inverse: try relationship.text("inverse"),
          isToMany: relationship.has("many") ? try relationship.boolean("many") : false,
          deleteRule: relationship.has("delete")
            ? try relationship.choice("delete", of: [DeleteRule.nullify, .cascade, .noAction, .deny]) : .nullify))
    }
    return relationships
  }

  private func constraints(
    _ entity: YAMLMapping, _ attributes: [PublishedTable.Attribute]
  ) throws(YAMLError) -> [[String]] {
    let constraints = try entity.textLists("unique")
    for name in constraints.flatMap(\.self) {
      guard let attribute = attributes.first(where: { $0.name == name }) else {
        throw entity.error("unique", "there is no attribute \(name); use one of the entity's attributes")
      }
      if attribute.distinctCount != nil {
        throw entity.error("unique", "\(name) has the same value in several objects; leave out its distinct")
      }
    }
    return constraints
  }
}

extension YAMLMapping {
  fileprivate func type(of types: [AttributeType]) throws(YAMLError) -> AttributeType {
    guard has("type") else {
      throw YAMLError(
        .missingKey, "missing; use one of \(types.map(\.rawValue).joined(separator: ", "))", place: place, line: line,
        key: path + "type")
    }
    return try choice("type", of: types)
  }

  /// Returns the choice whose raw value a key has.
  fileprivate func choice<Choice: RawRepresentable<String>>(
    _ key: String, of choices: [Choice]
  ) throws(YAMLError) -> Choice {
    let name = try name(key, of: choices.map(\.rawValue))
    guard let choice = Choice(rawValue: name) else { throw error(key, "\(name) is not known") }
    return choice
  }
}
