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
  private var order: RecordOrder

  /// Reads a feed and checks that it can be imported with the options.
  ///
  /// - Throws: `WorkloadError` if the feed cannot be read or cannot be used with these options.
  init(options: WorkloadOptions, path: String) throws(WorkloadError) {
    feed = try Feed(path: path)
    let inferred = try FeedSchema.infer(from: feed)
    schema = inferred.schema
    members = inferred.members
    entity = schema.entities[0]
    order = RecordOrder(options)
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
    for (index, _) in order.next(count, lane: lane) {
      piece.append(record(index)) { $0.append(plain: $1, of: entity) }
    }
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

  /// Throws an error if a key occurs in the payloads of two lanes, because a key belongs to one lane. Shared records
  /// count as those of a further lane.
  private func checkLanes(_ options: WorkloadOptions) throws(WorkloadError) {
    guard options.lanes > 1 else { return }
    var laneOfKey: [RecordKey: Int] = [:]
    var order = order
    for (payload, start) in stride(from: 0, to: rows, by: options.batchSize).enumerated() {
      let lane = payload % options.lanes
      for (index, isShared) in order.next(min(options.batchSize, rows - start), lane: lane) {
        let owner = isShared ? options.lanes : lane
        let key = record(index).key
        guard laneOfKey.updateValue(owner, forKey: key) ?? owner == owner else {
          throw WorkloadError(
            .lanes, "\(options.lanes)",
            "\(entity.keyAttributes[0].member) \(key) appears in payloads of two lanes of \(feed.path), but a key must "
              + "belong to one lane; use 1")
        }
      }
    }
  }
}

/// The order in which payloads take the records of a feed: each record once, except that every lane takes the shared
/// ones.
private struct RecordOrder {
  private var progress: SharedProgress
  /// The shared records in the order in which lanes take them.
  private var shared: [Int] = []
  private var nextRecord = 0

  init(_ options: WorkloadOptions) {
    progress = SharedProgress(options)
  }

  /// Returns the records of a lane's next payload.
  mutating func next(_ count: Int, lane: Int) -> [(index: Int, isShared: Bool)] {
    progress.takeRecords(count, lane: lane).map { isShared in
      guard isShared else { return (take(), false) }
      let place = progress.takePlace(lane: lane)
      if place == shared.count { shared.append(take()) }
      return (shared[place], true)
    }
  }

  private mutating func take() -> Int {
    defer { nextRecord += 1 }
    return nextRecord
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
