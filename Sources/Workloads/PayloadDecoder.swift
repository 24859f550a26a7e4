import Foundation

/// Decodes a payload's JSON text into records. This is the decoding that a trial measures.
///
/// It is a plain `JSONDecoder` that passes once over keyed containers, without a type for each entity. The decoder has
/// no state and may be used on any queue. Its caller reports the work (`recordDecoded`).
package struct PayloadDecoder: Sendable {
  private let plan: DecodingPlan

  package init(schema: WorkloadSchema) {
    plan = DecodingPlan(schema: schema)
  }

  /// Returns the payload's records in order.
  ///
  /// Complexity: O(n) in the bytes, about 4 µs for each record of the catalog.
  /// - Throws: `WorkloadError` (`damagedPayload`) if the text is not a list of this schema's records.
  package func decode(_ bytes: Data) throws(WorkloadError) -> [ImportRecord] {
    let decoder = JSONDecoder()
    decoder.userInfo[DecodingPlan.userInfoKey] = plan
    do {
      return try decoder.decode(DecodedPayload.self, from: bytes).records
    } catch let error as WorkloadError {
      throw error
    } catch {
      throw WorkloadError(.damagedPayload, "the payload cannot be decoded: \(JSONFault(error).sentence)")
    }
  }
}

/// A member's name as a coding key.
private struct Member: CodingKey {
  let stringValue: String
  var intValue: Int? { nil }

  init(stringValue: String) { self.stringValue = stringValue }
  init?(intValue: Int) { nil }
}

/// The parts of the schema that the decoder needs, with coding keys that are created only once.
private struct DecodingPlan: Sendable {
  static let userInfoKey = CodingUserInfoKey(rawValue: "plan")!
  static let type = Member(stringValue: "type")
  static let deleted = Member(stringValue: "deleted")

  struct Attribute: Sendable {
    var member: Member
    var type: WorkloadSchema.AttributeType
    var isOptional: Bool
  }

  struct Link: Sendable {
    var member: Member
    var keyType: WorkloadSchema.AttributeType
  }

  struct Entity: Sendable {
    var name: String
    var key: Attribute
    var keyIndex: Int
    var attributes: [Attribute]
    var links: [Link]
  }

  var entities: [Entity]
  var recordForm: WorkloadSchema.RecordForm

  init(schema: WorkloadSchema) {
    recordForm = schema.recordForm
    entities = schema.entities.map { entity in
      let attributes = entity.attributes.map {
        Attribute(member: Member(stringValue: $0.member), type: $0.type, isOptional: $0.isOptional)
      }
      let links = entity.links.map { link in
        let target = schema.entities.first { $0.name == link.targetEntity }
        return Link(member: Member(stringValue: link.name), keyType: target?.keyAttribute.type ?? .string)
      }
      return Entity(
        name: entity.name, key: attributes[entity.keyIndex], keyIndex: entity.keyIndex, attributes: attributes,
        links: links)
    }
  }
}

/// The records of a payload, as decoded by `JSONDecoder`.
private struct DecodedPayload: Decodable {
  typealias Container = KeyedDecodingContainer<Member>

  var records: [ImportRecord] = []

  init(from decoder: any Decoder) throws {
    guard let plan = decoder.userInfo[DecodingPlan.userInfoKey] as? DecodingPlan else {
      throw WorkloadError(.damagedPayload, "the payload is decoded without a schema")
    }
    var list = try decoder.unkeyedContainer()
    records.reserveCapacity(list.count ?? 0)
    while !list.isAtEnd {
      records.append(try Self.record(try list.nestedContainer(keyedBy: Member.self), plan))
    }
  }

  private static func record(_ container: Container, _ plan: DecodingPlan) throws -> ImportRecord {
    var index = 0
    if plan.recordForm == .tagged {
      let name = try container.decode(String.self, forKey: DecodingPlan.type)
      guard let found = plan.entities.firstIndex(where: { $0.name == name }) else {
        throw WorkloadError(.damagedPayload, "the payload holds a record of type \(name), which no entity is called")
      }
      index = found
    }
    let entity = plan.entities[index]
    if plan.recordForm == .tagged, try container.decodeIfPresent(Bool.self, forKey: DecodingPlan.deleted) == true {
      return .deletion(entity: index, key: try key(container, entity.key.member, entity.key.type))
    }
    var values: [FieldValue] = []
    values.reserveCapacity(entity.attributes.count)
    for attribute in entity.attributes {
      values.append(try value(container, attribute))
    }
    guard let key = RecordKey(values[entity.keyIndex]) else {
      throw WorkloadError(.damagedPayload, "the payload holds a \(entity.name) without a key")
    }
    var links: [RecordKey?] = []
    links.reserveCapacity(entity.links.count)
    for link in entity.links {
      let isAbsent = try !container.contains(link.member) || container.decodeNil(forKey: link.member)
      links.append(isAbsent ? nil : try Self.key(container, link.member, link.keyType))
    }
    return ImportRecord(entity: index, key: key, values: values, links: links)
  }

  private static func key(
    _ container: Container, _ member: Member, _ type: WorkloadSchema.AttributeType
  ) throws -> RecordKey {
    type == .integer64
      ? .integer(try container.decode(Int64.self, forKey: member))
      : .string(try container.decode(String.self, forKey: member))
  }

  private static func value(_ container: Container, _ attribute: DecodingPlan.Attribute) throws -> FieldValue {
    let member = attribute.member
    if attribute.isOptional, try !container.contains(member) || container.decodeNil(forKey: member) {
      return .null
    }
    switch attribute.type {
    case .integer64: return .integer(try container.decode(Int64.self, forKey: member))
    case .double: return .double(try container.decode(Double.self, forKey: member))
    case .boolean: return .boolean(try container.decode(Bool.self, forKey: member))
    case .date: return .date(try date(try container.decode(String.self, forKey: member)))
    case .string: return .string(try container.decode(String.self, forKey: member))
    }
  }

  private static func date(_ text: String) throws -> Double {
    try Date(text, strategy: .iso8601).timeIntervalSinceReferenceDate
  }
}
