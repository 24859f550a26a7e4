import Foundation

/// Gives the groups of a feed's records as they exist before the records arrive: with the same keys and relationships,
/// and with other values.
///
/// Each group has another main row. After the last record, the feed is read again with other keys.
final class EarlierGroups {
  private let groups: FeedGroups
  /// The conversions of the attributes of each entity whose values change.
  private let conversions: [[FieldConversion]]
  private let laneCount: Int
  private let batchSize: Int
  /// True if each payload takes the same number of records, so that the lane of a record is known.
  private let isLaneKnown: Bool
  private var recordCount = 0
  private var keys: Set<RecordKey> = []

  init(_ feed: MappedFeed, options: WorkloadOptions) {
    groups = FeedGroups(feed, options: options)
    conversions = feed.schema.entities.map { entity in
      guard let mapped = feed.mapping.entities.first(where: { $0.name == entity.name }) else { return [] }
      // A digest of the content identifies rows with this content only.
      if case .content = mapped.key { return [] }
      return mapped.attributes.map { FieldConversion($0) }
    }
    laneCount = options.lanes
    batchSize = options.batchSize
    isLaneKnown = laneCount == 1 || options.mix.deletes == 0 && options.overlap == 0
  }

  /// Returns the next group, and adds its rows to those that later records may change.
  ///
  /// - Throws: `WorkloadError` if the feed cannot be read, or if a further pass over it cannot have other keys.
  func next(before changes: GroupChanges) throws(WorkloadError) -> RecordGroup {
    while true {
      let group = try groups.next()
      let lane = recordCount / batchSize % laneCount
      recordCount += 1
      guard keys.insert(group.records[group.main].key).inserted else { continue }
      let earlier = RecordGroup(
        group.records.map { changes.earlier($0, values: earlierValues(of: $0)) }, main: group.main)
      changes.addExisting(earlier, lane: isLaneKnown ? lane : nil)
      return earlier
    }
  }

  private func earlierValues(of record: ImportRecord) -> [FieldValue] {
    let conversions = conversions[record.entity]
    return record.values.enumerated().map { place, value in
      guard place < conversions.count else { return value }
      return value.others.lazy.compactMap { conversions[place].fitted($0) }.first { $0 != value } ?? value
    }
  }
}

extension FieldValue {
  /// Values of the same type that a row may have had before.
  fileprivate var others: [FieldValue] {
    switch self {
    case .integer(let number):
      [number.subtractingReportingOverflow(1), number.addingReportingOverflow(1)].filter { !$0.overflow }
        .map { .integer($0.partialValue) }
    case .double(let number): [.double(number - 1), .double(number + 1), .double(number / 2)]
    case .decimal(let number): [.decimal(number - 1), .decimal(number + 1)]
    case .date(let seconds): [.date(seconds - 86_400), .date(seconds + 86_400)]
    case .boolean(let isTrue): [.boolean(!isTrue)]
    case .string(let text): [.string(text + " (earlier)"), .string(String(text.dropLast()) + "~")]
    case .null, .binary, .uuid, .uri: []
    }
  }
}
