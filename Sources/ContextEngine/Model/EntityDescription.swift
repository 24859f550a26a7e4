import Foundation
import MachineCore

/// An entity of a model: its properties and the place of each in an object.
///
/// Each attribute and each to-one relationship has a slot in an object's row. Inherited properties come first, in the
/// same slots as in the superentity, then the entity's own in declared order, attributes first. To-many relationships
/// have places in a separate list, since a row never contains them; inherited ones come first there too.
///
/// A model returns its entities by name, and an entity returns the paths of its properties:
///
/// ```swift
/// let book = model.entity("Book")
/// let title = book.path("title")
/// let request = FetchRequest(book, sortDescriptors: [FetchSortDescriptor(title)])
/// ```
public final class EntityDescription: Sendable {
  /// The name of the entity, which is unique in its model.
  public let name: String
  /// The index of the entity in its model.
  public let index: Int
  /// The number of the entity in a store that the model creates (`Z_ENT`), counted from 1. A store that another model
  /// created may use another number.
  public let number: Int
  /// The attributes, inherited ones first.
  public let attributes: [AttributeDescription]
  /// The relationships, inherited ones first.
  public let relationships: [RelationshipDescription]
  /// The entity that this one inherits from, or nil if there is none.
  public let superentity: EntityDescription?
  /// True if only entities that inherit from this one have objects.
  public let isAbstract: Bool
  /// The lists of properties whose combined values must be unique among the objects; inherited ones first.
  public let uniquenessConstraints: [[String]]
  /// The indexes that the entity declares, without inherited ones.
  public let fetchIndexes: [FetchIndexDescription]
  /// The hash that the model declares, or nil if the store computes a hash.
  public let versionHash: Data?
  /// The name that the entity had in the previous version of the model.
  public let renamingIdentifier: String

  /// The attribute or to-one relationship in each slot of a row.
  package let slots: [Slot]
  /// The to-many relationships.
  package let toManys: [ToMany]
  /// The indexes of the entity and of all entities that inherit from it, depth first, with siblings sorted by name.
  package let family: [Int]
  /// All slots of the entity.
  package let everySlot: SlotSet
  /// True if the entity has more slots than a word has bits.
  let isWide: Bool
  /// The slots of transient attributes, which stores do not keep.
  package let transientSlots: SlotSet
  /// The slots of transient attributes and of hidden relationships, which are not reported as changed.
  let unreportedSlots: SlotSet
  /// The slots whose values may be in separate files.
  package let externalSlots: SlotSet
  /// The number of inherited slots.
  package let inheritedSlotCount: Int
  /// The index of the entity, followed by the indexes of the entities that it inherits from, the nearest first.
  private let lineage: [Int]
  private let paths: [String: PropertyPath]

  // The following properties are read for every object and value and are therefore computed beforehand.
  /// The attribute types by slot; the elements at the slots of relationships have no meaning.
  let attributeTypes: [AttributeType]
  /// The values in the slots of a new object.
  let defaultValues: [Value]
  private let defaultRow: Row
  /// True if a deletion has to examine the objects at the other ends of relationships.
  let reachesOthersWhenDeleted: Bool
  /// The slots in which a row may hold another value than the one that the object shows or that was set, and
  /// the slots of derived attributes, which are computed instead of set.
  let convertedSlots: SlotSet
  /// The number of bytes for strings that a row reserves before it is filled.
  let spareByteCount: Int
  /// The checks that a save makes.
  let validation: EntityValidation
  /// The callbacks of the entity's objects, inherited ones first, and the kinds of callbacks among them.
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
    everySlot = SlotSet(slots.indices)
    isWide = slots.count > SlotSet.wordWidth
    transientSlots = SlotSet(slots.indices.filter { !slots[$0].isStored })
    unreportedSlots = SlotSet(slots.indices.filter { !slots[$0].isStored || slots[$0].isHidden })
    externalSlots = SlotSet(
      slots.indices.filter { if case .attribute(let attribute) = slots[$0] { attribute.mayBeExternal } else { false } })
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
    convertedSlots = SlotSet(
      slots.indices.filter { slot in
        guard case .attribute(let attribute) = slots[slot] else { return false }
        return attribute.type.isConverted || attribute.derivationExpression != nil
      })
    let longCount = slots.count { if case .attribute(let attribute) = $0 { attribute.type.isLong } else { false } }
    reachesOthersWhenDeleted =
      toManys.contains(where: \.deleteRule.reachesOthers)
      || slots.contains { if case .toOne(let toOne) = $0 { toOne.reachesOther } else { false } }
    spareByteCount = longCount * Self.usualLongByteCount
    validation = EntityValidation(slots: slots, toManys: toManys, hooks: hooks)
  }

  private static let usualLongByteCount = 24

  /// Creates an unshared row with the values of a new object.
  func makeRow() -> Row { defaultRow.copy(spareByteCount: spareByteCount) }

  /// The parts of an entity: its own declaration and its place in the model.
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

  /// Returns the path of the property called `name`, or nil if the entity has no such property.
  public func pathIfPresent(_ name: String) -> PropertyPath? {
    paths[name]
  }

  /// Returns the path of the property called `name`. Resolve a path once and keep it, because the look-up hashes a
  /// string.
  ///
  /// The path of an inherited property is the same as in the entity that declares it. Traps if the entity has no such
  /// property.
  public func path(_ name: String) -> PropertyPath {
    guard let path = paths[name] else {
      trapMisuse("entity \(self.name) has no property \(name); it has \(propertyNames.joined(separator: ", "))")
    }
    return path
  }

  /// The names of all properties that the model declares, in the order of the slots and then of the to-many
  /// relationships.
  var propertyNames: [String] { slots.filter { !$0.isHidden }.map(\.name) + toManys.map(\.name) }

  /// Returns the name of the property at `path`.
  package func propertyName(at path: PropertyPath) -> String {
    path.isToMany ? toManys[path.slot].name : slots[path.slot].name
  }
}

// MARK: - Inheritance

extension EntityDescription {
  /// The topmost entity that this one inherits from, whose table all its subentities share, or the entity itself if it
  /// inherits from no other.
  public var root: EntityDescription {
    var entity = self
    while let superentity = entity.superentity { entity = superentity }
    return entity
  }

  /// True if other entities inherit from this one.
  public var hasSubentities: Bool { family.count > 1 }

  /// Returns true if this entity is the given one or inherits from it. O(depth).
  public func isKind(of entity: EntityDescription) -> Bool {
    var candidate: EntityDescription? = self
    while let current = candidate {
      if current === entity { return true }
      candidate = current.superentity
    }
    return false
  }

  /// Returns true if this entity is the one with the given index in the same model or inherits from it. O(depth).
  package func isKind(ofIndex index: Int) -> Bool {
    lineage.contains(index)
  }

  /// Returns true if the entity with the given index in the same model is this one or inherits from it. O(family).
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
  /// Returns the entities that inherit from `entity` directly, sorted by name.
  public func subentities(of entity: EntityDescription) -> [EntityDescription] {
    entity.family.map { entities[$0] }.filter { $0.superentity === entity }
  }
}
