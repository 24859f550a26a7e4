/// A member of a feed's objects whose values are IDs of other objects of the feed, such as `parent_id` and `tag_ids`.
struct FeedReference: Sendable {
  /// The kind of objects that have the member.
  var kind: Int
  var member: String
  /// The kind of objects whose IDs the values are.
  var target: Int
  /// True if the values are lists of IDs.
  var isToMany: Bool
  /// The number of values that are not null, counted in lists too.
  var count = 0
  /// The number of values that are not the ID of any object.
  var danglingCount = 0

  /// The name of the relationship that the member sets: without its ending, and in the plural for a list.
  var relationshipName: String {
    let stem = Self.parts(of: member).stem
    return isToMany ? Self.plural(EntityName.singular(stem)) : stem
  }
}

// MARK: - Finding

extension FeedReference {
  /// Finds the references of a feed.
  ///
  /// A member is a reference if its name leads to an entity, as `author_id` leads to `Author`, and if most of its values
  /// are IDs of that entity. The name of a member such as `parent_id` leads to the entity of its own objects.
  ///
  /// - Parameters:
  ///   - structure: The members of the feed's records.
  ///   - kinds: The kinds of objects that are entities.
  ///   - reader: The reader of the feed. All records are read once more if some member may be a reference.
  /// - Returns: The references in the order of their kinds and members.
  /// - Throws: `FeedError` if the feed cannot be read.
  static func find(
    in structure: FeedStructure, kinds: [Int], _ reader: FeedReader
  ) throws(FeedError) -> [FeedReference] {
    var names = kinds.map { (kind: $0, words: [EntityNaming.words(structure.kinds[$0].member)]) }
    for place in names.indices {
      names[place].words =
        names[place].kind == 0
        ? EntityName.candidates(ofRecordsOf: reader).map(EntityNaming.words)
        : [EntityNaming.words(EntityName.of(structure.kinds[names[place].kind].member))]
    }
    var search = ReferenceSearch(structure)
    for kind in kinds {
      for member in structure.kinds[kind].members.sorted(by: { $0.name.bytesPrecede($1.name) }) {
        guard member.name != structure.kinds[kind].id?.name, let form = Form(member),
          let target = target(of: member, kind: kind, names: names, in: structure),
          form.fits(structure.kinds[target].id)
        else { continue }
        search.add(FeedReference(kind: kind, member: member.name, target: target, isToMany: form == .list))
      }
    }
    return try search.measured(reader).filter { $0.danglingCount * 2 < $0.count }
  }

  /// The form of a member's values that may be IDs.
  private enum Form {
    case integer
    case string
    case list

    init?(_ member: FeedStructure.Member) {
      guard !member.objects, !member.listedObjects, !member.booleans, !member.decimals else { return nil }
      switch (member.lists, member.integers || member.largeIntegers, member.strings) {
      case (true, false, false) where member.otherElements: self = .list
      case (false, true, false): self = .integer
      case (false, false, true): self = .string
      default: return nil
      }
    }

    func fits(_ id: IDSearch.Found?) -> Bool {
      switch self {
      case .integer: id?.type == "integer"
      case .string: id?.type == "string"
      case .list: id?.type == "integer" || id?.type == "string"
      }
    }
  }

  /// Returns the kind of objects that the name of a member leads to, or nil if it is not found.
  private static func target(
    of member: FeedStructure.Member, kind: Int, names: [(kind: Int, words: [[String]])], in structure: FeedStructure
  ) -> Int? {
    let (stem, hasEnding) = parts(of: member.name)
    let words = EntityNaming.words(EntityName.singular(stem))
    var best: (kind: Int, length: Int)?
    for (candidate, all) in names where structure.kinds[candidate].hasID {
      for own in all where !own.isEmpty && words.suffix(own.count) == own[...] {
        guard hasEnding || words.count == own.count else { continue }
        if own.count > best?.length ?? 0 { best = (candidate, own.count) }
      }
    }
    if let best { return best.kind }
    return structure.kinds[kind].hasID && ownWords.contains(words.joined()) ? kind : nil
  }

  /// Names that lead to another object of the same entity.
  private static let ownWords: Set<String> = [
    "parent", "child", "inreplyto", "replyto", "manager", "supervisor", "predecessor", "successor", "previous", "next",
  ]

  // MARK: Names

  private static let endings = ["_ids", "_IDs", "_id", "_ID", "-ids", "-id", "Ids", "IDs", "Id", "ID"]

  /// Returns the part of a member's name before an ending such as `_id`, and true if there is such an ending.
  private static func parts(of name: String) -> (stem: String, hasEnding: Bool) {
    for ending in endings where name.hasSuffix(ending) && name.utf8.count > ending.utf8.count {
      return (String(name.dropLast(ending.count)), true)
    }
    return (name, false)
  }

  /// Returns the plural of an English noun, by rule.
  private static func plural(_ noun: String) -> String {
    let lower = noun.lowercased()
    if lower.hasSuffix("y"), let before = lower.dropLast().last, !"aeiou".contains(before) {
      return noun.dropLast() + "ies"
    }
    return noun + (["s", "x", "z", "ch", "sh"].contains(where: lower.hasSuffix) ? "es" : "s")
  }
}

/// Compares the values of members that may be references with the IDs of their targets.
private struct ReferenceSearch {
  private let structure: FeedStructure
  private var references: [FeedReference] = []
  /// The places of the references of each kind, by member.
  private var places: [[MemberName: Int]]
  private var targets: [IDSearch.Found?] = []

  init(_ structure: FeedStructure) {
    self.structure = structure
    places = structure.kinds.map { _ in [:] }
  }

  mutating func add(_ reference: FeedReference) {
    places[reference.kind][MemberName(reference.member)] = references.count
    references.append(reference)
    targets.append(structure.kinds[reference.target].id)
  }

  /// Returns the references with their counts.
  mutating func measured(_ reader: FeedReader) throws(FeedError) -> [FeedReference] {
    guard !references.isEmpty else { return [] }
    var search = self
    try reader.forEachRecord { (record) throws(FeedError) in
      for (id, value) in record.members { search.add(value, named: MemberName(reader.name(of: id)), of: 0) }
    }
    return search.references
  }

  private mutating func add(_ value: FeedValue, named name: MemberName, of kind: Int) {
    if let place = places[kind][name] {
      add(value, to: place)
    } else if let nested = structure.kinds[kind].member(name.text)?.kind {
      add(value, in: nested)
    }
  }

  /// Adds the members of an object, or of the objects in a list or a dictionary.
  private mutating func add(_ value: FeedValue, in kind: Int, isElement: Bool = false) {
    switch value {
    case .object(let object) where structure.kinds[kind].keyMember != nil && !isElement:
      for member in object { add(member.value, in: kind, isElement: true) }
    case .object(let object):
      for member in object { add(member.value, named: MemberName(member.name.string), of: kind) }
    case .list(let list):
      for element in list {
        if case .object = element { add(element, in: kind, isElement: true) }
      }
    default: break
    }
  }

  private mutating func add(_ value: FeedValue, to place: Int) {
    switch value {
    case .null: break
    case .list(let list):
      for element in list { add(element, to: place) }
    default:
      references[place].count += 1
      if targets[place]?.contains(value) != true { references[place].danglingCount += 1 }
    }
  }
}
