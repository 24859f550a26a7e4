import Workloads

/// The decodable structures.
extension FeedRecordCode {
  /// The declarations of the structures: the record first, then those of nested values.
  var structures: [String] {
    let own = mapping.entities.indices.filter { !mapping.entities[$0].isReferenceOnly }.map(structure)
    guard !records.isFromFeed else { return own }
    return [taggedRecord] + own + referredEntities.map(keyStructure)
  }

  private func note(of number: Int) -> String {
    let name = mapping.entities[number].name
    if number == 0, let feed = records.feedName {
      return "One record of \(feed), a row of \(name). Its values can be passed from one queue to another."
    }
    return records.isFromFeed
      ? "An object in a record, a row of \(name)." : "A record of \(name), with the names of the model's properties."
  }

  private func structure(_ number: Int) -> String {
    let attributes = attributes(of: number)
    let isRoot = number == 0 && records.isFromFeed
    let relationships = mapping.entities[number].relationships
    let entity = SwiftNames.literal(mapping.entities[number].name)
    var properties = attributes.map(\.declaration)
    if hasDeletions {
      properties += [
        "/// True if the server has deleted the row. Such a record has no other members but the key.",
        "var deleted: Bool?",
      ]
    }
    let references = relationships.filter(\.isReference)
    properties += relationships.filter { !$0.isReference }.map { declaration(of: $0, in: number) }
    if !references.isEmpty { properties.append("// The IDs of the rows to which this one links.") }
    properties += references.map { declaration(of: $0, in: number) }
    let key = key(of: number, attributes)
    let parts: [String?] = [
      properties.joined(separator: "\n"),
      records.isFlat && isRoot ? "static let entityName = \(entity)" : nil,
      decodesItself(attributes, number: number) ? codingKeys(attributes) : initialiser(attributes, number),
      Self.computed("var key: Key", value: key),
      records.isFlat
        ? "/// The values of the row, by the names of the model's attributes.\n"
          + Self.computed("var attributes: [String: Any?]", value: values(attributes))
        : rows(number, attributes: attributes),
    ]
    return """
      \(WiringCode.comment([note(of: number)], width: 112))\(transformableNote(number))
      nonisolated struct \(structureName(of: number)): Decodable, Sendable {
      \(parts.compactMap(\.self).map { WiringCode.indented($0) }.joined(separator: "\n\n"))
      }
      """
  }

  /// Returns a computed property, on one line if it is short.
  private static func computed(_ declaration: String, value: String) -> String {
    let line = "\(declaration) { \(value) }"
    return line.count <= 100 && !value.contains("\n") ? line : "\(declaration) {\n\(WiringCode.indented(value))\n}"
  }

  private func transformableNote(_ number: Int) -> String {
    let names = mapping.entities[number].attributes.filter { $0.type == .transformable }.map(\.name)
    guard !names.isEmpty else { return "" }
    let (subject, value) = names.count == 1 ? ("is", "its value") : ("are", "their values")
    let sentence =
      "\(names.joined(separator: " and ")) \(subject) transformable: convert \(value) to what the transformer takes."
    return "\n///\n" + WiringCode.comment([sentence], width: 112)
  }

  private func declaration(of relationship: FeedMapping.Relationship, in number: Int) -> String {
    let type =
      relationship.isReference ? referenceType(relationship.target) : structureName(of: relationship.target)
    let isArray = relationship.isToMany || (!relationship.isReference && isBoxed(relationship, of: number))
    return "var \(property(relationship.name)): \(isArray ? "[\(type)]" : "\(type)?")"
  }
}

// MARK: - Decoding

extension FeedRecordCode {
  /// Returns true if the compiler can make the initialiser of an entity's structure.
  private func decodesItself(_ attributes: [Attribute], number: Int) -> Bool {
    let isLifted = number == 0 && !mapping.shape.envelope.isEmpty
    guard mapping.entities[number].relationships.isEmpty, nameMember(of: number) == nil, !isLifted else { return false }
    var seen: Set<String> = []
    return attributes.allSatisfy { attribute in
      switch attribute.source {
      case .member(let path, nil):
        path.count == 1 && attribute.defaultValue == nil && seen.insert(path[0]).inserted
      case .member, .place, .digest: false
      case .constant: true
      }
    }
  }

  /// Returns the declaration of the coding keys, or nil if each property has the name of its member.
  private func codingKeys(_ attributes: [Attribute]) -> String? {
    let members = attributes.compactMap { attribute -> (property: String, member: String)? in
      if case .member(let path, _) = attribute.source { (attribute.property, path[0]) } else { nil }
    }
    guard members.contains(where: { $0.property != $0.member }) else { return nil }
    let own = hasDeletions ? [("deleted", "deleted")] : []
    let cases = (members + own).map { property, member in
      property == member ? "  case \(property)" : "  case \(property) = \(SwiftNames.literal(member))"
    }
    return "nonisolated enum CodingKeys: String, CodingKey {\n\(cases.joined(separator: "\n"))\n}"
  }

  /// Returns the member that takes the name under which an entity's objects are, or nil if they have no names.
  private func nameMember(of number: Int) -> String? {
    if number == 0, records.isFromFeed, mapping.shape.container == .dictionary { return mapping.shape.keyMember }
    return mapping.entities.lazy.flatMap(\.relationships).filter { $0.target == number }.compactMap(\.keyMember).first
  }

  private func initialiser(_ attributes: [Attribute], _ number: Int) -> String {
    var arguments: [String] = []
    if number == 0, records.isFromFeed, !mapping.shape.envelope.isEmpty {
      arguments.append("lifting: \(RecordCode.array(mapping.shape.envelope.map(SwiftNames.literal)))")
      if !mapping.shape.omitted.isEmpty {
        arguments.append("omitting: \(RecordCode.array(mapping.shape.omitted.map(SwiftNames.literal)))")
      }
    }
    let name = nameMember(of: number)
    return Self.initialiser(
      arguments,
      attributes.compactMap { decoding($0, nameMember: name) }
        + (hasDeletions ? ["deleted = try record.value(\"deleted\")"] : [])
        + mapping.entities[number].relationships.enumerated().map { decoding($1, at: $0, of: number) }
        + attributes.compactMap(Self.digesting))
  }

  private static func digesting(_ attribute: Attribute) -> String? {
    guard case .digest(let values) = attribute.source else { return nil }
    return "\(attribute.property) = digest(of: \(RecordCode.array(values)))"
  }

  private static func initialiser(_ arguments: [String], _ statements: [String]) -> String {
    """
    init(from decoder: any Decoder) throws {
      let record = try Members(\((["decoder"] + arguments).joined(separator: ", ")))
    \(WiringCode.indented(statements.joined(separator: "\n")))
    }
    """
  }

  /// Returns the structure of the values that identify a row of an entity.
  func keyStructure(_ number: Int) -> String {
    let names = mapping.entities[number].key.attributeNames
    let parts = attributes(of: number).filter { names.contains($0.name) }
    return """
      /// The values that identify a row of \(mapping.entities[number].name).
      nonisolated struct \(referenceType(number)): Decodable, Sendable {
      \(WiringCode.indented(parts.map(\.declaration).joined(separator: "\n")))

      \(WiringCode.indented(Self.initialiser([], parts.compactMap { decoding($0, nameMember: nil) })))

      \(WiringCode.indented(Self.computed("var key: Key", value: key(of: number, parts))))
      }
      """
  }

  private static func path(_ names: [String]) -> String {
    names.map(SwiftNames.literal).joined(separator: ", ")
  }

  private func decoding(_ attribute: Attribute, nameMember: String?) -> String? {
    guard case .member(let path, let conversion) = attribute.source else { return nil }
    let isRequired = !attribute.isOptional && attribute.defaultValue == nil
    let converting = conversion.map { ", as: \($0.function)" } ?? ""
    var value = "record.\(isRequired ? "required" : "value")(\(Self.path(path))\(converting))"
    if path.count == 1, path[0] == nameMember {
      value = "record.name\(conversion.map { ".map(JSON.string).flatMap(\($0.function))" } ?? "") ?? \(value)"
    }
    return "\(attribute.property) = try \(value)\(attribute.defaultValue.map { " ?? \($0)" } ?? "")"
  }

  private func decoding(_ relationship: FeedMapping.Relationship, at place: Int, of number: Int) -> String {
    let member =
      records.isFromFeed
      ? relationship.member : [schema.entities[index(of: number)].member(ofRelationship: relationship.name)]
    let path = Self.path(member)
    let forms = records.forms.isEmpty ? nil : records.forms[number].relationships[place]
    let property = property(relationship.name)
    guard relationship.isReference else {
      if relationship.keyMember != nil { return "\(property) = try record.named(\(path))" }
      if relationship.isToMany {
        return forms?.contains(.object) == true
          ? "\(property) = try record.oneOrMore(\(path))" : "\(property) = try record.list(\(path))"
      }
      return isBoxed(relationship, of: number)
        ? "\(property) = try record.oneOrMore(\(path))" : "\(property) = try record.value(\(path))"
    }
    let keys = schema.entities[index(of: relationship.target)].keyAttributes
    // The values of a composite key are members of an object.
    guard keys.count == 1 else {
      return "\(property) = try record.\(relationship.isToMany ? "list" : "value")(\(path))"
    }
    let target = mapping.entities[relationship.target].attributes.first { $0.name == keys[0].name }
    guard relationship.isToMany else {
      let conversion = Conversion(keys[0].type, dateForm: target?.dateForm, from: forms)
      return "\(property) = try record.value(\(path)\(conversion.map { ", as: \($0.function)" } ?? ""))"
    }
    // The forms of the elements are not known.
    let conversion = records.isFromFeed ? Conversion(always: keys[0].type, target?.dateForm) : nil
    return conversion.map { "\(property) = try record.values(\(path), as: \($0.function))" }
      ?? "\(property) = try record.list(\(path))"
  }

  /// The function that decodes a payload.
  var decoding: String {
    let place = records.areNumbered ? ", from place: Int" : ""
    let statements =
      records.areNumbered
      ? """
      var records = \(decodedRecords)
      for offset in records.indices { records[offset].\(placeProperty) = Int64(place + offset) }
      return records
      """ : decodedRecords
    return """
      private static func decode(_ data: Data\(place)) throws -> [Record] {
      \(WiringCode.indented(statements))
      }
      """
  }

  private var placeProperty: String { mapping.entities.first.map { property($0.key.attributeNames[0]) } ?? "" }

  /// The expression for the records of a payload.
  private var decodedRecords: String {
    let shape = mapping.shape
    guard records.isFromFeed else { return "try JSONDecoder().decode([Record].self, from: data)" }
    switch shape.container {
    case .list where shape.path.isEmpty: return "try JSONDecoder().decode([Record].self, from: data)"
    case .object where shape.path.isEmpty: return "[try JSONDecoder().decode(Record.self, from: data)]"
    case .lines:
      return """
        try data.split(separator: UInt8(ascii: "\\n")).filter { line in line.contains { $0 > 32 } }.map {
          try JSONDecoder().decode(Record.self, from: $0)
        }
        """
    case .list, .object, .dictionary: return "try JSONDecoder().decode(Payload.self, from: data).records"
    }
  }

  /// The structure of a payload whose records are not its outermost value, or nil if they are.
  private var payload: String? {
    let shape = mapping.shape
    guard records.isFromFeed else { return nil }
    let path = Self.path(shape.path)
    let expression: String
    switch shape.container {
    case .lines: return nil
    case .list, .object:
      guard !shape.path.isEmpty else { return nil }
      expression = shape.container == .list ? "members.list(\(path))" : "[members.required(\(path))]"
    case .dictionary: expression = "members.named(\(path))"
    }
    return """
      /// A payload with its records.
      private nonisolated struct Payload: Decodable {
        let records: [Record]

        init(from decoder: any Decoder) throws {
          let members = try Members(decoder)
          records = try \(expression)
        }
      }
      """
  }

  /// Returns the declarations that a text of other declarations uses.
  func helpers(for text: String) -> [String] {
    let payload = payload
    let used = text + (payload ?? "")
    let conversions = Conversion.allCases.filter { conversion in
      ["as: \(conversion.function)", "flatMap(\(conversion.function))"].contains { used.contains($0) }
    }
    return [
      payload, used.contains("Members(") ? MembersCode(used: used).declaration : nil,
      conversions.isEmpty ? nil : JSONCode(conversions: conversions).declaration,
      usesDigests ? Self.digest : nil,
    ].compactMap(\.self)
  }

  private static let digest = """
    /// Returns a digest of values, which is the same whenever the app runs.
    private static func digest(of values: [Any?]) -> String {
      let texts = values.map { value in value.map { "\\($0)" } }
      // The lengths separate the values.
      let text = texts.map { $0.map { "\\($0.utf8.count):\\($0)" } ?? "-" }.joined()
      return SHA256.hash(data: Data(text.utf8)).map { String($0 / 16, radix: 16) + String($0 % 16, radix: 16) }.joined()
    }
    """
}
