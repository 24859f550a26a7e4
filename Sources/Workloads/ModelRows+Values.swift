import Foundation
import MachineCore

extension ModelRows {
  var makesValues: Bool { true }

  /// Returns new values for a row.
  func values(of record: ImportRecord, lane: Int) throws(WorkloadError) -> [FieldValue]? {
    guard let entity = entities.first(where: { $0.index == record.entity }) else { return record.values }
    var values: [FieldValue] = []
    for attribute in entity.attributes { values.append(try value(of: attribute, entity, lane)) }
    return values
  }

  func values(of entity: Entity, _ lane: Int) throws(WorkloadError) -> [FieldValue] {
    var values: [FieldValue] = []
    for attribute in entity.attributes { values.append(try value(of: attribute, entity, lane)) }
    // Each row of a starting store can take one number away.
    for _ in 0...(taken?.rowCount ?? 0) {
      for group in entity.uniqueGroups { try setUnique(&values, group, entity, rowCount) }
      rowCount += 1
      if taken?.isTaken(values, of: entity.index) != true { return values }
    }
    throw WorkloadError(
      .unusableStore,
      "the store has all values that can be generated for the key of \(schema.entities[entity.index].name); use a feed")
  }

  private func value(
    of attribute: Attribute, _ entity: Entity, _ lane: Int
  ) throws(WorkloadError) -> FieldValue {
    let mapped = attribute.mapped
    if attribute.hasPattern {
      if let text = attribute.pattern?.text(Int64(lanes[lane].random.below(1_000_000)))?.text { return .string(text) }
      if let value = mapped.defaultValue?.fieldValue { return value }
      guard mapped.isOptional else {
        throw WorkloadError(
          .damagedFeed,
          "\(schema.entities[entity.index].name).\(mapped.name) must match \(mapped.range.regularExpression ?? ""), and no "
            + "such values are generated; give a feed", path: schema.model?.place)
      }
      return .null
    }
    let plain = lanes[lane].values.value(for: WorkloadSchema.Attribute(name: mapped.name, type: mapped.type))
    return Self.fitted(plain, to: mapped, &lanes[lane].random)
  }

  /// Returns a value within the range of an attribute.
  private static func fitted(
    _ value: FieldValue, to attribute: FeedMapping.Attribute, _ random: inout SeededRandom
  ) -> FieldValue {
    let minimum = attribute.range.minimum?.fieldValue
    let maximum = attribute.range.maximum?.fieldValue
    switch value {
    case .string(let text):
      var fitted = text
      if let most = attribute.range.maximumLength { fitted = String(fitted.prefix(most)) }
      if let least = attribute.range.minimumLength, fitted.count < least {
        fitted += String(repeating: "a", count: least - fitted.count)
      }
      return .string(fitted)
    case .integer(let number):
      let low = minimum?.wholeNumber ?? min(0, maximum?.wholeNumber ?? 0)
      let high = max(low, maximum?.wholeNumber ?? max(low, low.addingReportingOverflow(1_000_000).partialValue))
      let (span, overflows) = high.subtractingReportingOverflow(low)
      if number >= low, number <= high { return value }
      return .integer(overflows || span == .max ? low : low + Int64(random.below(Int(span) + 1)))
    default:
      if let minimum, value.precedes(minimum) { return minimum }
      if let maximum, maximum.precedes(value) { return maximum }
      return attribute.type == .float ? value.asFloat : value
    }
  }

  /// Gives the attributes of a uniqueness constraint values that no other row has together.
  ///
  /// - Throws: `WorkloadError` if the model allows fewer different values than there are rows.
  private func setUnique(
    _ values: inout [FieldValue], _ group: UniqueGroup, _ entity: Entity, _ number: Int64
  ) throws(WorkloadError) {
    var rest = number
    let order = group.places.sorted {
      rank(entity.attributes[$0].mapped.type) < rank(entity.attributes[$1].mapped.type)
    }
    for (index, place) in order.enumerated() {
      let mapped = entity.attributes[place].mapped
      let text = entity.attributes[place].pattern?.text(rest)
      if text == nil, entity.attributes[place].hasPattern { continue }
      let (value, carried) = text.map { (.string($0.text), $0.rest) } ?? Self.unique(rest, mapped)
      guard let value else { continue }
      values[place] = value
      rest = carried
      if rest == 0, index == 0 { return }
    }
    let isBounded =
      group.isComplete && !order.isEmpty && order.allSatisfy { rank(entity.attributes[$0].mapped.type) < 6 }
    guard rest == 0 || !isBounded else {
      let name = schema.entities[entity.index].name
      let attributes = order.map { "\(name).\(entity.attributes[$0].mapped.name)" }.joined(separator: " with ")
      throw WorkloadError(
        .damagedFeed,
        "the model allows too few different values of \(attributes), which must be unique, for more than \(number) rows; "
          + "use fewer rows, or give a feed", path: schema.model?.place)
    }
  }

  private func rank(_ type: WorkloadSchema.AttributeType) -> Int {
    switch type {
    case .uuid: 0
    case .string, .uri: 1
    case .integer64: 2
    case .integer32: 3
    case .date, .double, .decimal: 4
    case .integer16: 5
    case .float, .boolean, .binary, .transformable: 6
    }
  }

  /// Returns the value of a row by its number, and the part of the number that the value cannot hold.
  private static func unique(_ number: Int64, _ attribute: FeedMapping.Attribute) -> (FieldValue?, rest: Int64) {
    switch attribute.type {
    case .uuid:
      var bytes = [UInt8](repeating: 0, count: 16)
      for place in 0..<8 { bytes[15 - place] = UInt8(truncatingIfNeeded: number >> Int64(8 * place)) }
      bytes[6] = 0x40
      bytes[8] = 0x80
      return (.uuid(bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }), 0)
    case .string:
      let digits = String(number, radix: 36)
      if let most = attribute.range.maximumLength, most < 8 {
        let count = (0..<most).reduce(Int64(1)) { count, _ in count * 36 }
        let text = String(number % count, radix: 36)
        return (.string(String(repeating: "0", count: most - text.count) + text), number / count)
      }
      let text = "r" + String(repeating: "0", count: max(0, 7 - digits.count)) + digits
      let least = attribute.range.minimumLength ?? 0
      return (.string(text + String(repeating: "a", count: max(0, least - text.count))), 0)
    case .uri: return (.uri("https://example.org/rows/\(number)"), 0)
    case .integer64, .integer32, .integer16:
      let standard: ClosedRange<Int64> =
        switch attribute.type {
        case .integer16: 0...31_999
        case .integer32: 0...1_999_999_999
        default: 1...4_000_000_000_000_000_000
        }
      let low = attribute.range.minimum?.fieldValue.wholeNumber ?? min(standard.lowerBound, attribute.highest ?? 0)
      let high = max(low, attribute.highest ?? max(standard.upperBound, low))
      let (span, overflows) = high.subtractingReportingOverflow(low)
      guard !overflows, span < .max else { return (.integer(low + number), 0) }
      return (.integer(low + number % (span + 1)), number / (span + 1))
    case .date: return (.date(Double(number)), 0)
    case .double: return (.double(Double(number)), 0)
    case .decimal: return (.decimal(Decimal(number)), 0)
    case .boolean: return (.boolean(number % 2 == 1), number / 2)
    case .float, .binary, .transformable: return (nil, number)
    }
  }
}

extension PatternText {
  /// Creates a source of texts within the limits of an attribute, or returns nil if it has no pattern or no text is
  /// found.
  init?(_ range: FieldRange) {
    guard let pattern = range.regularExpression else { return nil }
    let least = range.minimumLength ?? 0
    self.init(pattern, lengths: least...max(least, range.maximumLength ?? 1_000))
  }
}

extension FeedMapping.Attribute {
  /// The largest number that the model allows, or nil if it has no such limit.
  fileprivate var highest: Int64? { range.maximum?.fieldValue.wholeNumber }
}

extension FieldValue {
  /// The number as a whole one, or nil if the value is not a number.
  fileprivate var wholeNumber: Int64? {
    switch self {
    case .integer(let number): number
    case .double(let number): Int64(exactly: number.rounded(.up))
    default: nil
    }
  }

  /// The nearest value that a float keeps.
  fileprivate var asFloat: FieldValue {
    if case .double(let number) = self { .double(Double(Float(number))) } else { self }
  }
}
