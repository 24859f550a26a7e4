import MachineCore

extension ModelReader {
  func entity(_ element: MarkupElement) throws(ModelError) -> ModelDocument.Entity {
    let name = element.attributes["name"] ?? ""
    let fields = ElementFields(element, of: name.isEmpty ? "entity" : name, notes: notes)
    var entity = ModelDocument.Entity(
      name: try fields.required("name"), parent: fields.filledText("parentEntity"),
      isAbstract: try fields.boolean("isAbstract"), representedClassName: fields.text("representedClassName"),
      codeGeneration: fields.text("codeGenerationType"), isSyncable: try fields.optionalBoolean("syncable"),
      renamingIdentifier: renamingIdentifier(fields),
      versionHashModifier: fields.filledText("versionHashModifier"),
      coreSpotlightDisplayName: fields.filledText("coreSpotlightDisplayNameExpression"),
      userInfo: try fields.userInfo(), line: fields.line)
    for child in element.children {
      switch child.name {
      case "attribute": entity.attributes.append(try attribute(child, of: name))
      case "relationship": entity.relationships.append(try relationship(child, of: name))
      case "fetchedProperty": entity.fetchedProperties.append(try fetchedProperty(child, of: name))
      case "fetchIndex": entity.fetchIndexes.append(try fetchIndex(child, of: name))
      case "compoundIndexes":
        entity.compoundIndexes += try lists(in: child, named: "compoundIndex", of: "index", subject: fields.subject)
      case "uniquenessConstraints":
        entity.uniquenessConstraints += try lists(
          in: child, named: "uniquenessConstraint", of: "constraint", subject: fields.subject)
      default: break
      }
    }
    return entity
  }

  /// Returns the name that an entity or a property had in an earlier version, or nil if it is not given.
  func renamingIdentifier(_ fields: ElementFields) -> String? {
    fields.filledText("elementID") ?? fields.filledText("renamingIdentifier")
  }

  private func fetchedProperty(
    _ element: MarkupElement, of entity: String
  ) throws(ModelError) -> ModelDocument.FetchedProperty {
    let fields = fields(element, of: entity)
    var request: ModelDocument.FetchRequest?
    if let child = fields.children("fetchRequest").first {
      request = try fetchRequest(child, of: fields.subject)
    }
    return ModelDocument.FetchedProperty(
      name: try fields.required("name"), isOptional: try fields.boolean("optional"), fetchRequest: request,
      renamingIdentifier: renamingIdentifier(fields),
      versionHashModifier: fields.filledText("versionHashModifier"),
      isSyncable: try fields.optionalBoolean("syncable"), userInfo: try fields.userInfo(), line: fields.line)
  }

  private func fetchIndex(_ element: MarkupElement, of entity: String) throws(ModelError) -> ModelDocument.FetchIndex {
    let fields = fields(element, of: entity)
    var elements: [ModelDocument.FetchIndex.Element] = []
    for child in fields.children("fetchIndexElement") {
      elements.append(try fetchIndexElement(ElementFields(child, of: fields.subject, notes: notes)))
    }
    return ModelDocument.FetchIndex(
      name: try fields.required("name"), elements: elements,
      partialPredicate: fields.filledText("partialIndexPredicate"), line: fields.line)
  }

  private func fetchIndexElement(_ fields: ElementFields) throws(ModelError) -> ModelDocument.FetchIndex.Element {
    let isAscending: Bool
    switch fields.filledText("order") {
    case nil, "ascending": isAscending = true
    case "descending": isAscending = false
    case let text?:
      throw fields.error(.invalidValue, "\(QuotedText.of(text)) is neither ascending nor descending", name: "order")
    }
    let element = ModelDocument.FetchIndex.Element(
      property: fields.filledText("property"), expression: fields.filledText("expression"),
      expressionType: fields.filledText("expressionType"), type: fields.filledText("type") ?? "Binary",
      isAscending: isAscending, line: fields.line)
    guard element.property != nil || element.expression != nil else {
      throw fields.error(
        .missingValue, "the value is missing; give element fetchIndexElement a property", name: "property")
    }
    return element
  }

  /// Reads lists of properties, such as the constraints in `uniquenessConstraints`.
  private func lists(
    in element: MarkupElement, named listName: String, of itemName: String, subject: String
  ) throws(ModelError) -> [ModelDocument.PropertyList] {
    var lists: [ModelDocument.PropertyList] = []
    let fields = ElementFields(element, of: "\(subject).\(element.name)", notes: notes)
    for child in fields.children(listName) {
      let fields = ElementFields(child, of: fields.subject, notes: notes)
      var properties: [String] = []
      for item in fields.children(itemName) {
        properties.append(try ElementFields(item, of: fields.subject, notes: notes).required("value"))
      }
      if properties.isEmpty {
        fields.remark("element \(listName) names no property and has no effect")
      } else {
        lists.append(.init(properties: properties, line: fields.line))
      }
    }
    return lists
  }
}
