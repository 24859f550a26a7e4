/// The elements and attributes that the reader knows.
package enum ModelVocabulary {
  /// An element, the attributes that it may have, and the elements that may lie in it.
  package struct Element: Hashable, Sendable {
    package let name: String
    package let attributes: [String]
    package let children: [String]

    init(_ name: String, attributes: [String] = [], children: [String] = []) {
      self.name = name
      self.attributes = attributes
      self.children = children
    }
  }

  /// All elements that the reader knows.
  package static let elements: [Element] = [
    Element(
      "model",
      attributes: [
        "name", "type", "documentVersion", "lastSavedToolsVersion", "systemVersion", "minimumToolsVersion",
        "sourceLanguage", "macOSVersion", "iOSVersion", "usedWithCloudKit", "usedWithSwiftData",
        "userDefinedModelVersionIdentifier",
      ],
      children: [
        "entity", "configuration", "fetchRequest", "composite", "compositeAttribute", "userInfo", "elements",
      ]),
    Element(
      "entity",
      attributes: [
        "name", "representedClassName", "parentEntity", "isAbstract", "codeGenerationType", "syncable", "elementID",
        "renamingIdentifier", "versionHashModifier", "coreSpotlightDisplayNameExpression",
      ],
      children: [
        "attribute", "relationship", "fetchedProperty", "fetchIndex", "compoundIndexes", "uniquenessConstraints",
        "userInfo",
      ]),
    Element(
      "attribute",
      attributes: [
        "name", "attributeType", "optional", "transient", "derived", "derivationExpression", "defaultValueString",
        "defaultDateTimeInterval", "minValueString", "maxValueString", "minDateTimeInterval", "maxDateTimeInterval",
        "regularExpressionString", "allowsExternalBinaryDataStorage", "preserveAfterDeletion", "indexed",
        "spotlightIndexingEnabled", "storedInTruthFile", "allowsCloudEncryption", "ephemeral", "usesScalarValueType",
        "valueTransformerName", "customClassName", "syncable", "elementID", "renamingIdentifier",
        "versionHashModifier",
      ], children: ["userInfo"]),
    Element(
      "relationship",
      attributes: [
        "name", "destinationEntity", "inverseName", "inverseEntity", "optional", "transient", "toMany", "ordered",
        "minCount", "maxCount", "deletionRule", "indexed", "spotlightIndexingEnabled", "storedInTruthFile", "syncable",
        "elementID", "renamingIdentifier", "versionHashModifier",
      ], children: ["userInfo"]),
    Element(
      "fetchedProperty",
      attributes: ["name", "optional", "syncable", "elementID", "renamingIdentifier", "versionHashModifier"],
      children: ["fetchRequest", "userInfo"]),
    Element(
      "fetchRequest",
      attributes: [
        "name", "entity", "predicateString", "fetchLimit", "fetchBatchSize", "resultType", "includeSubentities",
        "includePropertyValues", "returnObjectsAsFaults", "includesPendingChanges", "returnDistinctResults",
      ], children: ["userInfo"]),
    Element("fetchIndex", attributes: ["name", "partialIndexPredicate"], children: ["fetchIndexElement"]),
    Element("fetchIndexElement", attributes: ["property", "expression", "expressionType", "type", "order"]),
    Element("compoundIndexes", children: ["compoundIndex"]),
    Element("compoundIndex", children: ["index"]),
    Element("index", attributes: ["value"]),
    Element("uniquenessConstraints", children: ["uniquenessConstraint"]),
    Element("uniquenessConstraint", children: ["constraint"]),
    Element("constraint", attributes: ["value"]),
    Element("userInfo", children: ["entry"]),
    Element("entry", attributes: ["key", "value"]),
    Element("configuration", attributes: ["name", "usedWithCloudKit"], children: ["memberEntity"]),
    Element("memberEntity", attributes: ["name"]),
    Element("composite", attributes: ["name"], children: ["attribute", "userInfo"]),
    Element("compositeAttribute", attributes: ["name"], children: ["attribute", "userInfo"]),
    Element("elements", children: ["element"]),
    Element("element", attributes: ["name", "positionX", "positionY", "width", "height"]),
  ]

  static let elementsByName = Dictionary(uniqueKeysWithValues: elements.map { ($0.name, $0) })
}
