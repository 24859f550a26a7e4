/// The figures of a model: how many parts of each kind it has.
///
/// Properties count once, in the entity that declares them. The coding keys are in snake case.
package struct ModelSummary: Hashable, Sendable, Codable {
  /// The kind of the inspected file, which is `model`.
  package var kind = "model"
  /// The number of versions in the model's bundle.
  package var versions: Int
  package var versionNames: [String]
  /// The version that the bundle names as its current one, or nil if it does not name one.
  package var currentVersion: String?
  /// The version that the figures describe.
  package var version: String
  package var entities: Int
  /// The number of entities that inherit from no other.
  package var rootEntities: Int
  package var abstractEntities: Int
  package var attributes: Int
  /// The number of attributes of each type, by the name of the type in the file.
  package var attributeTypes: [String: Int]
  /// The number of transient attributes.
  package var transient: Int
  package var derived: Int
  /// The number of attributes with a default value.
  package var withDefault: Int
  /// The number of attributes with an index of their own, as models from before Xcode 9 declare it.
  package var indexedAttributes: Int
  package var relationships: Int
  package var toMany: Int
  package var ordered: Int
  package var withoutInverse: Int
  /// The number of pairs of to-many relationships that are each other's inverse. A relationship that is its own inverse
  /// is a pair.
  package var manyToManyPairs: Int
  /// The number of relationships with each deletion rule, by the name of the rule in the file.
  package var deletionRules: [String: Int]
  package var uniquenessConstraints: Int
  /// The number of uniqueness constraints over several properties.
  package var compoundUniqueness: Int
  package var fetchIndexes: Int
  /// The number of indexes over several properties, as models from before Xcode 9 declare them.
  package var compoundIndexes: Int
  package var fetchedProperties: Int
  package var fetchRequests: Int
  package var configurations: Int
  package var composites: Int
  /// The number of elements, attributes and texts that the reader does not know.
  package var unknownItems: Int
  /// The remarks about the file, each in one line.
  package var remarks: [String]

  /// Creates the figures of a model.
  package init(_ document: ModelDocument) {
    versions = document.versions.count
    versionNames = document.versions
    currentVersion = document.currentVersion
    version = document.version
    let all = document.entities
    entities = all.count
    rootEntities = all.count { $0.parent == nil }
    abstractEntities = all.count(where: \.isAbstract)
    let attributes = all.flatMap(\.attributes)
    self.attributes = attributes.count
    attributeTypes = Dictionary(attributes.map { ($0.type.rawValue, 1) }, uniquingKeysWith: +)
    transient = attributes.count(where: \.isTransient)
    derived = attributes.count(where: \.isDerived)
    withDefault = attributes.count { $0.defaultValue != nil }
    indexedAttributes = attributes.count(where: \.isIndexed)
    let relationships = all.flatMap(\.relationships)
    self.relationships = relationships.count
    toMany = relationships.count(where: \.isToMany)
    ordered = relationships.count { $0.isOrdered && $0.isToMany }
    withoutInverse = relationships.count { $0.inverse == nil }
    manyToManyPairs = RelationshipPair.all(of: document).count(where: \.isManyToMany)
    deletionRules = Dictionary(relationships.map { ($0.deletionRule.rawValue, 1) }, uniquingKeysWith: +)
    uniquenessConstraints = all.reduce(0) { $0 + $1.uniquenessConstraints.count }
    compoundUniqueness = all.flatMap(\.uniquenessConstraints).count { $0.properties.count > 1 }
    fetchIndexes = all.reduce(0) { $0 + $1.fetchIndexes.count }
    compoundIndexes = all.reduce(0) { $0 + $1.compoundIndexes.count }
    fetchedProperties = all.reduce(0) { $0 + $1.fetchedProperties.count }
    fetchRequests = document.fetchRequests.count
    configurations = document.configurations.count
    composites = document.composites.count
    unknownItems = document.unknownItems.count
    remarks = document.remarks.map(\.description)
  }
}
