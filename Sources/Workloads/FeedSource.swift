import Foundation
import MachineCore

/// A source of payloads that holds a feed's records, with a flat schema inferred from all of them.
///
/// A payload's record is an object of plain values under the members' names in the feed. Nested values are already JSON
/// text in it.
struct FeedSource: RecordSource {
  let schema: WorkloadSchema
  let rows: Int
  private let feed: Feed
  private let entity: WorkloadSchema.Entity
  /// The feed's names for the entity's attributes, in their order.
  private let members: [MemberName]
  private var nextRecord = 0

  /// Reads a feed and checks that it can be imported with the options.
  ///
  /// - Throws: `WorkloadError` if the feed cannot be read or cannot be used with these options.
  init(options: WorkloadOptions, path: String) throws(WorkloadError) {
    feed = try Feed(path: path)
    let inferred = try FeedSchema.infer(from: feed)
    schema = inferred.schema
    members = inferred.members
    entity = schema.entities[0]
    rows = options.rows ?? feed.count
    guard rows <= feed.count else {
      throw WorkloadError(.rows, "\(rows)", "\(path) holds \(feed.count) records; use at most that many")
    }
    try checkIntegers()
    try checkKeys()
    try checkLanes(options)
  }

  mutating func nextExisting(count: Int) -> Piece { Piece() }

  mutating func nextPayload(count: Int, lane: Int) -> Piece {
    var piece = Piece()
    for index in nextRecord..<nextRecord + count {
      piece.append(record(index)) { $0.append(plain: $1, of: entity) }
    }
    nextRecord += count
    piece.close()
    return piece
  }

  private func record(_ index: Int) -> ImportRecord {
    let record = feed.record(index)
    var values = zip(members, entity.attributes).map { member, attribute in
      (record[member] ?? .null).fieldValue(as: attribute.type)
    }
    if values[entity.keyIndexes[0]] == .null { values[entity.keyIndexes[0]] = .integer(Int64(index)) }
    guard let key = RecordKey(values[entity.keyIndexes[0]]) else {
      fatalError("\(feed.path): the key \(entity.keyAttributes[0].member) was inferred and is not in every record")
    }
    return ImportRecord(entity: 0, key: key, values: values, links: [])
  }

  /// Throws an error if an attribute of type double has an integer among its values that no double is equal to.
  private func checkIntegers() throws(WorkloadError) {
    let doubles = zip(members, entity.attributes).filter { $1.type == .double }.map(\.0)
    guard !doubles.isEmpty else { return }
    for index in 0..<feed.count {
      let record = feed.record(index)
      for member in doubles {
        guard case .integer(let integer) = record[member], Int64(exactly: Double(integer)) != integer else { continue }
        throw feed.error(
          inRecord: index,
          "\(JSONValue.string(QuotedText.of(member.text)).text) is \(integer), and other records have fractions, so that it is stored as a "
            + "double, which cannot hold it; use an integer between -9007199254740992 and 9007199254740992, or a string"
        )
      }
    }
  }

  /// Throws an error if two keys of different types would be equal as text, such as 1 and "1".
  private func checkKeys() throws(WorkloadError) {
    guard entity.keyAttributes[0].type == .string else { return }
    let member = members[entity.keyIndexes[0]]
    var places: [RecordKey: Int] = [:]
    for index in 0..<feed.count {
      guard let value = feed.record(index)[member], let key = RecordKey(value.fieldValue(as: .string)) else { continue }
      guard let first = places[key] else {
        places[key] = index
        continue
      }
      guard let other = feed.record(first)[member], value.isString != other.isString else { continue }
      throw feed.error(
        inRecord: index,
        "\(member.text) \(QuotedText.of(value.text)) would be the same row as \(QuotedText.of(other.text)) of record \(first) (the first is 0); "
          + "write all IDs as strings, or all as integers")
    }
  }

  /// Throws an error if a key occurs in the payloads of two lanes, because a key belongs to one lane.
  private func checkLanes(_ options: WorkloadOptions) throws(WorkloadError) {
    guard options.lanes > 1 else { return }
    var laneOfKey: [RecordKey: Int] = [:]
    for index in 0..<rows {
      let lane = index / options.batchSize % options.lanes
      let key = record(index).key
      guard laneOfKey.updateValue(lane, forKey: key) ?? lane == lane else {
        throw WorkloadError(
          .lanes, "\(options.lanes)",
          "\(entity.keyAttributes[0].member) \(key) appears in payloads of two lanes of \(feed.path), but a key must "
            + "belong to one lane; use 1")
      }
    }
  }
}

extension JSONValue {
  fileprivate var isString: Bool {
    if case .string = self { true } else { false }
  }

  /// Returns the value as an attribute's type, which was inferred from all values of the attribute, including this one.
  func fieldValue(as type: WorkloadSchema.AttributeType) -> FieldValue {
    switch (type, self) {
    case (_, .null): .null
    case (.integer64, .integer(let value)): .integer(value)
    case (.double, .integer(let value)): .double(Double(value))
    case (.double, .double(let value)): .double(value)
    case (.boolean, .boolean(let value)): .boolean(value)
    case (_, .string(let value)): .string(value)
    default: .string(text)
    }
  }
}
