import Foundation

extension ManagedObjectModel {
  /// One entity as it is declared, before its relationships are resolved.
  public struct Declaration: Sendable {
    public var name: String
    /// The entity's own attributes, without those that it inherits.
    public var attributes: [AttributeDescription]
    /// The entity's own relationships, without those that it inherits.
    public var relationships: [RelationshipDescription]
    /// The name of the entity from which this one inherits all properties; nil = none.
    public var superentity: String?
    /// Whether there are objects of entities that inherit from this one only.
    public var isAbstract: Bool
    /// Lists of attributes and to-one relationships whose values together no two objects may share; inherited ones hold
    /// besides.
    public var uniquenessConstraints: [[String]]
    public var fetchIndexes: [FetchIndexDescription]
    /// The hash that a store has of this entity where it is known, as from a model that Apple's tools compiled; nil = one
    /// of the engine's own.
    public var versionHash: Data?
    /// The name that the entity had in the version of the model before; nil = this one.
    public var renamingIdentifier: String?
    /// The callbacks of the entity's objects.
    var declaredCallbacks: DeclaredCallbacks

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
