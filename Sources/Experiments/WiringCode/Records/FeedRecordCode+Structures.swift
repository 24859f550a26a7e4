import Workloads

/// The decodable structures.
extension FeedRecordCode {
  /// The declarations of the structures: the record first, then those of nested values.
  @CodeBuilder var structures: [Code] {
    if !records.isFromFeed { taggedRecord }
    mapping.entities.indices.filter { !mapping.entities[$0].isReferenceOnly }.map(structure)
    if !records.isFromFeed { referredEntities.map(keyStructure) }
  }

  private func structure(_ number: Int) -> Code {
    """
    \(Code.comment(notes(number)))
    nonisolated struct \(structureName(of: number)): Decodable, Sendable {
      \(members: parts(number, attributes(of: number)))
    }
    """
  }

  private func notes(_ number: Int) -> [String] {
    let entity = mapping.entities[number]
    let names = entity.attributes.filter { $0.type == .transformable }.map(\.name)
    let (subject, value) = names.count == 1 ? ("is", "its value") : ("are", "their values")
    let note =
      if number == 0, let feed = records.feedName {
        "One record of \(feed), a row of \(entity.name). Its values can be passed from one queue to another."
      } else if records.isFromFeed {
        "An object in a record, a row of \(entity.name)."
      } else {
        "A record of \(entity.name), with the names of the model's properties."
      }
    let transforming =
      "\(names.joined(separator: " and ")) \(subject) transformable: convert \(value) to what the transformer takes."
    return [note] + (names.isEmpty ? [] : ["", transforming])
  }

  @CodeBuilder private func parts(_ number: Int, _ attributes: [Attribute]) -> [Code] {
    properties(number, attributes)
    if records.isFlat && number == 0 {
      "static let entityName = \(SwiftNames.literal(mapping.entities[number].name))"
    }
    decodesItself(attributes, number: number) ? codingKeys(attributes) : initialiser(attributes, number)
    Code.block("var key: Key", body: "\(key(of: number, attributes))")
    if records.isFlat {
      """
      /// The values of the row, by the names of the model's attributes.
      \(Code.block("var attributes: [String: Any?]", body: values(attributes)))
      """
    } else {
      rows(number, attributes: attributes)
    }
  }

  @CodeBuilder private func properties(_ number: Int, _ attributes: [Attribute]) -> Code {
    let relationships = mapping.entities[number].relationships
    attributes.map(\.declaration)
    if hasDeletions {
      """
      /// True if the server has deleted the row. Such a record has no other members but the key.
      var deleted: Bool?
      """
    }
    relationships.filter { !$0.isReference }.map { declaration(of: $0, in: number) }
    if relationships.contains(where: \.isReference) { "// The IDs of the rows to which this one links." }
    relationships.filter(\.isReference).map { declaration(of: $0, in: number) }
  }

  private func declaration(of relationship: FeedMapping.Relationship, in number: Int) -> Code {
    let type =
      relationship.isReference ? referenceType(relationship.target) : structureName(of: relationship.target)
    return "var \(property(relationship.name)): \(isArray(relationship, in: number) ? "[\(type)]" : "\(type)?")"
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
  private func codingKeys(_ attributes: [Attribute]) -> Code? {
    let members = attributes.compactMap { attribute -> (property: String, member: String)? in
      if case .member(let path, _) = attribute.source { (attribute.property, path[0]) } else { nil }
    }
    guard members.contains(where: { $0.property != $0.member }) else { return nil }
    let own = hasDeletions ? [("deleted", "deleted")] : []
    return """
      nonisolated enum CodingKeys: String, CodingKey {
        \((members + own).map { "case \($0)\($0 == $1 ? "" : " = \(SwiftNames.literal($1))")" })
      }
      """
  }

  /// Returns the member that takes the name under which an entity's objects are, or nil if they have no names.
  private func nameMember(of number: Int) -> String? {
    if number == 0, records.isFromFeed, mapping.shape.container == .dictionary { return mapping.shape.keyMember }
    return mapping.entities.lazy.flatMap(\.relationships).filter { $0.target == number }.compactMap(\.keyMember).first
  }

  @CodeBuilder private func initialiser(_ attributes: [Attribute], _ number: Int) -> Code {
    let name = nameMember(of: number)
    let lifted = number == 0 && records.isFromFeed ? mapping.shape.envelope : []
    let names = [("lifting", lifted), ("omitting", lifted.isEmpty ? [] : mapping.shape.omitted)]
    let arguments = names.filter { !$0.1.isEmpty }.map { label, names in
      ", \(label): \(Code.array(names.map(SwiftNames.literal)))"
    }
    Self.initialiser(arguments.joined()) {
      attributes.compactMap { decoding($0, nameMember: name) }
      if hasDeletions { "deleted = try record.value(\"deleted\")" }
      mapping.entities[number].relationships.enumerated().map { decoding($1, at: $0, of: number) }
      for attribute in attributes {
        if case .digest(let values) = attribute.source {
          "\(attribute.property) = digest(of: \(Code.array(values)))"
        }
      }
    }
  }

  private static func initialiser(_ arguments: String = "", @CodeBuilder _ statements: () -> Code) -> Code {
    """
    init(from decoder: any Decoder) throws {
      let record = try Members(decoder\(arguments))
      \(statements())
    }
    """
  }

  /// Returns the structure of the values that identify a row of an entity.
  private func keyStructure(_ number: Int) -> Code {
    let names = mapping.entities[number].key.attributeNames
    let parts = attributes(of: number).filter { names.contains($0.name) }
    return """
      /// The values that identify a row of \(mapping.entities[number].name).
      nonisolated struct \(referenceType(number)): Decodable, Sendable {
        \(parts.map(\.declaration))

        \(Self.initialiser { parts.compactMap { decoding($0, nameMember: nil) } })

        \(Code.block("var key: Key", body: "\(key(of: number, parts))"))
      }
      """
  }

  private static func path(_ names: [String]) -> String { names.map(SwiftNames.literal).joined(separator: ", ") }

  private func decoding(_ attribute: Attribute, nameMember: String?) -> Code? {
    guard case .member(let path, let conversion) = attribute.source else { return nil }
    let isRequired = !attribute.isOptional && attribute.defaultValue == nil
    let reading = Self.reading(isRequired ? "required" : "value", path, conversion)
    let name = conversion.map { ".map(JSON.string).flatMap(\($0.function))" } ?? ""
    let naming = path.count == 1 && path[0] == nameMember ? "record.name\(name) ?? " : ""
    return "\(attribute.property) = try \(naming)\(reading)\(attribute.defaultValue.map { " ?? \($0)" } ?? "")"
  }

  /// Returns the expression that reads the value at a path of members.
  private static func reading(_ function: String, _ path: [String], _ conversion: Conversion? = nil) -> String {
    "record.\(function)(\(Self.path(path))\(conversion.map { ", as: \($0.function)" } ?? ""))"
  }

  private func decoding(_ relationship: FeedMapping.Relationship, at place: Int, of number: Int) -> Code {
    let path =
      records.isFromFeed
      ? relationship.member : [schema.entities[index(of: number)].member(ofRelationship: relationship.name)]
    let forms = records.forms.isEmpty ? nil : records.forms[number].relationships[place]
    let keys = schema.entities[index(of: relationship.target)].keyAttributes
    let isArray = isArray(relationship, in: number)
    var (function, conversion): (String, Conversion?) = (isArray ? "list" : "value", nil)
    if !relationship.isReference {
      if relationship.keyMember != nil {
        function = "named"
      } else if isArray, !relationship.isToMany || forms?.contains(.object) == true {
        function = "oneOrMore"
      }
    } else if keys.count == 1 {
      // The values of a composite key are members of an object.
      let target = mapping.entities[relationship.target].attributes.first { $0.name == keys[0].name }
      if !relationship.isToMany {
        conversion = Conversion(keys[0].type, dateForm: target?.dateForm, from: forms)
      } else if records.isFromFeed {
        // The forms of the elements are not known.
        (function, conversion) = ("values", Conversion(always: keys[0].type, target?.dateForm))
      }
    }
    return "\(property(relationship.name)) = try \(Self.reading(function, path, conversion))"
  }

  /// The function that decodes a payload. It numbers the records if their places identify them.
  var decoding: Code {
    let numbered = records.areNumbered ? mapping.entities.first.map { property($0.key.attributeNames[0]) } : nil
    let numbering = numbered.map {
      "for offset in records.indices { records[offset].\($0) = Int64(place + offset) }\nreturn records"
    }
    return """
      private static func decode(_ data: Data\(numbering == nil ? "" : ", from place: Int")) throws -> [Record] {
        \(numbering == nil ? "" : "var records = ")\(decodedRecords)
        \(numbering)
      }
      """
  }

  /// The expression for the records of a payload.
  private var decodedRecords: Code {
    guard payload == nil else { return "try JSONDecoder().decode(Payload.self, from: data).records" }
    switch records.isFromFeed ? mapping.shape.container : .list {
    case .list, .dictionary: return "try JSONDecoder().decode([Record].self, from: data)"
    case .object: return "[try JSONDecoder().decode(Record.self, from: data)]"
    case .lines:
      return """
        try data.split(separator: UInt8(ascii: "\\n")).filter { line in line.contains { $0 > 32 } }.map {
          try JSONDecoder().decode(Record.self, from: $0)
        }
        """
    }
  }

  /// The structure of a payload whose records are not its outermost value, or nil if they are.
  private var payload: Code? {
    let shape = mapping.shape
    let path = Self.path(shape.path)
    let expression: String? =
      switch shape.container {
      case .list: path.isEmpty ? nil : "members.list(\(path))"
      case .object: path.isEmpty ? nil : "[members.required(\(path))]"
      case .dictionary: "members.named(\(path))"
      case .lines: nil
      }
    guard records.isFromFeed, let expression else { return nil }
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

  /// Returns the declarations that other declarations use.
  @CodeBuilder func helpers(for code: Code) -> [Code] {
    let used = code.description + (payload?.description ?? "")
    let conversions = Conversion.allCases.filter { conversion in
      ["as: \(conversion.function)", "flatMap(\(conversion.function))"].contains { used.contains($0) }
    }
    payload
    if used.contains("Members(") { MembersCode(used: used).declaration }
    if !conversions.isEmpty { JSONCode(conversions: conversions).declaration }
    if usesDigests { Self.digest }
  }

  private static let digest: Code = """
    /// Returns a digest of values, which is the same whenever the app runs.
    private static func digest(of values: [Any?]) -> String {
      let texts = values.map { value in value.map { "\\($0)" } }
      // The lengths separate the values.
      let text = texts.map { $0.map { "\\($0.utf8.count):\\($0)" } ?? "-" }.joined()
      return SHA256.hash(data: Data(text.utf8)).map { String($0 / 16, radix: 16) + String($0 % 16, radix: 16) }.joined()
    }
    """
}
