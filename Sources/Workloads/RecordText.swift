import Foundation

extension JSONBuilder {
  /// Appends a generated record in the form that a server sends: `type` and `id` first, then attributes, then links.
  mutating func append(_ record: ImportRecord, of schema: WorkloadSchema) {
    let entity = schema.entities[record.entity]
    append(raw: "{\"type\":")
    append(string: entity.name)
    append(raw: ",\"id\":")
    append(key: record.key)
    if record.isDeletion {
      append(raw: ",\"deleted\":true}")
      return
    }
    for (index, attribute) in entity.attributes.enumerated() where index != entity.keyIndex {
      append(raw: ",")
      append(string: attribute.member)
      append(raw: ":")
      append(record.values[index])
    }
    for (index, link) in entity.links.enumerated() {
      append(raw: ",")
      append(string: link.name)
      append(raw: ":")
      if let target = record.links[index] { append(key: target) } else { append(raw: "null") }
    }
    append(raw: "}")
  }

  /// Appends a feed's record as a flat object of the members that the record has.
  mutating func append(plain record: ImportRecord, of entity: WorkloadSchema.Entity) {
    append(raw: "{")
    var isFirst = true
    for (index, attribute) in entity.attributes.enumerated() where record.values[index] != .null {
      if !isFirst { append(raw: ",") }
      isFirst = false
      append(string: attribute.member)
      append(raw: ":")
      append(record.values[index])
    }
    append(raw: "}")
  }

  private mutating func append(key: RecordKey) {
    switch key {
    case .integer(let value): append(number: value)
    case .string(let value): append(string: value)
    }
  }

  private mutating func append(_ value: FieldValue) {
    switch value {
    case .null: append(raw: "null")
    case .integer(let value): append(number: value)
    case .double(let value): append(number: value)
    case .boolean(let value): append(JSONValue.boolean(value))
    case .string(let value): append(string: value)
    case .date(let seconds): append(string: JSONBuilder.iso8601(seconds))
    }
  }

  /// Returns a date in whole seconds, such as `2024-02-29T08:05:00Z`.
  private static func iso8601(_ secondsSince2001: Double) -> String {
    Date(timeIntervalSinceReferenceDate: secondsSince2001).formatted(.iso8601)
  }
}
