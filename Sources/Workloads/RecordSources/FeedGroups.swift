import Foundation

/// The groups of records that a feed gives, one after another, without end: after the last record the feed is read again
/// with other keys.
final class FeedGroups: RecordGroups {
  private let feed: MappedFeed
  private let mapper: RecordMapper
  private let freshKeys: FreshKeys
  private let skipsBadRecords: Bool
  private var isAtStart = true
  private var place = 0
  private var pass = 0
  /// True if the current pass has given a group.
  private var hasGroup = false

  init(_ feed: MappedFeed, options: WorkloadOptions) {
    self.feed = feed
    mapper = RecordMapper(feed.mapping, schema: feed.schema)
    freshKeys = FreshKeys(feed)
    skipsBadRecords = options.onBadRecord == .skip
  }

  func next(lane: Int, isThere: (Int, RecordKey) -> Bool) throws(WorkloadError) -> RecordGroup { try next() }

  var makesValues: Bool { false }

  var mainEntities: [Int] { [feed.schema.index(ofEntity: feed.mapping.entities[0].name) ?? 0] }

  /// Does nothing, because records meet the rows of a store by their keys.
  func start(from start: StartingRows, _ records: [[ImportRecord]]) {}

  /// Returns the values of the next record if it has the entity of a record, or nil.
  func values(of record: ImportRecord, lane: Int) throws(WorkloadError) -> [FieldValue]? {
    let group = try next()
    let main = group.records[group.main]
    return main.entity == record.entity ? main.values : nil
  }

  /// Returns the group of the next record.
  ///
  /// - Throws: `WorkloadError` if the feed cannot be read, if a record does not fit and is not to be skipped, or if a
  ///   further pass over the feed cannot have keys of its own.
  func next() throws(WorkloadError) -> RecordGroup {
    // Other groups may have read the feed before.
    if isAtStart { feed.reader.rewind() }
    isAtStart = false
    while true {
      let record: FeedRecord?
      do {
        record = try feed.reader.next()
      } catch {
        throw WorkloadError(error)
      }
      guard let record else {
        guard hasGroup else {
          throw WorkloadError(.damagedFeed, "no record fits its entity", path: feed.reader.path)
        }
        feed.reader.rewind()
        place = 0
        pass += 1
        hasGroup = false
        continue
      }
      defer { place += 1 }
      do throws(RecordFault) {
        let group = try mapper.group(of: record, in: feed.reader, at: place)
        hasGroup = true
        return pass == 0 ? group : RecordGroup(try freshKeys.renewed(group.records, pass: pass), main: group.main)
      } catch {
        if skipsBadRecords { continue }
        throw WorkloadError(
          .damagedFeed, "record \(place) (the first is 0): \(error.message)", path: feed.reader.path,
          line: record.line)
      }
    }
  }
}

/// Gives the rows of a further pass over a feed keys of their own.
struct FreshKeys {
  /// The part of an entity's key that is changed, by its place among the key's values, and the attributes that are.
  private struct Entity {
    var component: Int?
    var places: [Int]
    /// The number that is added to an integer in each pass, by the attribute's place.
    var spans: [Int: Int64]
    var links: [Int]
    var lists: [Int]
  }

  private let schema: WorkloadSchema
  private let entities: [Entity]

  init(_ feed: MappedFeed) {
    schema = feed.schema
    let schema = feed.schema
    entities = schema.entities.enumerated().map { index, entity in
      let mapped = feed.mapping.entities.first { $0.name == entity.name }
      let component =
        entity.keyAttributes.firstIndex { $0.type.canBeRenewed }
        ?? entity.keyAttributes.firstIndex { $0.type == .double || $0.type == .date }
      let unique = schema.model.uniqueAttributes(of: schema.model.entities[index])
      let places = entity.attributes.indices.filter { place in
        component.map { entity.keyIndexes[$0] == place } ?? false
          || unique.contains(entity.attributes[place].name) && !entity.keyIndexes.contains(place)
            && entity.attributes[place].type.canBeRenewed
      }
      var spans: [Int: Int64] = [:]
      for place in places where entity.attributes[place].type.isInteger {
        let member = mapped?.attributes.first { $0.name == entity.attributes[place].name }?.member.last
        spans[place] = member.map { feed.structure.span(of: $0) } ?? Int64(feed.recordCount)
      }
      return Entity(
        component: component, places: places, spans: spans,
        links: entity.links.map { schema.index(ofEntity: $0.targetEntity) ?? 0 },
        lists: entity.lists.map { schema.index(ofEntity: $0.targetEntity) ?? 0 })
    }
  }

  /// Returns a group with the keys of a pass. Keys of the same row are changed alike.
  ///
  /// - Throws: `RecordFault` if a key has no value that can change, or if an integer leaves its range.
  func renewed(_ group: [ImportRecord], pass: Int) throws(RecordFault) -> [ImportRecord] {
    var renewed: [ImportRecord] = []
    for var record in group {
      let entity = entities[record.entity]
      for place in entity.places {
        let attribute = schema.entities[record.entity].attributes[place]
        record.values[place] = try value(
          record.values[place], type: attribute.type, span: entity.spans[place] ?? 1, pass: pass, name: attribute.name)
      }
      record.key = try key(record.key, of: record.entity, pass: pass)
      for place in record.links.indices {
        if let target = record.links[place] {
          record.links[place] = try key(target, of: entity.links[place], pass: pass)
        }
      }
      for place in record.lists.indices {
        for index in record.lists[place].indices {
          record.lists[place][index] = try key(record.lists[place][index], of: entity.lists[place], pass: pass)
        }
      }
      renewed.append(record)
    }
    return renewed
  }

  private func key(_ key: RecordKey, of index: Int, pass: Int) throws(RecordFault) -> RecordKey {
    let entity = schema.entities[index]
    guard let component = entities[index].component else {
      throw RecordFault(
        path: [],
        sentence:
          "cannot be repeated, because the key of \(entity.name) has no string, number, date or UUID; use fewer "
          + "rows than the feed has records")
    }
    var values = key.fieldValues
    let place = entity.keyIndexes[component]
    values[component] = try value(
      values[component], type: entity.attributes[place].type, span: entities[index].spans[place] ?? 1, pass: pass,
      name: entity.attributes[place].name)
    return RecordKey(values) ?? key
  }

  private func value(
    _ value: FieldValue, type: ValueType, span: Int64, pass: Int, name: String
  ) throws(RecordFault) -> FieldValue {
    switch value {
    case .integer(let number):
      let (offset, isTooLarge) = span.multipliedReportingOverflow(by: Int64(pass))
      let (sum, overflows) = number.addingReportingOverflow(offset)
      let fits =
        !isTooLarge && !overflows && (type != .integer16 || Int16(exactly: sum) != nil)
        && (type != .integer32 || Int32(exactly: sum) != nil)
      guard fits else {
        throw RecordFault(
          path: [], sentence: "cannot be repeated so often, because \(name) has no more numbers; use fewer rows")
      }
      return .integer(sum)
    // A coordinate or a date stays near the one of the feed.
    case .double(let number): return .double(number + Double(pass) / 1_000)
    case .date(let seconds): return .date(seconds + Double(pass))
    case .string(let text): return .string("\(text)~\(pass)")
    case .uri(let text): return .uri("\(text)#\(pass)")
    case .uuid(let uuid):
      var bytes = uuid.bytes
      for place in 0..<4 { bytes[place] ^= UInt8(truncatingIfNeeded: pass >> (8 * place)) }
      return .uuid(bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) })
    default: return value
    }
  }
}

extension ValueType {
  /// True if a value of the type can be changed to one that no other row has.
  fileprivate var canBeRenewed: Bool { isInteger || self == .string || self == .uuid || self == .uri }
}

extension FeedStructure {
  /// Returns the number of integers from the smallest to the largest value of the members of a name.
  func span(of name: String) -> Int64 {
    let members = kinds.compactMap { $0.member(name) }.filter(\.integers)
    guard let smallest = members.map(\.smallest).min(), let largest = members.map(\.largest).max() else {
      return Int64(recordCount)
    }
    let (span, overflows) = largest.subtractingReportingOverflow(smallest)
    return overflows || span == .max ? .max : span + 1
  }
}
