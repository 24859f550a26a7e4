extension ModelDocument {
  /// A relationship of an entity.
  package struct Relationship: Hashable, Sendable, Codable {
    package var name: String
    /// The name of the destination entity.
    package var destination: String
    /// The name of the inverse relationship, or nil if the relationship has no inverse.
    package var inverse: String?
    /// The entity that the file names as the one of the inverse.
    package var inverseEntity: String?
    package var isOptional = false
    package var isTransient = false
    package var isToMany = false
    package var isOrdered = false
    /// The least number of objects. 0 means any number.
    package var minCount = 0
    /// The greatest number of objects. 0 means any number.
    package var maxCount = 0
    package var deletionRule: DeletionRule
    package var isIndexed = false
    package var isIndexedBySpotlight = false
    package var isStoredInTruthFile = false
    package var isSyncable: Bool?
    /// The name that the relationship had in an earlier version, or nil if it was the same.
    package var renamingIdentifier: String?
    package var versionHashModifier: String?
    package var userInfo: [UserInfoEntry] = []
    package var line = 0
  }

  /// The effects of a deletion on the objects at the other end of a relationship. The raw values are the names in the
  /// file.
  package enum DeletionRule: String, Hashable, Sendable, Codable, CaseIterable {
    case nullify = "Nullify"
    case cascade = "Cascade"
    case deny = "Deny"
    case noAction = "No Action"
  }

  /// Returns the entity with a name, or nil if the model does not have it. O(entities).
  package func entity(_ name: String) -> Entity? { entities.first { $0.name == name } }
}
