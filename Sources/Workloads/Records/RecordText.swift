import Foundation

extension JSONBuilder {
  /// Appends a generated record in the form that a server sends: `type` and `id` first, then attributes, then links.
  package mutating func append(_ record: ImportRecord, of schema: WorkloadSchema) {
    let entity = schema.entities[record.entity]
    append(raw: "{\"type\":")
    append(string: entity.name)
    for (index, value) in zip(entity.keyIndexes, record.key.fieldValues) {
      append(member: entity.attributes[index].member)
      append(value)
    }
    if record.isFollowed { append(raw: ",\"isFollowed\":true") }
    if record.isDeletion {
      append(raw: ",\"deleted\":true}")
      return
    }
    for (index, attribute) in entity.attributes.enumerated() where !entity.keyIndexes.contains(index) {
      append(member: attribute.member)
      append(record.values[index])
    }
    for (index, link) in entity.links.enumerated() {
      append(member: entity.member(ofRelationship: link.name))
      if let target = record.links[index] { append(key: target) } else { append(raw: "null") }
    }
    for (index, list) in entity.lists.enumerated() {
      append(member: entity.member(ofRelationship: list.name))
      append(raw: "[")
      for (place, key) in record.lists[index].enumerated() {
        if place > 0 { append(raw: ",") }
        append(key: key)
      }
      append(raw: "]")
    }
    append(raw: "}")
  }

  /// Appends the name of a further member, with a comma before it.
  private mutating func append(member: String) {
    append(raw: ",")
    append(string: member)
    append(raw: ":")
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

  /// Appends a key of one attribute as its value, and a key of several as a list.
  private mutating func append(key: RecordKey) {
    let values = key.fieldValues
    guard values.count > 1 else { return append(values[0]) }
    append(raw: "[")
    for (place, value) in values.enumerated() {
      if place > 0 { append(raw: ",") }
      append(value)
    }
    append(raw: "]")
  }

  private mutating func append(_ value: FieldValue) {
    switch value {
    case .null: append(raw: "null")
    case .integer(let value): append(number: value)
    case .double(let value): append(number: value)
    case .boolean(let value): append(boolean: value)
    case .string(let value), .uri(let value): append(string: value)
    case .date(let seconds) where seconds.hasText: append(string: JSONBuilder.iso8601(seconds))
    case .date(let seconds): append(number: seconds)
    case .decimal(let value): append(string: value.description)
    case .binary(let value): append(string: value.base64EncodedString())
    case .uuid(let value): append(string: value.uuidString)
    }
  }

  /// Returns a date in whole seconds, such as `2024-02-29T08:05:00Z`.
  private static func iso8601(_ secondsSince2001: Double) -> String {
    Date(timeIntervalSinceReferenceDate: secondsSince2001).formatted(.iso8601)
  }
}

extension Double {
  /// True if a date with this number of seconds since 2001 is written as text in a payload: it has whole seconds and lies
  /// between the years 1600 and 9999.
  var hasText: Bool { self == rounded() && self > -12_600_000_000 && self < 252_000_000_000 }
}
