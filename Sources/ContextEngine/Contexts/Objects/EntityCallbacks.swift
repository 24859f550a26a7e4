import Foundation

/// The callbacks for an entity's objects. They correspond to the methods that a subclass of Core Data's
/// `NSManagedObject` overrides.
///
/// They are part of the entity's declaration. Each is called on the queue of the object's context, within the operation
/// that caused it. An entity without callbacks has no cost for them.
public struct EntityCallbacks: Sendable {
  /// A callback that takes the object that the operation affects.
  public typealias Body = @Sendable (ManagedObject) -> Void
  /// A callback that checks an object and throws an error to refuse it.
  public typealias Check = @Sendable (ManagedObject) throws -> Void

  /// A callback that is called when the object is new and has its default values. It is called again at each level that
  /// a child pushes the object into, before the child's values are taken over, as was reported of Core Data.
  public var awakeFromInsert: Body?
  /// A callback that is called after the object's fault has fired. Values that it sets do not make the object dirty.
  public var awakeFromFetch: Body?
  /// A callback that is called after the object's values were replaced by a refresh, a merge, a rollback, a merge
  /// policy, an undo or a redo. Values that it sets do not make the object dirty.
  public var awakeFromSnapshotEvents: (@Sendable (ManagedObject, SnapshotEvents) -> Void)?
  /// A callback that is called before the object is deleted, while its relationships are unchanged.
  public var prepareForDeletion: Body?
  /// A callback that is called before the object is saved. It may change the object and others. It is called again for
  /// changed objects until no more changes are made.
  public var willSave: Body?
  /// A callback that is called after the object has been saved and its changes are settled.
  public var didSave: Body?
  /// A callback that is called before a refresh turns the object into a fault and removes its values.
  public var willTurnIntoFault: Body?
  /// A callback that is called after a refresh has turned the object into a fault.
  public var didTurnIntoFault: Body?
  /// A further check of a new object in a save, after those that the model declares. An error that it throws is one of
  /// the save's failures; if it is not a `PersistenceError`, the failure has it as its `underlyingError`.
  public var validateForInsert: Check?
  /// A further check of a changed object in a save. Its errors are treated like those of ``validateForInsert``.
  public var validateForUpdate: Check?
  /// A further check of a deleted object in a save. Its errors are treated like those of ``validateForInsert``.
  public var validateForDelete: Check?
  /// A further check of an attribute's value, before the rules that the model declares. It may replace the value, and
  /// the object then gets the replacement.
  public var validateValue: (@Sendable (ManagedObject, PropertyPath, inout Value) throws -> Void)?

  /// Creates a set of callbacks that are all nil.
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

/// The events that can replace an object's values.
public struct SnapshotEvents: OptionSet, Hashable, Sendable {
  /// The events as bits.
  public let rawValue: UInt

  /// Creates events from their bits.
  public init(rawValue: UInt) {
    self.rawValue = rawValue
  }

  /// An undo or a redo has taken back the insertion of the object.
  public static let undoInsertion = SnapshotEvents(rawValue: 1 << 1)
  /// An undo or a redo has taken back the deletion of the object.
  public static let undoDeletion = SnapshotEvents(rawValue: 1 << 2)
  /// An undo or a redo has taken back a change of the object.
  public static let undoUpdate = SnapshotEvents(rawValue: 1 << 3)
  /// A rollback has restored the object's values.
  public static let rollback = SnapshotEvents(rawValue: 1 << 4)
  /// A refresh, a merge or a repeated fetch has replaced the object's values.
  public static let refresh = SnapshotEvents(rawValue: 1 << 5)
  /// A save's merge policy has replaced the object's values.
  public static let mergePolicy = SnapshotEvents(rawValue: 1 << 6)
}

// MARK: - Declaring callbacks

extension ManagedObjectModel.Declaration {
  /// Creates the declaration of an entity. The arguments become the properties of the same names. The callbacks of a
  /// superentity are called before those of the entity.
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
  /// The callbacks of the entity's objects, inherited ones first. Check `hooks` first: it shows whether there are any.
  package var callbacks: some Sequence<EntityCallbacks> {
    // All declarations are made with instances of this class.
    declaredCallbacks.lazy.map { unsafeDowncast($0, to: ObjectCallbacks.self).callbacks }
  }
}
