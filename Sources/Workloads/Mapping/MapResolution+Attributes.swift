import Foundation

extension MapResolution {
  /// Replaces, adds and removes the attributes that the map gives.
  mutating func applyAttributes(of entity: FeedMap.Entity, to number: Int) throws(WorkloadError) {
    for given in entity.attributes {
      let field = "entities.\(entity.name).attributes.\(given.name)"
      let place = mapping.entities[number].attributes.firstIndex { $0.name == given.name }
      guard let mapped = try attribute(given, of: number, field) else {
        guard let place else {
          let names = mapping.entities[number].attributes.map(\.name)
          throw fault(
            field, "is not mapped, so it cannot be left out; \(NameList.choice(given.name, of: names))",
            line: given.line)
        }
        mapping.entities[number].attributes.remove(at: place)
        continue
      }
      if mapping.entities[number].isReferenceOnly {
        throw fault(
          field,
          "the feed has only keys of \(entity.name), in references, so its rows have no attribute but the key",
          line: given.line)
      }
      if let place {
        mapping.entities[number].attributes[place] = mapped
      } else {
        mapping.entities[number].attributes.append(mapped)
      }
    }
  }

  /// Returns the attribute that the map gives, or nil if the map leaves it out.
  private func attribute(
    _ given: FeedMap.Attribute, of number: Int, _ field: String
  ) throws(WorkloadError) -> FeedMapping.Attribute? {
    var path: [String] = []
    var dateForm: FeedMapping.DateForm?
    var found: [FeedStructure.Member] = []
    var constant: String?
    switch given.source {
    case .removed: return nil
    case .member(let member, let form):
      if !mapping.entities[number].isReferenceOnly {
        found = try members(at: member, of: number, field, line: given.line)
      }
      (path, dateForm) = (member, form)
    case .constant(let text): constant = text
    }
    var mapped: FeedMapping.Attribute
    if let model {
      mapped = try attribute(given, of: mapping.entities[number].name, path, model, field)
    } else {
      let inferred = constant.map(Self.type(ofConstant:)) ?? (dateForm == nil ? Self.type(of: found) : .date)
      mapped = FeedMapping.Attribute(given.name, given.type ?? inferred, member: path)
    }
    if let dateForm {
      guard mapped.type == .date else {
        throw fault(
          field,
          "date: \(dateForm.rawValue) needs an attribute of type Date, and \(given.name) is of type "
            + "\(mapped.type.rawValue); leave date out", line: given.line)
      }
      mapped.dateForm = dateForm
    }
    if let constant {
      do throws(ConversionFault) {
        _ = try FieldConversion(mapped).constant(from: constant)
      } catch {
        throw fault("\(field).value", error.sentence, line: given.line)
      }
      mapped.constant = constant
    }
    return mapped
  }

  /// Returns the mapping of an attribute of the model.
  private func attribute(
    _ given: FeedMap.Attribute, of name: String, _ path: [String], _ model: ModelDocument, _ field: String
  ) throws(WorkloadError) -> FeedMapping.Attribute {
    guard let entity = model.entity(name) else {
      throw fault("entities.\(name)", "the model has no such entity", line: given.line)
    }
    guard let attribute = model.importedAttributes(of: entity).first(where: { $0.name == given.name }),
      let mapped = FeedMapping.Attribute(attribute, member: path)
    else {
      let isDeclared = model.allAttributes(of: entity).contains { $0.name == given.name }
      throw fault(
        field,
        isDeclared
          ? "cannot be imported, because it is transient, derived or of a type without a value; leave it out"
          : "\(name) has no such attribute in the model; "
            + NameList.choice(given.name, of: model.importedAttributes(of: entity).map(\.name)), line: given.line)
    }
    if let type = given.type, type != mapped.type {
      throw fault(
        "\(field).type", "\(type.rawValue) is wrong, because the model has \(mapped.type.rawValue); leave it out",
        line: given.line)
    }
    return mapped
  }

  // MARK: Types

  /// Returns the type that holds the values of members from several kinds of objects.
  private static func type(of members: [FeedStructure.Member]) -> ValueType {
    let types = Set(members.map(\.type))
    if types.count == 1, let type = types.first { return type }
    return types.isSubset(of: [.integer64, .double]) && !types.isEmpty ? .double : .string
  }

  /// Returns the type of a constant by the form of its text.
  private static func type(ofConstant text: String) -> ValueType {
    if text == "true" || text == "false" { return .boolean }
    if Int64(text) != nil { return .integer64 }
    return Double(text)?.isFinite == true ? .double : .string
  }
}

// MARK: - Keys and edits

extension MapResolution {
  /// Sets the key that the map gives.
  mutating func applyKey(of entity: FeedMap.Entity, to number: Int) throws(WorkloadError) {
    guard let key = entity.key else { return }
    let field = "entities.\(entity.name).key"
    if mapping.entities[number].isReferenceOnly, key != mapping.entities[number].key {
      throw fault(
        field, "the feed has only keys of \(entity.name), which are in \(mapping.entities[number].key.text)",
        line: entity.line)
    }
    if let added = key.addedAttribute {
      let type: ValueType = if case .place = key { .integer64 } else { .string }
      if mapping.entities[number].attributes.contains(where: { $0.name == added }) {
        throw fault(
          field, "\(added) has a member or a value; leave that out, or use another attribute", line: entity.line)
      }
      if let model, let described = model.entity(entity.name) {
        let attribute = model.importedAttributes(of: described).first { $0.name == added }
        guard let attribute, attribute.type.valueType == type else {
          let fitting = model.importedAttributes(of: described).filter { $0.type.valueType == type }
          let flaw = attribute.map { "is of type \($0.type.rawValue)" } ?? "is not in the model"
          throw fault(
            field,
            "\(added) \(flaw); use an attribute of type \(type.rawValue): "
              + NameList.choice(added, of: fitting.map(\.name)), line: entity.line)
        }
      }
    }
    mapping.entities[number].key = key
  }

  /// Sets the attribute that the user edits. If the map gives none and a member takes the inferred one, another one is
  /// inferred.
  mutating func applyEdited(of entity: FeedMap.Entity, to number: Int) throws(WorkloadError) {
    func isTaken(_ name: String) -> Bool {
      mapping.entities[number].attributes.contains { $0.name == name }
        || mapping.entities[number].key.attributeNames.contains(name)
    }
    guard let edited = entity.edited else {
      if let inferred = mapping.entities[number].editedAttribute, isTaken(inferred) {
        mapping.entities[number].editedAttribute = nil
        mapping.entities[number].editedAttribute =
          if let model {
            ModelMatching.editedAttribute(of: mapping.entities[number], in: model)
          } else {
            freeName(WorkloadSchema.Attribute.note.name, of: number)
          }
      }
      return
    }
    guard case .attribute(let name) = edited else {
      mapping.entities[number].editedAttribute = nil
      return
    }
    let field = "entities.\(entity.name).edit"
    if isTaken(name) {
      throw fault(
        field, "\(name) takes values of the feed; use an attribute that the feed leaves free", line: entity.line)
    }
    if let model, let described = model.entity(entity.name) {
      let free = model.importedAttributes(of: described).filter {
        $0.type.valueType == .string && $0.isOptional && $0.defaultValue == nil && !isTaken($0.name)
      }
      guard free.contains(where: { $0.name == name }) else {
        let isDeclared = model.allAttributes(of: described).contains { $0.name == name }
        throw fault(
          field,
          "\(name) \(isDeclared ? "is not an optional attribute of type String without a default" : "is not in the model"); "
            + NameList.choice(name, of: free.map(\.name)), line: entity.line)
      }
    }
    mapping.entities[number].editedAttribute = name
  }
}

extension FeedMapping.Key {
  /// The key in a few words, such as `id and code`.
  package var text: String {
    switch self {
    case .attributes(let names): names.joined(separator: " and ")
    case .content: "the content"
    case .place: "the place in the feed"
    }
  }
}
