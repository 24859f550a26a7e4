import Foundation

/// What is called in the lives of an entity's objects, where a subclass of Core Data's `NSManagedObject` overrides methods.
///
/// Part of the entity's declaration. Everything is called on the queue of the object's context, inside whatever led to it.
/// An entity without callbacks pays for none.
public struct EntityCallbacks: Sendable {
  public typealias Body = @Sendable (ManagedObject) -> Void
  public typealias Check = @Sendable (ManagedObject) throws -> Void

  /// The object is new: it has its defaults. Called again at each level that a child pushes the object into, before the
  /// child's values are taken over, as was reported of Core Data.
  public var awakeFromInsert: Body?
  /// The object's fault has fired. What is set in here is no change: the object does not become dirty by it.
  public var awakeFromFetch: Body?
  /// The object's values were replaced: by a refresh, a rollback, a merge policy, an undo or a redo. What is set in here is
  /// no change either.
  public var awakeFromSnapshotEvents: (@Sendable (ManagedObject, SnapshotEvents) -> Void)?
  /// The object is about to be deleted; its relationships are as they were.
  public var prepareForDeletion: Body?
  /// The object is about to be saved. It may be changed, and others with it; whatever changed is called again, until nothing
  /// changes any more.
  public var willSave: Body?
  /// The object has been saved; its changes are settled.
  public var didSave: Body?
  /// A refresh is about to take the object's values away, and has done so.
  public var willTurnIntoFault: Body?
  public var didTurnIntoFault: Body?
  /// Further checks of a save, after those that the model declares. Each error that they throw is one of the save's failures; if
  /// it is not a `PersistenceError`, the failure has it as its `underlyingError`.
  public var validateForInsert: Check?
  public var validateForUpdate: Check?
  public var validateForDelete: Check?
  /// A further check of an attribute's value, before the rules that the model declares. It may put another value in its
  /// place, which the object then gets.
  public var validateValue: (@Sendable (ManagedObject, PropertyPath, inout Value) throws -> Void)?

  public init() {}

  typealias Hooks = DeclaredCallbacks.Hooks

  /// The kinds of callbacks that are set.
  var hooks: Hooks {
    var hooks: Hooks = []
    if awakeFromInsert != nil { hooks.insert(.awakeFromInsert) }
    if awakeFromFetch != nil { hooks.insert(.awakeFromFetch) }
    if awakeFromSnapshotEvents != nil { hooks.insert(.awakeFromSnapshotEvents) }
    if prepareForDeletion != nil { hooks.insert(.prepareForDeletion) }
    if willSave != nil { hooks.insert(.willSave) }
    if didSave != nil { hooks.insert(.didSave) }
    if willTurnIntoFault != nil || didTurnIntoFault != nil { hooks.insert(.turningIntoFault) }
    if validateForInsert != nil { hooks.insert(.validateForInsert) }
    if validateForUpdate != nil { hooks.insert(.validateForUpdate) }
    if validateForDelete != nil { hooks.insert(.validateForDelete) }
    if validateValue != nil { hooks.insert(.validateValue) }
    return hooks
  }
}

/// What replaced an object's values.
public struct SnapshotEvents: OptionSet, Hashable, Sendable {
  public let rawValue: UInt

  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  public static let undoInsertion = SnapshotEvents(rawValue: 1 << 1)
  public static let undoDeletion = SnapshotEvents(rawValue: 1 << 2)
  public static let undoUpdate = SnapshotEvents(rawValue: 1 << 3)
  public static let rollback = SnapshotEvents(rawValue: 1 << 4)
  public static let refresh = SnapshotEvents(rawValue: 1 << 5)
  public static let mergePolicy = SnapshotEvents(rawValue: 1 << 6)
}

// MARK: - Declaring callbacks

extension ManagedObjectModel.Declaration {
  /// What is called in the lives of the entity's objects; those of a superentity come first.
  public var callbacks: EntityCallbacks {
    get { (declaredCallbacks as? ObjectCallbacks)?.callbacks ?? EntityCallbacks() }
    set { declaredCallbacks = ObjectCallbacks(newValue) }
  }

  public init(
    _ name: String, attributes: [AttributeDescription], relationships: [RelationshipDescription] = [],
    superentity: String? = nil, isAbstract: Bool = false, uniquenessConstraints: [[String]] = [],
    fetchIndexes: [FetchIndexDescription] = [], versionHash: Data? = nil, renamingIdentifier: String? = nil,
    callbacks: EntityCallbacks = EntityCallbacks()
  ) {
    self.init(
      name, attributes: attributes, relationships: relationships, superentity: superentity, isAbstract: isAbstract,
      uniquenessConstraints: uniquenessConstraints, fetchIndexes: fetchIndexes, versionHash: versionHash,
      renamingIdentifier: renamingIdentifier, declaredCallbacks: ObjectCallbacks(callbacks))
  }
}

/// The callbacks of one entity, as its declaration keeps them.
// `@unchecked Sendable`: immutable.
private final class ObjectCallbacks: DeclaredCallbacks, @unchecked Sendable {
  let callbacks: EntityCallbacks

  init(_ callbacks: EntityCallbacks) {
    self.callbacks = callbacks
    super.init(callbacks.hooks)
  }
}

extension EntityDescription {
  /// The callbacks of the entity's objects, inherited ones first. Entities without any are found out by `hooks` first.
  var callbacks: some Sequence<EntityCallbacks> {
    // Declarations are made with nothing else.
    declaredCallbacks.lazy.map { unsafeDowncast($0, to: ObjectCallbacks.self).callbacks }
  }
}
