import Foundation
import MachineCore

extension ModelRows {
  var makesValues: Bool { true }

  /// Returns new values for a row.
  func values(of record: ImportRecord, lane: Int) throws(WorkloadError) -> [FieldValue]? {
    guard let entity = entities.first(where: { $0.index == record.entity }) else { return record.values }
    var values: [FieldValue] = []
    for attribute in entity.attributes { values.append(try value(of: attribute, entity: entity, lane: lane)) }
    return values
  }

  func values(of entity: Entity, _ lane: Int) throws(WorkloadError) -> [FieldValue] {
    var values: [FieldValue] = []
    for attribute in entity.attributes { values.append(try value(of: attribute, entity: entity, lane: lane)) }
    // Each row of a starting store can take one number away.
    for _ in 0...(taken?.rowCount ?? 0) {
      for group in entity.uniqueGroups {
        try setUnique(
          &values, group: group, entity: entity, number: group.isLimited ? tableCounts[entity.tableRoot] : rowCount)
      }
      rowCount += 1
      tableCounts[entity.tableRoot] += 1
      if taken?.isTaken(values, of: entity.index) != true { return values }
    }
    throw WorkloadError(
      .unusableStore,
      "the store has all values that can be generated for the key of \(schema.entities[entity.index].name); use a feed")
  }

  private func value(
    of attribute: Attribute, entity: Entity, lane: Int
  ) throws(WorkloadError) -> FieldValue {
    let mapped = attribute.mapped
    if attribute.hasPattern {
      if let text = attribute.pattern?.text(Int64(lanes[lane].random.below(1_000_000)))?.text { return .string(text) }
      if let value = mapped.defaultValue?.fieldValue { return value }
      guard mapped.isOptional else {
        throw WorkloadError(
          .damagedFeed,
          "\(schema.entities[entity.index].name).\(mapped.name) must match \(mapped.regularExpression ?? ""), and no "
            + "such values are generated; give a feed", path: schema.model.place)
      }
      return .null
    }
    let plain = lanes[lane].values.value(of: mapped.name, mapped.type)
    return Self.fitted(plain, to: mapped, using: &lanes[lane].random)
  }

  /// Returns a value within the range of an attribute.
  private static func fitted(
    _ value: FieldValue, to attribute: FeedMapping.Attribute, using random: inout SeededRandom
  ) -> FieldValue {
    let minimum = attribute.minimum?.fieldValue
    let maximum = attribute.maximum?.fieldValue
    switch value {
    case .string(let text):
      var fitted = text
      if let most = attribute.maximumLength { fitted = String(fitted.prefix(most)) }
      if let least = attribute.minimumLength, fitted.count < least {
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
    _ values: inout [FieldValue], group: UniqueGroup, entity: Entity, number: Int64
  ) throws(WorkloadError) {
    var rest = number
    let order = group.places.sorted {
      rank(entity.attributes[$0].mapped.type) < rank(entity.attributes[$1].mapped.type)
    }
    for (index, place) in order.enumerated() {
      let attribute = entity.attributes[place]
      let text = attribute.pattern?.text(rest)
      if text == nil, attribute.hasPattern { continue }
      (values[place], rest) = text.map { (.string($0.text), $0.rest) } ?? attribute.distinctValues.value(rest)
      if rest == 0, index == 0 { return }
    }
    guard rest == 0 || !group.isComplete || order.isEmpty else {
      let name = schema.entities[entity.index].name
      let attributes = order.map { "\(name).\(entity.attributes[$0].mapped.name)" }.joined(separator: " with ")
      throw WorkloadError(
        .damagedFeed,
        "the model allows too few different values of \(attributes), which must be unique, for more than \(number) rows; "
          + "use fewer rows, or give a feed", path: schema.model.place)
    }
  }

  private func rank(_ type: ValueType) -> Int {
    switch type {
    case .uuid: 0
    case .string, .uri: 1
    case .integer64: 2
    case .integer32: 3
    case .date, .double, .decimal: 4
    case .integer16: 5
    case .binary, .transformable: 6
    case .float, .boolean: 7
    }
  }
}

extension PatternText {
  /// Creates a source of texts within the limits of an attribute, or returns nil if it has no pattern or no text is
  /// found.
  init?(_ attribute: ModelDocument.Attribute) {
    guard let pattern = attribute.regularExpression else { return nil }
    let least = attribute.minimumLength ?? 0
    self.init(pattern, lengths: least...max(least, attribute.maximumLength ?? 1_000))
  }
}

extension FieldValue {
  /// The number as a whole one, or nil if the value is not a number.
  var wholeNumber: Int64? {
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
