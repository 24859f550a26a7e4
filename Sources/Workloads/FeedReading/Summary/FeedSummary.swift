/// A description of a feed's contents, as `stackbench inspect` prints it.
///
/// It is made in one pass over the records. Apart from the numbers of distinct IDs, the memory that it takes depends on
/// the number of different members and not on the number of records. Distinct IDs are counted by hashes of 64 bits, at
/// 8 to 22 bytes of memory each. Two different IDs have the same hash with a probability of 3 in 100 million for a
/// million IDs.
public struct FeedSummary: Hashable, Sendable, Codable {
  /// The kind of file, which is always `feed`.
  public var kind = "feed"
  /// The name of the shape, such as `array`, `lines`, `geojson`, `object`, `dictionary` or `single`.
  public var shape: String
  /// The names that lead to the container of the records, with points between them, or nil if it is the whole file.
  public var recordsPath: String?
  /// The paths of further records, which are not read, as a list in words, or nil without such records. They are not
  /// encoded.
  public var furtherContainers: String?
  /// The member whose own members are lifted into each record, or nil if records are not envelopes.
  public var envelope: String?
  /// The member that a dictionary's names become, or nil for another shape.
  public var keyMember: String?
  /// The number of records.
  public var records = 0
  /// The member that identifies a record, or nil if it is not found.
  public var idField: String?
  /// The number of different IDs, or nil if no member identifies a record.
  public var distinctIDs: Int?
  /// The type of the IDs, which is `integer`, `string` or `mixed`, or nil if no member identifies a record.
  public var idType: String?
  /// The largest depth of nested lists and objects in a record as it is in the file. A record of scalars has depth 1.
  public var maxDepth = 0
  /// The number of different members that the records have, lifted ones included.
  public var unionOfKeys = 0
  /// The number of members that each record has, even if they are null.
  public var keysInEveryRecord = 0
  /// The members of the records, in the order in which they first occur.
  public var keys: [Key] = []
  /// The entities that the feed holds: first the entity of the records, then the entities of nested objects in the order
  /// in which they first occur.
  public var entities: [Entity] = []

  /// A member that records have.
  public struct Key: Hashable, Sendable, Codable {
    /// The name of the member.
    public var name: String
    /// The number of records that have the member.
    public var records = 0
    /// The kinds of its values, sorted: `boolean`, `integer`, `list`, `null`, `number`, `object` and `string`.
    public var types: [String] = []
  }

  /// An entity whose objects the feed holds.
  public struct Entity: Hashable, Sendable, Codable {
    /// The name of the entity, made from the name of the member that holds its objects, singular and capitalised.
    public var name: String
    /// The number of objects, repeated ones included.
    public var records: Int
    /// The number of different objects by their own IDs, or by their contents if they have no ID. It is nil for the
    /// records of a feed in which no member identifies a record.
    public var distinctIDs: Int?

    private enum CodingKeys: String, CodingKey {
      case name
      case records
      case distinctIDs = "distinct_ids"
    }

    /// Encodes the entity. An absent number is written as null.
    ///
    /// - Parameter encoder: The encoder.
    /// - Throws: The error of the encoder.
    public func encode(to encoder: any Encoder) throws {
      var values = encoder.container(keyedBy: CodingKeys.self)
      try values.encode(name, forKey: .name)
      try values.encode(records, forKey: .records)
      try values.encode(distinctIDs, forKey: .distinctIDs)
    }
  }

  private enum CodingKeys: String, CodingKey {
    case kind
    case shape
    case recordsPath = "records_path"
    case envelope
    case keyMember = "key_member"
    case records
    case idField = "id_field"
    case distinctIDs = "distinct_ids"
    case idType = "id_type"
    case maxDepth = "max_depth"
    case unionOfKeys = "union_of_keys"
    case keysInEveryRecord = "keys_in_every_record"
    case keys
    case entities
  }
}

// MARK: - Making

extension FeedSummary {
  /// Creates the summary of a feed by reading it from its first record to its last.
  ///
  /// - Parameters:
  ///   - reader: The reader of the feed.
  ///   - dictionaries: The singular of the members, in lower case, whose objects are dictionaries of objects.
  /// - Throws: `FeedError` if the feed cannot be read to its end.
  public init(of reader: FeedReader, dictionaries: Set<String> = []) throws(FeedError) {
    let recordEntity = EntityName.ofRecords(reader.shape)
    var members = MemberTally()
    var ids = IDSearch(recordsOf: reader)
    var nested = EntityTally(dictionaries: dictionaries)
    var count = 0
    var depth = 0
    try reader.forEachRecord { record throws(FeedError) in
      count += 1
      depth = max(depth, record.depth)
      members.add(record, nameOf: reader.name)
      ids.add(record, nameOf: reader.name)
      nested.add(record, nameOf: reader.name)
    }
    shape = reader.shape.name
    recordsPath = reader.shape.path.isEmpty ? nil : reader.shape.pathText
    furtherContainers = reader.furtherContainers
    envelope = reader.shape.envelope.isEmpty ? nil : reader.shape.envelope.joined(separator: ",")
    keyMember = reader.shape.container == .dictionary ? reader.shape.keyMember : nil
    records = count
    maxDepth = depth
    keys = members.typedKeys
    unionOfKeys = keys.count
    keysInEveryRecord = keys.count { $0.records == count }
    if let found = ids.found {
      idField = found.name
      distinctIDs = found.distinctCount
      idType = found.type
    }
    entities = [Entity(name: recordEntity, records: count, distinctIDs: distinctIDs)] + nested.entities
  }

  /// Encodes the summary. Absent values are written as null.
  ///
  /// - Parameter encoder: The encoder.
  /// - Throws: The error of the encoder.
  public func encode(to encoder: any Encoder) throws {
    var values = encoder.container(keyedBy: CodingKeys.self)
    try values.encode(kind, forKey: .kind)
    try values.encode(shape, forKey: .shape)
    try values.encode(recordsPath, forKey: .recordsPath)
    try values.encode(envelope, forKey: .envelope)
    try values.encode(keyMember, forKey: .keyMember)
    try values.encode(records, forKey: .records)
    try values.encode(idField, forKey: .idField)
    try values.encode(distinctIDs, forKey: .distinctIDs)
    try values.encode(idType, forKey: .idType)
    try values.encode(maxDepth, forKey: .maxDepth)
    try values.encode(unionOfKeys, forKey: .unionOfKeys)
    try values.encode(keysInEveryRecord, forKey: .keysInEveryRecord)
    try values.encode(keys, forKey: .keys)
    try values.encode(entities, forKey: .entities)
  }
}
