import Foundation
import MachineCore

extension ModelReader {
  /// Reads an attribute of the entity or composite called `owner`.
  func attribute(_ element: MarkupElement, of owner: String) throws(ModelError) -> ModelDocument.Attribute {
    let fields = fields(element, of: owner)
    let type = try attributeType(fields)
    let values = AttributeValues(fields: fields, declaredType: type)
    let bounds = try values.bounds()
    let lengths = try values.lengths()
    return ModelDocument.Attribute(
      name: try fields.required("name"), type: type, isOptional: try fields.boolean("optional"),
      isTransient: try fields.boolean("transient"), isDerived: try fields.boolean("derived"),
      derivationExpression: fields.filledText("derivationExpression"), defaultValue: values.defaultValue(),
      minimum: bounds.minimum, maximum: bounds.maximum, minimumLength: lengths.minimum,
      maximumLength: lengths.maximum, regularExpression: try values.regularExpression(),
      allowsExternalStorage: try fields.boolean("allowsExternalBinaryDataStorage"),
      preservesValueAfterDeletion: try fields.boolean("preserveAfterDeletion"),
      isIndexed: try fields.boolean("indexed"),
      isIndexedBySpotlight: try fields.boolean("spotlightIndexingEnabled"),
      isStoredInTruthFile: try fields.boolean("storedInTruthFile"),
      allowsCloudEncryption: try fields.boolean("allowsCloudEncryption"),
      isEphemeral: try fields.boolean("ephemeral"), isSyncable: try fields.optionalBoolean("syncable"),
      usesScalarType: try fields.optionalBoolean("usesScalarValueType"),
      valueTransformerName: fields.filledText("valueTransformerName"),
      customClassName: fields.filledText("customClassName"), renamingIdentifier: renamingIdentifier(fields),
      versionHashModifier: fields.filledText("versionHashModifier"), userInfo: try fields.userInfo(),
      line: fields.line)
  }

  /// Returns the type of an attribute. Xcode writes no type for an undefined attribute.
  private func attributeType(_ fields: ElementFields) throws(ModelError) -> ModelDocument.AttributeType {
    guard let text = fields.filledText("attributeType") else { return .undefined }
    if let type = ModelDocument.AttributeType(rawValue: text) { return type }
    // Some files have the names that Xcode and Core Data show.
    switch text {
    case "ObjectID": return .objectID
    case "Binary Data": return .value(.binary)
    default:
      let known = ModelDocument.AttributeType.allCases.map(\.rawValue).joined(separator: ", ")
      throw fields.error(
        .invalidValue, "\(QuotedText.of(text)) is no attribute type; use one of \(known)", name: "attributeType")
    }
  }
}
