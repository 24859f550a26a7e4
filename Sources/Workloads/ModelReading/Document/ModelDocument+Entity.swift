extension ModelDocument {
  /// An entity with its own properties, without inherited ones.
  package struct Entity: Hashable, Sendable, Codable {
    package var name: String
    /// The name of the entity that this one inherits from, or nil if it is a root.
    package var parent: String?
    package var isAbstract = false
    /// The name of the class of the entity's objects.
    package var representedClassName: String?
    /// The kind of code that Xcode generates for the class: `class`, `category` or another text.
    package var codeGeneration: String?
    package var isSyncable: Bool?
    package var attributes: [Attribute] = []
    package var relationships: [Relationship] = []
    package var fetchedProperties: [FetchedProperty] = []
    package var fetchIndexes: [FetchIndex] = []
    /// The indexes over several properties of models from before Xcode 9, each as the names of its properties.
    package var compoundIndexes: [PropertyList] = []
    package var uniquenessConstraints: [PropertyList] = []
    /// The name that the entity had in an earlier version, or nil if it was the same.
    package var renamingIdentifier: String?
    package var versionHashModifier: String?
    package var coreSpotlightDisplayName: String?
    package var userInfo: [UserInfoEntry] = []
    package var line = 0
  }

  /// A list of properties, such as those of a uniqueness constraint.
  package struct PropertyList: Hashable, Sendable, Codable {
    package var properties: [String]
    package var line: Int
  }

  /// An index that a store keeps over properties of an entity.
  package struct FetchIndex: Hashable, Sendable, Codable {
    package var name: String
    package var elements: [Element]
    /// The predicate of the objects that are in the index, or nil if all are.
    package var partialPredicate: String?
    package var line: Int

    /// A property or an expression of an index.
    package struct Element: Hashable, Sendable, Codable {
      package var property: String?
      package var expression: String?
      package var expressionType: String?
      /// The kind of the index: `Binary`, `RTree` or another text.
      package var type: String
      package var isAscending: Bool
      package var line: Int
    }
  }

  /// A property whose objects a fetch request finds.
  package struct FetchedProperty: Hashable, Sendable, Codable {
    package var name: String
    package var isOptional: Bool
    package var fetchRequest: FetchRequest?
    package var renamingIdentifier: String?
    package var versionHashModifier: String?
    package var isSyncable: Bool?
    package var userInfo: [UserInfoEntry]
    package var line: Int
  }

  /// A fetch request template of the model, or the request of a fetched property.
  package struct FetchRequest: Hashable, Sendable, Codable {
    package var name: String
    package var entity: String?
    package var predicate: String?
    package var fetchLimit: Int?
    package var fetchBatchSize: Int?
    /// The kind of the results: 0 for objects, 1 for object IDs, 2 for dictionaries.
    package var resultType: Int?
    package var includesSubentities: Bool
    package var includesPropertyValues: Bool
    package var returnsObjectsAsFaults: Bool
    package var includesPendingChanges: Bool
    package var returnsDistinctResults: Bool
    package var userInfo: [UserInfoEntry]
    package var line: Int
  }
}
