import MachineCore

/// The entities of a store, with every relationship resolved. Immutable.
public final class ManagedObjectModel: Sendable {
  /// In the order in which they were declared; an entity's index is its place here.
  public let entities: [EntityDescription]
  /// What the model's author calls this version of it; kept in the metadata of stores that it makes.
  public let versionIdentifiers: [String]
  /// Whether any entity has attributes that no store keeps.
  let hasTransientAttributes: Bool
  /// Whether any entity has attributes whose values may lie in files of their own.
  package let allowsExternalData: Bool
  /// How derived attributes are computed; empty in a model without any, which pays nothing.
  package let derivations: Derivations
  /// Where many-to-many relationships keep their pairs.
  let joinTables: JoinTables
  /// Whether any to-many relationship is more than the keys at its other end: many-to-many, or ordered.
  let hasPairsOrOrders: Bool
  /// By the index of a root entity, the constraints of all that are in its table.
  package let uniquenessConstraints: [[UniquenessConstraint]]
  private let indexes: [String: Int]
  private let configurationIndexes: [String: [Int]]
  /// What callbacks there are in any entity.
  let hooks: DeclaredCallbacks.Hooks

  /// Resolves the declarations.
  ///
  /// Traps when they do not fit together, since a model is code; ``init(checking:configurations:versionIdentifiers:numbering:)``
  /// is for models that are read from somewhere and throws instead.
  ///
  /// - Parameters:
  ///   - configurations: parts of the model that may have a store each, as lists of names of entities; an entity may be in
  ///     several.
  ///   - numbering: which entity has which number in a store that the model makes.
  public convenience init(
    _ declarations: [Declaration], configurations: [String: [String]] = [:], versionIdentifiers: [String] = [],
    numbering: EntityNumbering = .byName
  ) {
    do throws(PersistenceError) {
      try self.init(
        checking: declarations, configurations: configurations, versionIdentifiers: versionIdentifiers,
        numbering: numbering)
    } catch {
      trapMisuse(error.message)
    }
  }

  /// Resolves declarations that are data: read from a file, or made by a program's user.
  ///
  /// - Throws: `PersistenceError` with `.invalidModel` and a sentence that names entity and property when they do not fit
  ///   together: two of one name, a destination, an inverse or a superentity that is not there, an inverse that leads
  ///   elsewhere, entities that inherit from each other in a circle, a property that is inherited and declared again, a
  ///   constraint or an index over a property that is not there, an attribute derived from what cannot be read, more than
  ///   64 slots, more than 4,096 entities.
  public init(
    checking declarations: [Declaration], configurations: [String: [String]] = [:], versionIdentifiers: [String] = [],
    numbering: EntityNumbering = .byName
  ) throws(PersistenceError) {
    let resolver = try ModelResolver(declarations: declarations, numbering: numbering)
    indexes = resolver.indexes
    self.versionIdentifiers = versionIdentifiers
    configurationIndexes = try resolver.configurations(configurations)
    entities = try resolver.entities()
    hasTransientAttributes = entities.contains { $0.transientSlots != 0 }
    allowsExternalData = entities.contains { $0.externalSlots != 0 }
    derivations = try Derivations(entities)
    joinTables = JoinTables(entities)
    uniquenessConstraints = UniquenessConstraint.all(of: entities)
    hasPairsOrOrders = entities.contains { $0.toManys.contains { !$0.followsKeys } }
    hooks = entities.reduce(into: []) { $0.formUnion($1.hooks) }
  }

  /// The entity called `name`. Traps when there is none.
  public func entity(_ name: String) -> EntityDescription {
    guard let entity = entityIfPresent(name) else {
      trapMisuse("the model has no entity \(name); it has \(entities.map(\.name).joined(separator: ", "))")
    }
    return entity
  }

  /// The entity called `name`; nil when there is none.
  public func entityIfPresent(_ name: String) -> EntityDescription? {
    indexes[name].map { entities[$0] }
  }

  /// The names of the configurations, sorted.
  public var configurations: [String] { configurationIndexes.keys.sorted() }

  /// The entities of a configuration in the model's order; nil = all. Traps when there is none of that name.
  public func entities(forConfiguration name: String?) -> [EntityDescription] {
    guard let name else { return entities }
    guard let indexes = configurationIndexes[name] else {
      trapMisuse("the model has no configuration \(name); it has \(configurations.joined(separator: ", "))")
    }
    return indexes.map { entities[$0] }
  }
}

/// Which entity has which number (`Z_ENT`) in a store that a model makes; a store that exists keeps its own.
public enum EntityNumbering: Hashable, Sendable {
  /// Core Data's: by name without regard to case, each entity followed by those that inherit from it.
  case byName
  /// As they are declared, whatever inherits from what.
  case asDeclared
}
