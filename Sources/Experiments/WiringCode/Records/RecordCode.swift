import Workloads

/// The Swift code for the records of a standard workload: a decodable structure, and the keys of objects.
struct RecordCode: Sendable {
  let schema: WorkloadSchema
  /// Indicates whether a record may report that its row is deleted.
  let hasDeletions: Bool

  private var isSingle: Bool { schema.entities.count == 1 }
  /// The attribute that identifies a row.
  private var id: WorkloadSchema.Attribute { schema.entities[0].keyAttributes[0] }

  /// The declarations of the keys, the records and their decoding.
  @CodeBuilder var members: [Code] {
    KeyCode(schema).declarations
    """
    /// One record of a payload, as the server sends it. Its values can be passed from one queue to another.
    nonisolated struct Record: Decodable, Sendable {
      \(members: parts)
    }
    """
    let hasDates = schema.entities.contains { $0.attributes.contains { $0.type == .date } }
    """
    private static func decode(_ data: Data) throws -> [Record] {
      let decoder = JSONDecoder()
      \(hasDates ? "decoder.dateDecodingStrategy = .iso8601" : "")
      return try decoder.decode([Record].self, from: data)
    }
    """
  }
}

// MARK: - The structure

extension RecordCode {
  @CodeBuilder private var parts: [Code] {
    if !isSingle {
      """
      nonisolated enum Entity: String, Decodable, Sendable {
        \(schema.entities.map { "case \(SwiftNames.lowercased($0.name)) = \"\($0.name)\"" })
      }
      """
    }
    properties
    isSingle
      ? """
      static let entityName = "\(schema.entities[0].name)"
      var key: Key { Key(entityName: Self.entityName, id: \(id.member)) }
      """ : "var key: Key { Key(entityName: type.rawValue, id: \(id.member)) }"
    """
    /// The values of the row, by the names of the model's attributes.
    var attributes: [String: Any?] {
      \(byEntity { $0.attributes.map { "\"\($0.name)\": \($0.member)" } })
    }
    """
    if schema.entities.contains(where: { !$0.links.isEmpty }) {
      """
      /// The keys of the rows to which this one links, by the names of the model's relationships.
      var links: [String: Key?] {
        \(byEntity {
          $0.links.map { "\"\($0.name)\": \($0.name).map { Key(entityName: \"\($0.targetEntity)\", id: $0) }" }
        })
      }
      """
    }
  }

  /// The attributes of all entities, without repeated members and without the key.
  private var stored: [WorkloadSchema.Attribute] {
    var seen: Set = [id.member]
    return schema.entities.flatMap(\.attributes).filter { seen.insert($0.member).inserted }
  }

  @CodeBuilder private var properties: Code {
    let idType = id.type.swiftType
    if !isSingle { "var type: Entity" }
    "var \(id.member): \(idType)"
    if hasDeletions {
      """
      /// True if the server has deleted the row. Such a record has no other members.
      var deleted: Bool?
      """
    }
    for attribute in stored {
      let isOptional = attribute.isOptional || hasDeletions || !isSingle
      "var \(attribute.member): \(attribute.type.swiftType)\(isOptional ? "?" : "")"
    }
    let links = schema.entities.flatMap(\.links)
    if !links.isEmpty { "// The IDs of the rows to which this one links." }
    for link in links { "var \(link.name): \(idType)?" }
  }

  /// Returns the expression of a dictionary, whose pairs depend on the entity of the record.
  private func byEntity(_ pairs: (WorkloadSchema.Entity) -> [String]) -> Code {
    if isSingle { return .dictionary(pairs(schema.entities[0])) }
    let cases = schema.entities.map { entity -> Code in
      let value = Code.dictionary(pairs(entity))
      return "case .\(SwiftNames.lowercased(entity.name)):\(value.isOneLine ? " " : "\n  ")\(value)"
    }
    return "switch type {\n\(cases)\n}"
  }
}
