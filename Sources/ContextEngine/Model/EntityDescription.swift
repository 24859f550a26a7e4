import MachineCore

/// An entity of a model: its properties and where each lies in an object.
///
/// Attributes and to-one relationships have a slot each in an object's row, in declared order, attributes first;
/// to-many relationships have a place of their own outside the row, since a row never holds them.
public final class EntityDescription: Sendable {
  public let name: String
  /// The place in the model, from 0.
  public let index: Int
  public let attributes: [AttributeDescription]
  public let relationships: [RelationshipDescription]

  /// What each slot of a row holds.
  package let slots: [Slot]
  /// The to-many relationships, in declared order.
  package let toManys: [ToMany]
  private let paths: [String: PropertyPath]

  // What is looked at for every object and value, ready to use.
  /// The types of the attributes, which lie in the first slots.
  let attributeTypes: [AttributeType]
  /// What the slots of a new object hold.
  let defaultValues: [Value]
  /// What a save checks.
  let validation: EntityValidation

  /// One slot of a row.
  package enum Slot: Sendable {
    case attribute(AttributeDescription)
    case toOne(ToOne)

    package var name: String {
      switch self {
      case .attribute(let attribute): attribute.name
      case .toOne(let relationship): relationship.name
      }
    }
  }

  /// A to-one relationship with its ends resolved.
  package struct ToOne: Sendable {
    package let name: String
    /// The index of the entity that it leads to.
    package let destination: Int
    /// Where the relationship back lies in the destination.
    package let inverse: PropertyPath
    package let deleteRule: DeleteRule
    package let isOptional: Bool
  }

  /// A to-many relationship with its ends resolved; its inverse is a to-one.
  package struct ToMany: Sendable {
    package let name: String
    package let destination: Int
    /// The to-one back, whose key column is in the destination's table.
    package let inverse: PropertyPath
    package let deleteRule: DeleteRule
    package let isOptional: Bool
    package let minCount: Int
    package let maxCount: Int

    var hasCountBounds: Bool { minCount > 0 || maxCount > 0 }
  }

  init(
    name: String, index: Int, attributes: [AttributeDescription], relationships: [RelationshipDescription],
    slots: [Slot], toManys: [ToMany], paths: [String: PropertyPath]
  ) {
    self.name = name
    self.index = index
    self.attributes = attributes
    self.relationships = relationships
    self.slots = slots
    self.toManys = toManys
    self.paths = paths
    attributeTypes = attributes.map(\.type)
    defaultValues = attributes.map(\.defaultValue) + Array(repeating: .null, count: slots.count - attributes.count)
    validation = EntityValidation(slots: slots, toManys: toManys)
  }

  /// The number under which a store knows the entity (`Z_ENT`): from 1.
  public var number: Int { index + 1 }

  /// Where the property called `name` lies; nil if the entity has none.
  public func pathIfPresent(_ name: String) -> PropertyPath? {
    paths[name]
  }

  /// Where the property called `name` lies. Resolve once and keep it: a look-up by name hashes a string.
  ///
  /// Traps when the entity has no such property.
  public func path(_ name: String) -> PropertyPath {
    guard let path = paths[name] else {
      let known = (slots.map(\.name) + toManys.map(\.name)).joined(separator: ", ")
      trapMisuse("entity \(self.name) has no property \(name); it has \(known)")
    }
    return path
  }

  /// The name of the property at `path`.
  package func propertyName(at path: PropertyPath) -> String {
    path.isToMany ? toManys[path.slot].name : slots[path.slot].name
  }
}
