import Workloads

/// The Swift code for the records of a workload: a decodable structure, and the keys of objects.
struct RecordCode: Sendable {
  let schema: WorkloadSchema
  /// Indicates whether a record may report that its row is deleted.
  let hasDeletions: Bool

  /// A stored property of the structure.
  private struct Property: Hashable {
    var name: String
    var member: String
    var type: String
    var isOptional: Bool
  }

  /// The names that a property cannot have: members of the structure, and keywords that are likely in a feed.
  private static let taken: Set<String> = [
    "key", "attributes", "links", "entityName", "self", "init", "class", "default", "extension", "in", "is", "as",
    "for", "if", "where", "case", "enum", "func", "import", "internal", "private", "public", "protocol", "repeat",
    "return", "static", "struct", "switch", "true", "false", "nil", "var", "let", "while", "do", "catch", "throw",
    "super",
  ]

  static func swiftType(_ type: WorkloadSchema.AttributeType) -> String {
    switch type {
    case .integer16: "Int16"
    case .integer32: "Int32"
    case .integer64: "Int64"
    case .decimal: "Decimal"
    case .double: "Double"
    case .float: "Float"
    case .boolean: "Bool"
    case .date: "Date"
    case .string: "String"
    case .binary, .transformable: "Data"
    case .uuid: "UUID"
    case .uri: "URL"
    }
  }

  /// The declarations of the keys, the records and their decoding.
  var members: [String] { [keyType, record, decoding] }

  private var isSingle: Bool { schema.entities.count == 1 }
  private var idType: String { RecordCode.swiftType(schema.entities[0].keyAttributes[0].type) }
  private var hasDates: Bool { schema.entities.contains { $0.attributes.contains { $0.type == .date } } }

  private var keyType: String {
    """
    /// The entity and the server's ID of an object.
    nonisolated struct Key: Hashable, Sendable {
      var entityName: String
      var id: \(idType)
    }
    """
  }

  private var decoding: String {
    """
    private static func decode(_ data: Data) throws -> [Record] {
      let decoder = JSONDecoder()\(hasDates ? "\n  decoder.dateDecodingStrategy = .iso8601" : "")
      return try decoder.decode([Record].self, from: data)
    }
    """
  }
}

// MARK: - The structure

extension RecordCode {
  private var record: String {
    let parts = [isSingle ? nil : entityType, properties, key, attributes, links, codingKeys].compactMap(\.self)
    let note =
      schema.recordForm == .plain
      ? "\n///\n/// Give each member with nested values a type here. Stackbench keeps such values as JSON text." : ""
    return """
      /// One record of a payload, as the server sends it. Its values can be passed from one queue to another.\(note)
      nonisolated struct Record: Decodable, Sendable {
      \(parts.map { WiringCode.indented($0) }.joined(separator: "\n\n"))
      }
      """
  }

  private var entityType: String {
    let cases = schema.entities.map { "  case \(RecordCode.caseName($0.name)) = \"\($0.name)\"" }
    return "nonisolated enum Entity: String, Decodable, Sendable {\n\(cases.joined(separator: "\n"))\n}"
  }

  private static func caseName(_ name: String) -> String { name.prefix(1).lowercased() + name.dropFirst() }

  private static func propertyName(_ attribute: WorkloadSchema.Attribute, _ form: WorkloadSchema.RecordForm) -> String {
    let name = form == .tagged ? attribute.member : attribute.name
    let isPlain = !taken.contains(name) && !(name.first?.isNumber ?? true) && name != "_"
    return isPlain ? name : "_\(name)_"
  }

  private func property(_ attribute: WorkloadSchema.Attribute, of entity: WorkloadSchema.Entity) -> Property {
    let isKey = attribute == entity.keyAttributes[0]
    return Property(
      name: RecordCode.propertyName(attribute, schema.recordForm), member: attribute.member,
      type: RecordCode.swiftType(attribute.type),
      isOptional: !isKey && (attribute.isOptional || hasDeletions || !isSingle))
  }

  /// The properties of all entities, without repeated names.
  private var stored: [Property] {
    var seen: Set<String> = []
    return schema.entities.flatMap { entity in entity.attributes.map { property($0, of: entity) } }
      .filter { seen.insert($0.name).inserted }
  }

  private var properties: String {
    let keyName = RecordCode.propertyName(schema.entities[0].keyAttributes[0], schema.recordForm)
    var lines: [String] = isSingle ? [] : ["var type: Entity"]
    lines += stored.filter { $0.name == keyName }.map { "var \($0.name): \($0.type)" }
    if hasDeletions {
      lines += [
        "/// True if the server has deleted the row. Such a record has no other members.", "var deleted: Bool?",
      ]
    }
    lines += stored.filter { $0.name != keyName }.map { "var \($0.name): \($0.type)\($0.isOptional ? "?" : "")" }
    let links = schema.entities.flatMap(\.links).map(\.name)
    if !links.isEmpty { lines.append("// The IDs of the rows to which this one links.") }
    lines += links.map { "var \($0): \(idType)?" }
    return lines.joined(separator: "\n")
  }

  private var key: String {
    let id = RecordCode.propertyName(schema.entities[0].keyAttributes[0], schema.recordForm)
    guard isSingle else { return "var key: Key { Key(entityName: type.rawValue, id: \(id)) }" }
    return """
      static let entityName = "\(schema.entities[0].name)"
      var key: Key { Key(entityName: Self.entityName, id: \(id)) }
      """
  }

  private var attributes: String {
    func values(_ entity: WorkloadSchema.Entity) -> [String] {
      entity.attributes.map { "\"\($0.name)\": \(RecordCode.propertyName($0, schema.recordForm))" }
    }
    return """
      /// The values of the row, by the names of the model's attributes.
      var attributes: [String: Any?] {
      \(WiringCode.indented(byEntity { RecordCode.dictionary(values($0)) }))
      }
      """
  }

  private var links: String? {
    guard schema.entities.contains(where: { !$0.links.isEmpty }) else { return nil }
    func values(_ entity: WorkloadSchema.Entity) -> [String] {
      entity.links.map { "\"\($0.name)\": \($0.name).map { Key(entityName: \"\($0.targetEntity)\", id: $0) }" }
    }
    return """
      /// The keys of the rows to which this one links, by the names of the model's relationships.
      var links: [String: Key?] {
      \(WiringCode.indented(byEntity { RecordCode.dictionary(values($0)) }))
      }
      """
  }

  private func byEntity(_ expression: (WorkloadSchema.Entity) -> String) -> String {
    if isSingle { return expression(schema.entities[0]) }
    let cases = schema.entities.map { entity in
      let value = expression(entity)
      let name = "case .\(RecordCode.caseName(entity.name)):"
      return value.contains("\n") ? "\(name)\n\(WiringCode.indented(value))" : "\(name) \(value)"
    }
    return "switch type {\n\(cases.joined(separator: "\n"))\n}"
  }

  private static func dictionary(_ pairs: [String]) -> String {
    guard !pairs.isEmpty else { return "[:]" }
    let line = "[\(pairs.joined(separator: ", "))]"
    return line.count <= 90 ? line : "[\n\(pairs.map { "  \($0)," }.joined(separator: "\n"))\n]"
  }

  /// The declaration of the coding keys, or nil if each property has the name of its member.
  private var codingKeys: String? {
    let stored = stored
    guard stored.contains(where: { $0.name != $0.member }) else { return nil }
    let cases = stored.map { property in
      property.name == property.member
        ? "  case \(property.name)" : "  case \(property.name) = \(RecordCode.literal(property.member))"
    }
    return "nonisolated enum CodingKeys: String, CodingKey {\n\(cases.joined(separator: "\n"))\n}"
  }

  private static func literal(_ text: String) -> String {
    // The debug description of a string is a literal of the string.
    text.debugDescription
  }
}
