import MachineCore

/// A model: the entities of a store, with every relationship resolved. Immutable.
///
/// A program usually declares its model once:
///
/// ```swift
/// let model = ManagedObjectModel([
///   .init(
///     "Author", attributes: [.init("name", .string, isOptional: false)],
///     relationships: [.init("books", to: "Book", inverse: "author", isToMany: true, deleteRule: .cascade)]),
///   .init(
///     "Book", attributes: [.init("title", .string, isOptional: false), .init("rating", .integer16)],
///     relationships: [.init("author", to: "Author", inverse: "books")]),
/// ])
/// ```
public final class ManagedObjectModel: Sendable {
  /// The entities in the order in which they were declared; an entity's index is its place here.
  public let entities: [EntityDescription]
  /// The names that the model's author gave to this version of it. Stores that the model creates keep them in their
  /// metadata.
  public let versionIdentifiers: [String]
  /// True if any entity has attributes that stores do not keep.
  let hasTransientAttributes: Bool
  /// True if any entity has attributes whose values may be in separate files.
  package let allowsExternalData: Bool
  /// The rules by which derived attributes are computed. They are empty, and cost no time, in a model without such
  /// attributes.
  package let derivations: Derivations
  /// The join tables in which many-to-many relationships keep their pairs.
  let joinTables: JoinTables
  /// True if any to-many relationship is many-to-many or ordered, and so has more than the keys at its other end.
  let hasPairsOrOrders: Bool
  /// The uniqueness constraints of all entities in one table, by the index of the table's root entity. The lists at the
  /// indexes of other entities are empty.
  package let uniquenessConstraints: [[UniquenessConstraint]]
  private let indexes: [String: Int]
  private let configurationIndexes: [String: [Int]]
  /// The kinds of callbacks that the entities have.
  let hooks: DeclaredCallbacks.Hooks

  /// Creates a model from declarations that are part of a program.
  ///
  /// Traps if the declarations contradict each other. Use
  /// ``init(checking:configurations:versionIdentifiers:numbering:)``, which throws instead, for declarations that are
  /// read from a file or made by a user.
  ///
  /// - Parameters:
  ///   - declarations: The entities, in the order in which the model lists them.
  ///   - configurations: The names of the entities in each configuration, by its name. A configuration is a part of the
  ///     model that may have a store for itself; an entity may be in several.
  ///   - versionIdentifiers: The names of this version of the model.
  ///   - numbering: The numbering of the entities in stores that the model creates.
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

  /// Creates a model from declarations that are data: read from a file, or made by a program's user.
  ///
  /// The parameters have the same meaning as in ``init(_:configurations:versionIdentifiers:numbering:)``.
  ///
  /// - Throws: `PersistenceError` with `.invalidModel` and a sentence that names the entity and the property if the
  ///   declarations contradict each other: two entities or properties have the same name; a destination, an inverse or
  ///   a superentity does not exist; two relationships are not each other's inverse; entities inherit from each other
  ///   in a circle; a property is inherited and declared again; a to-one relationship is ordered; a constraint or an
  ///   index is empty or names a property that does not exist or has no column; a configuration names an entity that
  ///   does not exist; the expression of a derived attribute is invalid; an entity has more than 1,997 slots; or the
  ///   model has more than 4,096 entities.
  public init(
    checking declarations: [Declaration], configurations: [String: [String]] = [:], versionIdentifiers: [String] = [],
    numbering: EntityNumbering = .byName
  ) throws(PersistenceError) {
    let resolver = try ModelResolver(declarations: declarations, numbering: numbering)
    indexes = resolver.indexes
    self.versionIdentifiers = versionIdentifiers
    configurationIndexes = try resolver.configurations(configurations)
    entities = try resolver.entities()
    hasTransientAttributes = entities.contains { !$0.transientSlots.isEmpty }
    allowsExternalData = entities.contains { !$0.externalSlots.isEmpty }
    derivations = try Derivations(entities)
    joinTables = JoinTables(entities)
    uniquenessConstraints = UniquenessConstraint.all(of: entities)
    hasPairsOrOrders = entities.contains { $0.toManys.contains { !$0.followsKeys } }
    hooks = entities.reduce(into: []) { $0.formUnion($1.hooks) }
  }

  /// Returns the entity called `name`. Traps if there is none.
  public func entity(_ name: String) -> EntityDescription {
    guard let entity = entityIfPresent(name) else {
      trapMisuse("the model has no entity \(name); it has \(entities.map(\.name).joined(separator: ", "))")
    }
    return entity
  }

  /// Returns the entity called `name`, or nil if there is none.
  public func entityIfPresent(_ name: String) -> EntityDescription? {
    indexes[name].map { entities[$0] }
  }

  /// The names of the configurations, sorted.
  public var configurations: [String] { configurationIndexes.keys.sorted() }

  /// Returns the entities of a configuration in the model's order, or all entities if `name` is nil. Traps if there is
  /// no configuration of that name.
  public func entities(forConfiguration name: String?) -> [EntityDescription] {
    guard let name else { return entities }
    guard let indexes = configurationIndexes[name] else {
      trapMisuse("the model has no configuration \(name); it has \(configurations.joined(separator: ", "))")
    }
    return indexes.map { entities[$0] }
  }
}

/// The ways in which a model numbers its entities (`Z_ENT`) in a store that it creates. An existing store keeps its
/// numbers.
public enum EntityNumbering: Hashable, Sendable {
  /// Core Data's numbering: by name without regard to case, each entity followed by those that inherit from it.
  case byName
  /// Entities are numbered in declared order, without regard to inheritance.
  case asDeclared
}
