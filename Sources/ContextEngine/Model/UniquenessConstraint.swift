/// Properties of an entity whose values together no two objects may share, resolved.
package struct UniquenessConstraint: Sendable {
  /// In declared order.
  package let names: [String]
  package let slots: [Int]
  /// The entity whose objects, and those of all that inherit from it, keep to the constraint.
  ///
  /// The highest that has all the properties: entities that inherit from one another share a table, whose columns know
  /// nothing of which of them declared the constraint.
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

  /// The constraints of the entities of a model, each once, by the index of the root entity whose table keeps them.
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

/// The values that a row has for a constraint; two rows meet where these are equal.
///
/// Strings are equal where their bytes are, as in SQLite.
struct UniqueKey: Hashable, Sendable {
  private let parts: [Part]

  private enum Part: Hashable, Sendable {
    case text([UInt8])
    case other(Value)
  }

  /// Nil where one of the values is nothing, which meets nothing: so says SQL, and so does Core Data.
  init?(_ values: [Value]) {
    var parts: [Part] = []
    for value in values {
      switch value {
      case .null: return nil
      // Columns have no NaN.
      case .double(let number) where number.isNaN: return nil
      case .date(let seconds) where seconds.isNaN: return nil
      case .string(let string): parts.append(.text(Array(string.utf8)))
      default: parts.append(.other(value))
      }
    }
    self.parts = parts
  }

  /// What a row of the constraint's scope has.
  init?(_ row: Row, _ constraint: UniquenessConstraint) {
    self.init(constraint.slots.map { row.value(at: $0) })
  }
}
