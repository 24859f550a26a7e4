/// A flat schema that is inferred from all records of a feed.
///
/// The schema has one entity, `Record`, with one attribute for each member that some record has. Attributes are sorted
/// by the bytes of the members' names, and all are optional except the key. The type of an attribute is boolean,
/// integer64, double (also if integers are among the values) or string. It is string for everything else: strings,
/// nested values as JSON text, values of several kinds, and members that are always null.
///
/// The key is the member `id`, or else `_id`, if it is present and not null in every record and its type is string or
/// integer64. Otherwise an attribute `index` is added, the record's place in the feed.
///
/// A store makes a column from an attribute's name in upper case, so names are made safe and unique, and `feedMember`
/// keeps the feed's name. Every character except ASCII letters, digits and underscores becomes an underscore, and an
/// empty name becomes `_`. A name whose upper-case form is taken gets `_2`, `_3`, and so on. The key is named first,
/// then the other members in the order of their bytes. Some names are taken from the start: `NOTE`, which belongs to
/// the user, and `_PK`, `_ENT` and `_OPT`, which with a Z before them belong to the store.
///
/// Members are distinguished by their bytes. `JSONDecoder` cannot do that: it treats é as one scalar and é as two
/// scalars as the same name. In payloads, and in `WorkloadSchema.Attribute.member`, the later of such members by their
/// bytes is therefore called `é_2`.
struct FeedSchema: Sendable {
  var schema: WorkloadSchema
  /// The feed's names for the entity's attributes, in their order.
  var members: [MemberName]
}

extension FeedSchema {
  static let entityName = "Record"
  /// The largest number of attributes: SQLite's default limit of 2,000 columns, less the columns that a store and the app
  /// add.
  static let largestWidth = 1_900

  /// Infers the schema from all records of a feed.
  ///
  /// - Throws: `WorkloadError` if the feed needs more attributes than `largestWidth`.
  static func infer(from feed: Feed) throws(WorkloadError) -> FeedSchema {
    let kinds = feed.kinds
    var names = AttributeNames()
    let key = keyAttribute(kinds, feed, &names)
    let keyMember = MemberName(key.member)
    let members = Set(kinds.keys).union([keyMember]).sorted { $0.text.bytesPrecede($1.text) }
    guard members.count <= largestWidth else {
      let index = members.count > kinds.count ? " and no id, so that an index is added" : ""
      throw WorkloadError(
        .damagedFeed,
        "the feed's records have \(kinds.count) different members\(index); "
          + "use at most \(largestWidth - members.count + kinds.count)",
        path: feed.path)
    }
    let attributes = zip(members, payloadNames(of: members)).map { member, payloadName in
      guard member != keyMember else { return key }
      return WorkloadSchema.Attribute(
        name: names.take(member.text), type: kinds[member]!.type, isOptional: true, member: payloadName,
        feedMember: member.text)
    }
    let keyIndex = members.firstIndex(of: keyMember)!
    let schema = WorkloadSchema(
      entities: [
        WorkloadSchema.Entity(
          name: entityName, attributes: attributes, keyIndex: keyIndex, sortIndexes: [keyIndex],
          shownIndexes: shownIndexes(attributes, keyIndex))
      ],
      recordForm: .plain)
    return FeedSchema(schema: schema, members: members)
  }

  /// Returns a name for each member that is not equal to any other as a `String`. It is the member's name, with a
  /// number added if an earlier name is equal.
  private static func payloadNames(of members: [MemberName]) -> [String] {
    let own = Set(members.map(\.text))
    var taken: Set<String> = []
    return members.map { member in
      var name = member.text
      var number = 1
      while !taken.insert(name).inserted || (number > 1 && own.contains(name)) {
        number += 1
        name = "\(member.text)_\(number)"
      }
      return name
    }
  }

  /// Returns the places of the attributes that a cell shows: the key, and the first number or else the first other
  /// attribute.
  private static func shownIndexes(_ attributes: [WorkloadSchema.Attribute], _ keyIndex: Int) -> [Int] {
    let others = attributes.indices.filter { $0 != keyIndex }
    let number = others.first { attributes[$0].type == .integer64 || attributes[$0].type == .double }
    return [keyIndex] + [number ?? others.first].compactMap { $0 }
  }
}

// MARK: - The key

extension FeedSchema {
  private static func keyAttribute(
    _ members: [MemberName: MemberKinds], _ feed: Feed, _ names: inout AttributeNames
  ) -> WorkloadSchema.Attribute {
    for candidate in ["id", "_id"] {
      guard let kinds = members[MemberName(candidate)], kinds.presentCount == feed.count else { continue }
      if kinds.type == .string || kinds.type == .integer64 {
        return .init(name: names.take(candidate), type: kinds.type, member: candidate, feedMember: candidate)
      }
    }
    var member = "index"
    var number = 1
    while members[MemberName(member)] != nil {
      number += 1
      member = "index_\(number)"
    }
    return .init(name: names.take(member), type: .integer64, member: member)
  }
}

/// Assigns attribute names that are safe and unique as columns.
struct AttributeNames {
  private var taken: Set<String> = ["NOTE", "_PK", "_ENT", "_OPT"]

  mutating func take(_ member: String) -> String {
    let bytes = member.unicodeScalars.map { scalar in
      let isPlain = scalar.isASCII && (scalar.properties.isAlphabetic || ("0"..."9").contains(scalar))
      return isPlain ? Character(scalar) : "_"
    }
    let plain = bytes.isEmpty ? "_" : String(bytes)
    var name = plain
    var number = 1
    while !taken.insert(name.uppercased()).inserted {
      number += 1
      name = "\(plain)_\(number)"
    }
    return name
  }
}
