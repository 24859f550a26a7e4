import Workloads

/// The Swift code for the records of a standard workload: a decodable structure, and the keys of objects.
struct RecordCode: Sendable {
  let schema: WorkloadSchema
  /// Indicates whether a record may report that its row is deleted.
  let hasDeletions: Bool

  private var keys: KeyCode { KeyCode(schema) }

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
  var members: [String] { keys.declarations + [record, decoding] }

  private var isSingle: Bool { schema.entities.count == 1 }
  private var idType: String { RecordCode.swiftType(schema.entities[0].keyAttributes[0].type) }
  private var hasDates: Bool { schema.entities.contains { $0.attributes.contains { $0.type == .date } } }

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
    let parts = [isSingle ? nil : entityType, properties, key, attributes, links].compactMap(\.self)
    return """
      /// One record of a payload, as the server sends it. Its values can be passed from one queue to another.
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

  /// The attributes of all entities, without repeated members.
  private var stored: [WorkloadSchema.Attribute] {
    var seen: Set<String> = []
    return schema.entities.flatMap(\.attributes).filter { seen.insert($0.member).inserted }
  }

  private var properties: String {
    let key = schema.entities[0].keyAttributes[0]
    let hasOptionals = hasDeletions || !isSingle
    var lines: [String] = isSingle ? [] : ["var type: Entity"]
    lines.append("var \(key.member): \(idType)")
    if hasDeletions {
      lines += [
        "/// True if the server has deleted the row. Such a record has no other members.", "var deleted: Bool?",
      ]
    }
    lines += stored.filter { $0.member != key.member }.map {
      "var \($0.member): \(RecordCode.swiftType($0.type))\($0.isOptional || hasOptionals ? "?" : "")"
    }
    let links = schema.entities.flatMap(\.links).map(\.name)
    if !links.isEmpty { lines.append("// The IDs of the rows to which this one links.") }
    lines += links.map { "var \($0): \(idType)?" }
    return lines.joined(separator: "\n")
  }

  private var key: String {
    let id = schema.entities[0].keyAttributes[0].member
    guard isSingle else { return "var key: Key { Key(entityName: type.rawValue, id: \(id)) }" }
    return """
      static let entityName = "\(schema.entities[0].name)"
      var key: Key { Key(entityName: Self.entityName, id: \(id)) }
      """
  }

  private var attributes: String {
    func values(_ entity: WorkloadSchema.Entity) -> [String] {
      entity.attributes.map { "\"\($0.name)\": \($0.member)" }
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

  static func dictionary(_ pairs: [String]) -> String { array(pairs, empty: "[:]") }

  /// Returns a literal of an array or a dictionary, on one line if it is short.
  static func array(_ elements: [String], empty: String = "[]") -> String {
    guard !elements.isEmpty else { return empty }
    let line = "[\(elements.joined(separator: ", "))]"
    let isShort = line.count <= 90 && !line.contains("\n")
    return isShort ? line : "[\n\(elements.map { WiringCode.indented("\($0),") }.joined(separator: "\n"))\n]"
  }
}
