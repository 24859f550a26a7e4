import Foundation
import MachineCore

/// An entity of a model: its properties and where each lies in an object.
///
/// Attributes and to-one relationships have a slot each in an object's row: those that are inherited first, in the same
/// slots as there, then the entity's own in declared order, attributes first. To-many relationships have a place of their
/// own outside the row, since a row never holds them; inherited ones come first here too.
public final class EntityDescription: Sendable {
  public let name: String
  /// The place in the model, from 0.
  public let index: Int
  /// The number under which a store knows the entity (`Z_ENT`): from 1. A store that another model made may differ.
  public let number: Int
  /// Inherited attributes first.
  public let attributes: [AttributeDescription]
  /// Inherited relationships first.
  public let relationships: [RelationshipDescription]
  /// The entity that this one inherits from; nil = none.
  public let superentity: EntityDescription?
  /// Whether there are objects of entities that inherit from this one only.
  public let isAbstract: Bool
  /// Lists of properties whose values together no two objects may share; inherited ones first.
  public let uniquenessConstraints: [[String]]
  /// The entity's own indexes, without those over what it inherits.
  public let fetchIndexes: [FetchIndexDescription]
  /// The hash that the model gives; nil = a store makes its own.
  public let versionHash: Data?
  /// The name that the entity had in the version of the model before.
  public let renamingIdentifier: String

  /// What each slot of a row holds.
  package let slots: [Slot]
  /// The to-many relationships.
  package let toManys: [ToMany]
  /// The indexes of the entity and of all that inherit from it, each followed by those that inherit from it, by name.
  package let family: [Int]
  /// The slots of transient attributes, which no store keeps, as bits.
  package let transientSlots: UInt64
  /// The slots whose values may lie in files of their own, as bits.
  package let externalSlots: UInt64
  /// How many slots are inherited.
  package let inheritedSlotCount: Int
  /// The indexes of the entity and of those that it inherits from, the nearest first.
  private let lineage: [Int]
  private let paths: [String: PropertyPath]

  // What is looked at for every object and value, ready to use.
  /// By slot, the types of the attributes; what stands at the slots of relationships has no meaning.
  let attributeTypes: [AttributeType]
  /// What the slots of a new object hold.
  let defaultValues: [Value]
  private let defaultRow: Row
  /// Whether a deletion has to look at what is at the other ends of relationships.
  let reachesOthersWhenDeleted: Bool
  /// The slots whose rows hold something else than the object shows, or than was set, and those of derived attributes, which
  /// nobody sets, as bits.
  let convertedSlots: UInt64
  /// How many bytes of strings a row is given room for that is about to be filled.
  let spareByteCount: Int
  /// What a save checks.
  let validation: EntityValidation
  /// The callbacks of the entity's objects, inherited ones first, and their kinds.
  let declaredCallbacks: [DeclaredCallbacks]
  let hooks: DeclaredCallbacks.Hooks

  init(_ parts: Parts) {
    name = parts.declaration.name
    index = parts.index
    number = parts.number
    superentity = parts.superentity
    isAbstract = parts.declaration.isAbstract
    attributes = (superentity?.attributes ?? []) + parts.declaration.attributes
    relationships = (superentity?.relationships ?? []) + parts.declaration.relationships
    uniquenessConstraints = (superentity?.uniquenessConstraints ?? []) + parts.declaration.uniquenessConstraints
    fetchIndexes = parts.declaration.fetchIndexes
    versionHash = parts.declaration.versionHash
    renamingIdentifier = parts.declaration.renamingIdentifier ?? parts.declaration.name
    let slots = (superentity?.slots ?? []) + parts.slots
    self.slots = slots
    toManys = (superentity?.toManys ?? []) + parts.toManys
    family = parts.family
    transientSlots = slots.indices.reduce(0) { slots[$1].isStored ? $0 : $0 | 1 << UInt64($1) }
    externalSlots = slots.indices.reduce(0) { bits, slot in
      guard case .attribute(let attribute) = slots[slot], attribute.mayBeExternal else { return bits }
      return bits | 1 << UInt64(slot)
    }
    inheritedSlotCount = superentity?.slots.count ?? 0
    lineage = [parts.index] + (superentity?.lineage ?? [])
    paths = (superentity?.paths ?? [:]).merging(parts.paths) { inherited, _ in inherited }
    attributeTypes = slots.map { if case .attribute(let attribute) = $0 { attribute.type } else { .integer64 } }
    defaultValues = slots.map { slot in
      if case .attribute(let attribute) = slot { attribute.stored(attribute.defaultValue) } else { .null }
    }
    let callbacks = parts.declaration.declaredCallbacks
    declaredCallbacks = (superentity?.declaredCallbacks ?? []) + (callbacks.hooks.isEmpty ? [] : [callbacks])
    let hooks = callbacks.hooks.union(superentity?.hooks ?? [])
    self.hooks = hooks
    defaultRow = Row(version: Row.firstVersion, values: defaultValues)
    convertedSlots = slots.indices.reduce(0) { bits, slot in
      guard case .attribute(let attribute) = slots[slot] else { return bits }
      return attribute.type.isConverted || attribute.derivationExpression != nil ? bits | 1 << UInt64(slot) : bits
    }
    let longCount = slots.count { if case .attribute(let attribute) = $0 { attribute.type.isLong } else { false } }
    reachesOthersWhenDeleted =
      toManys.contains(where: \.deleteRule.reachesOthers)
      || slots.contains { if case .toOne(let toOne) = $0 { toOne.deleteRule.reachesOthers } else { false } }
    spareByteCount = longCount * Self.usualLongByteCount
    validation = EntityValidation(slots: slots, toManys: toManys, hooks: hooks)
  }

  private static let usualLongByteCount = 24

  /// A row of its own that holds what a new object does.
  func makeRow() -> Row { defaultRow.copy(spareByteCount: spareByteCount) }

  /// What an entity is made of: what it declares itself, and where it stands in its model.
  struct Parts {
    var declaration: ManagedObjectModel.Declaration
    var index: Int
    var number: Int
    var superentity: EntityDescription?
    var family: [Int]
    var slots: [Slot]
    var toManys: [ToMany]
    var paths: [String: PropertyPath]
  }

  /// Where the property called `name` lies; nil if the entity has none.
  public func pathIfPresent(_ name: String) -> PropertyPath? {
    paths[name]
  }

  /// Where the property called `name` lies. Resolve once and keep it: a look-up by name hashes a string.
  ///
  /// The path of an inherited property is that of the entity which declares it. Traps when the entity has no such property.
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

// MARK: - Inheritance

extension EntityDescription {
  /// The entity at the top of those that this one inherits from, whose table all of them share; itself where there is none.
  public var root: EntityDescription {
    var entity = self
    while let superentity = entity.superentity { entity = superentity }
    return entity
  }

  /// Whether other entities inherit from this one.
  public var hasSubentities: Bool { family.count > 1 }

  /// Whether this is the given entity or inherits from it. O(depth).
  public func isKind(of entity: EntityDescription) -> Bool {
    var candidate: EntityDescription? = self
    while let current = candidate {
      if current === entity { return true }
      candidate = current.superentity
    }
    return false
  }

  /// Whether this is the entity with the given index in the same model or inherits from it. O(depth).
  package func isKind(ofIndex index: Int) -> Bool {
    lineage.contains(index)
  }

  /// Whether the entity with the given index in the same model is this one or inherits from it. O(family).
  package func includes(_ index: Int) -> Bool {
    index == self.index || family.contains(index)
  }
}

// MARK: - By name

extension EntityDescription {
  /// The attributes by name, inherited ones included.
  public var attributesByName: [String: AttributeDescription] {
    Dictionary(attributes.map { ($0.name, $0) }) { first, _ in first }
  }

  /// The relationships by name, inherited ones included.
  public var relationshipsByName: [String: RelationshipDescription] {
    Dictionary(relationships.map { ($0.name, $0) }) { first, _ in first }
  }
}

extension ManagedObjectModel {
  /// The entities that inherit from `entity` directly, by name.
  public func subentities(of entity: EntityDescription) -> [EntityDescription] {
    entity.family.map { entities[$0] }.filter { $0.superentity === entity }
  }
}
