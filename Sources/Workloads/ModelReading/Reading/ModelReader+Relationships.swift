import MachineCore

extension ModelReader {
  func relationship(_ element: MarkupElement, of entity: String) throws(ModelError) -> ModelDocument.Relationship {
    let fields = fields(element, of: entity)
    let isToMany = try fields.boolean("toMany")
    let minCount = try fields.count("minCount") ?? 0
    let maxCount = try fields.count("maxCount") ?? (isToMany ? 0 : 1)
    guard minCount <= maxCount || maxCount == 0 else {
      throw fields.error(.invalidValue, "\(minCount) is above the maxCount \(maxCount)", name: "minCount")
    }
    if !isToMany, maxCount != 1 {
      fields.remark("a to-one relationship leads to one object at most; \(maxCount) has no effect", name: "maxCount")
    }
    let inverse = fields.filledText("inverseName")
    if inverse == nil, fields.filledText("inverseEntity") != nil {
      fields.remark("the entity of the inverse has no effect without inverseName", name: "inverseEntity")
    }
    return ModelDocument.Relationship(
      name: try fields.required("name"), destination: try fields.required("destinationEntity"), inverse: inverse,
      inverseEntity: fields.filledText("inverseEntity"), isOptional: try fields.boolean("optional"),
      isTransient: try fields.boolean("transient"), isToMany: isToMany, isOrdered: try fields.boolean("ordered"),
      minCount: minCount, maxCount: isToMany ? maxCount : 1, deletionRule: try deletionRule(fields),
      isIndexed: try fields.boolean("indexed"), isIndexedBySpotlight: try fields.boolean("spotlightIndexingEnabled"),
      isStoredInTruthFile: try fields.boolean("storedInTruthFile"),
      isSyncable: try fields.optionalBoolean("syncable"), renamingIdentifier: renamingIdentifier(fields),
      versionHashModifier: fields.filledText("versionHashModifier"), userInfo: try fields.userInfo(),
      line: fields.line)
  }

  private func deletionRule(_ fields: ElementFields) throws(ModelError) -> ModelDocument.DeletionRule {
    guard let text = fields.filledText("deletionRule") else { return .nullify }
    guard let rule = ModelDocument.DeletionRule(rawValue: text) else {
      let known = ModelDocument.DeletionRule.allCases.map(\.rawValue).joined(separator: ", ")
      throw fields.error(
        .invalidValue, "\(QuotedText.of(text)) is no deletion rule; use one of \(known)", name: "deletionRule")
    }
    return rule
  }
}
