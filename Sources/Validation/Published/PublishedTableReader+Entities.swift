import ContextEngine
import Harness
import InputFiles
import MachineSimulated

// MARK: - Entities

extension PublishedTableReader {
  func entities(_ root: YAMLMapping) throws(YAMLError) -> [PublishedTable.Entity] {
    let mapping = try root.mapping("entities", keys: nil)
    for name in mapping.keys {
      guard try mapping.mapping(name, keys: Self.entityKeys.names()).has("attributes") else {
        throw mapping.error(
          name, "has no attributes; give it at least one, as in attributes: {number: {type: integer64}}")
      }
    }
    let entities = try YAMLForm.named(Self.entityKeys, name: \.name) { PublishedTable.Entity(name: $0) }
      .read(root, "entities")
    do throws(PersistenceError) {
      try PublishedTable.checkModel(of: entities)
    } catch {
      throw root.error("entities", error.message)
    }
    return entities
  }

  private static let entityKeys: [YAMLKey<PublishedTable.Entity>] = [
    .standard(
      "attributes", \.attributes,
      .named(attributeKeys, name: \.name) { PublishedTable.Attribute(name: $0) }, []
    ).checked { (entity, mapping) throws(YAMLError) in
      if entity.attributes.isEmpty { throw mapping.error("attributes", "empty; give at least one attribute") }
    },
    .standard(
      "relationships", \.relationships,
      .named(relationshipKeys, name: \.name) { PublishedTable.Relationship(name: $0) }, []),
    .standard("unique", \.uniquenessConstraints, .textLists, []).checked { (entity, mapping) throws(YAMLError) in
      for name in entity.uniquenessConstraints.flatMap(\.self) {
        guard let attribute = entity.attributes.first(where: { $0.name == name }) else {
          throw mapping.error("unique", "there is no attribute \(name); use one of the entity's attributes")
        }
        if attribute.distinctCount != nil {
          throw mapping.error("unique", "\(name) has the same value in several objects; leave out its distinct")
        }
      }
    },
  ]

  /// The keys of an attribute. Values can be generated for all types but URIs.
  private static let attributeKeys: [YAMLKey<PublishedTable.Attribute>] = [
    .required("type", \.type, .choice(among: AttributeType.allCases.filter { $0 != .uri }))
      .checked { (attribute, mapping) throws(YAMLError) in
        if [.string, .binary, .transformable].contains(attribute.type) {
          _ = try mapping.text("length")
        } else if mapping.has("length") {
          throw mapping.error("length", "attributes of type \(attribute.type) have no length; leave it out")
        }
      },
    .standard("length", \.length, .integer(in: 1...1_000_000), 0), .standard("indexed", \.isIndexed, .flag, false),
    .standard("optional", \.isOptional, .flag, true), .optional("distinct", \.distinctCount, .count),
    .standard("every", \.interval, .count, 1).checked { (attribute, mapping) throws(YAMLError) in
      if attribute.interval > 1, !attribute.isOptional {
        throw mapping.error("every", "leaves objects without a value that is not optional; use optional: true")
      }
    },
  ]

  private static let relationshipKeys: [YAMLKey<PublishedTable.Relationship>] = [
    .required("to", \.destination, .text), .required("inverse", \.inverse, .text),
    .standard("many", \.isToMany, .flag, false),
    .standard(
      "delete", \.deleteRule, .choice(among: [DeleteRule.nullify, .cascade, .noAction, .deny]), .nullify),
  ]
}
