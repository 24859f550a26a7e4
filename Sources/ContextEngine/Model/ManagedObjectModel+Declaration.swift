import Foundation

extension ManagedObjectModel {
  /// The declaration of an entity, before its relationships are resolved.
  public struct Declaration: Sendable {
    /// The name of the entity, which must be unique in its model.
    public var name: String
    /// The entity's own attributes, without inherited ones.
    public var attributes: [AttributeDescription]
    /// The entity's own relationships, without inherited ones.
    public var relationships: [RelationshipDescription]
    /// The name of the entity from which this one inherits all properties, or nil if there is none.
    public var superentity: String?
    /// True if only entities that inherit from this one have objects.
    public var isAbstract: Bool
    /// The lists of attributes and to-one relationships whose combined values must be unique among the objects.
    /// Inherited constraints apply too.
    public var uniquenessConstraints: [[String]]
    /// The indexes of the entity, without inherited ones.
    public var fetchIndexes: [FetchIndexDescription]
    /// The hash that identifies this version of the entity in a store, if it is known, for example from a model that
    /// Apple's tools compiled. If it is nil, the engine computes a hash.
    public var versionHash: Data?
    /// The name that the entity had in the previous version of the model; nil if it had the same name.
    public var renamingIdentifier: String?
    /// The callbacks of the entity's objects.
    let declaredCallbacks: DeclaredCallbacks

    init(
      _ name: String, attributes: [AttributeDescription], relationships: [RelationshipDescription],
      superentity: String?, isAbstract: Bool, uniquenessConstraints: [[String]],
      fetchIndexes: [FetchIndexDescription], versionHash: Data?, renamingIdentifier: String?,
      declaredCallbacks: DeclaredCallbacks
    ) {
      self.name = name
      self.attributes = attributes
      self.relationships = relationships
      self.superentity = superentity
      self.isAbstract = isAbstract
      self.uniquenessConstraints = uniquenessConstraints
      self.fetchIndexes = fetchIndexes
      self.versionHash = versionHash
      self.renamingIdentifier = renamingIdentifier
      self.declaredCallbacks = declaredCallbacks
    }
  }
}
