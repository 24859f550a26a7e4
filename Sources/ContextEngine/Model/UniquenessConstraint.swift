/// A resolved uniqueness constraint: properties of an entity whose combined values must be unique among the objects.
package struct UniquenessConstraint: Sendable {
  /// The names of the properties in declared order.
  package let names: [String]
  package let slots: [Int]
  /// The entity to whose objects, including the objects of entities that inherit from it, the constraint applies.
  ///
  /// It is the highest entity that has all the properties, because entities that inherit from one another share a
  /// table, and its columns do not record which of the entities declared the constraint.
  package let scope: EntityDescription

  init(_ names: [String], of entity: EntityDescription) {
    self.names = names
    let slots = names.map { entity.path($0).slot }
    self.slots = slots
    var scope = entity
    while let superentity = scope.superentity, slots.allSatisfy({ $0 < superentity.slots.count }) {
      scope = superentity
    }
    self.scope = scope
  }

  /// Returns the constraints of the entities of a model, each once, by the index of the root entity whose table keeps
  /// them.
  static func all(of entities: [EntityDescription]) -> [[UniquenessConstraint]] {
    entities.map { root in
      guard root.superentity == nil else { return [] }
      return root.family.flatMap { index -> [UniquenessConstraint] in
        let entity = entities[index]
        let inherited = entity.superentity?.uniquenessConstraints.count ?? 0
        return entity.uniquenessConstraints[inherited...].map { UniquenessConstraint($0, of: entity) }
      }
    }
  }
}

/// The values that a row has for a constraint; two rows are in conflict if these are equal.
///
/// Strings are equal if their bytes are, as in SQLite.
struct UniqueKey: Hashable, Sendable {
  private let parts: [Part]

  private enum Part: Hashable, Sendable {
    case text([UInt8])
    case other(Value)
  }

  /// Creates a key, or nil if one of the values is null, which is in conflict with no other value in SQL and in Core
  /// Data.
  init?(_ values: [Value]) {
    var parts: [Part] = []
    for value in values {
      switch value {
      case .null: return nil
      // Columns cannot contain NaN, which is stored as NULL.
      case .double(let number) where number.isNaN: return nil
      case .date(let seconds) where seconds.isNaN: return nil
      case .string(let string): parts.append(.text(Array(string.utf8)))
      default: parts.append(.other(value))
      }
    }
    self.parts = parts
  }

  /// Creates the key of a row whose entity is in the constraint's scope, or nil if one of its values is null.
  init?(_ row: Row, for constraint: UniquenessConstraint) {
    self.init(constraint.slots.map { row.value(at: $0) })
  }
}
