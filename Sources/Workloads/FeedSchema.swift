/// Infers a flat model over all records of a feed.
///
/// One entity `Record`; one attribute for each member that some record has, sorted by the bytes of their names; all
/// optional but the key. Its type is boolean, integer64, double (integers and others mixed) or string (everything else:
/// strings, nested values as JSON text, kinds mixed, nothing but null). The key is `id`, else `_id`: whichever is a
/// string or integer in every record; else `index`, the record's place in the feed, which is added.
///
/// A store makes a column of an attribute's name in upper case, so names are made safe and unique, and `member` keeps
/// what the feed calls it: every character but an ASCII letter, digit or underscore becomes an underscore; an empty
/// name becomes `_`; a name whose upper-case form is taken gets `_2`, `_3`, … The key comes first, then members by
/// their bytes. `NOTE`, which is the user's, and `_PK`, `_ENT` and `_OPT`, which with a Z before them are the store's,
/// are taken from the start.
///
/// Members are told apart by their bytes. `JSONDecoder` cannot do that: it counts é as one scalar and as two as one name.
/// So the later of such members by their bytes is called `é_2` in payloads, and in `WorkloadSchema.Attribute.member`.
struct FeedSchema: Sendable {
  var schema: WorkloadSchema
  /// The feed's names for the entity's attributes, in their order.
  var members: [MemberName]
}

extension FeedSchema {
  static let entityName = "Record"
  /// The most attributes of a table: SQLite's default limit of 2,000 columns, less what a store adds.
  static let largestTableWidth = 1_900
  /// The most attributes that can be imported: the engine's limit of 64 properties, less `note`.
  static let largestImportWidth = 63

  /// - Throws: `WorkloadError` for a feed that needs more attributes than `largestAttributeCount`.
  static func infer(from feed: Feed, largestAttributeCount: Int) throws(WorkloadError) -> FeedSchema {
    let kinds = feed.kinds
    var names = AttributeNames()
    let key = keyAttribute(kinds, feed, &names)
    let keyMember = MemberName(key.member)
    let members = Set(kinds.keys).union([keyMember]).sorted { $0.text.bytesPrecede($1.text) }
    guard members.count <= largestAttributeCount else {
      let index = members.count > kinds.count ? " and no id, so that an index is added" : ""
      throw WorkloadError(
        .damagedFeed,
        "the feed's records have \(kinds.count) different members\(index); "
          + "use at most \(largestAttributeCount - members.count + kinds.count)",
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

  /// Returns a name for each member that no other is equal to as a `String`: its own but for later ones of equal names.
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

  /// What a cell shows: the key, and the first number or else the first string beside it.
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

/// Gives out attribute names that are safe and unique as columns.
private struct AttributeNames {
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
