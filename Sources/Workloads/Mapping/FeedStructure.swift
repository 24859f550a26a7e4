import MachineCore

/// The members of a feed's records and of the objects nested in them, with the kinds of their values.
///
/// Objects under members of one name are of one kind, wherever they are, so that a tree of comments or a person who
/// appears in several places has one description.
struct FeedStructure: Sendable {
  /// The objects of one kind. The first kind describes the records.
  struct Kind: Sendable {
    /// The name of the member under which the objects are, or the empty string for records.
    var member: String
    var count = 0
    /// The members, in the order in which they first appear.
    var members: [Member] = []
    private(set) var places: [MemberName: Int] = [:]
    /// True if the objects were found in a list of several, in a single value, or both.
    var isInLists = false
    /// The search for the member that identifies the objects.
    var ids: IDSearch
    /// The member that the names of the objects become, or nil if the objects have no names.
    var keyMember: String?
    /// The content of the object of each name, as a hash.
    private var contents: [MemberName: UInt64] = [:]
    private var hasEqualNames = false

    init(member: String, ids: IDSearch) {
      self.member = member
      self.ids = ids
    }

    /// The member that identifies the objects, or nil if it does not exist.
    var id: IDSearch.Found? { ids.found }
    /// The name of the member that identifies the objects: the member with their names if each name has one content, or
    /// else the member with their ID, or nil if they have neither.
    var idName: String? { isNamed ? keyMember : id?.name }
    /// True if all objects have names, and objects of one name are equal.
    private var isNamed: Bool {
      !hasEqualNames && keyMember.flatMap(member).map { $0.presentCount == count } ?? false
    }
    /// True if the objects are identified by an ID that members of other objects can contain.
    var hasID: Bool { !isNamed && id != nil }
    /// The member that can be the key of records without an ID, or nil if it does not exist.
    var proposedID: IDSearch.Found? { ids.proposed }

    /// Returns the place of a member, which is added if it is new.
    mutating func place(of name: String) -> Int {
      if let place = places[MemberName(name)] { return place }
      places[MemberName(name)] = members.count
      members.append(Member(name: name))
      return members.count - 1
    }

    /// Adds the name of an object.
    mutating func add(name: String, of object: FeedObject) {
      guard let keyMember else { return }
      let place = place(of: keyMember)
      members[place].presentCount += 1
      members[place].strings = true
      let hash = ValueHash.of(.object(object))
      if contents.updateValue(hash, forKey: MemberName(name)) ?? hash != hash { hasEqualNames = true }
      if hasEqualNames { contents = [:] }
    }

    func member(_ name: String) -> Member? { places[MemberName(name)].map { members[$0] } }
  }

  /// A member of the objects of one kind.
  struct Member: Sendable {
    var name: String
    /// The number of objects in which the member is present and not null.
    var presentCount = 0
    var nullCount = 0
    var booleans = false
    var integers = false
    var decimals = false
    var largeIntegers = false
    var strings = false
    /// The kind of the nested objects, or nil if no value is an object or a list with objects.
    var kind: Int?
    var objects = false
    var lists = false
    /// True if some list contains a value that is not an object, or a list in a list.
    var otherElements = false
    /// True if some list contains an object.
    var listedObjects = false
    var smallest = Int64.max
    var largest = Int64.min

    /// True if every value is an object, or a list of objects.
    var isNested: Bool {
      (objects || listedObjects) && !otherElements && !isScalar && !(objects && lists && !listedObjects)
    }

    /// True if some value is neither an object nor a list.
    var isScalar: Bool { booleans || integers || decimals || largeIntegers || strings }

    /// The type of an attribute that holds all values exactly. Numbers that no common type holds are strings.
    var type: ValueType {
      guard !objects, !lists, !strings else { return .string }
      if booleans { return integers || decimals || largeIntegers ? .string : .boolean }
      if largeIntegers { return .string }
      if decimals { return !integers || Self.exactIntegers.contains(smallest...largest) ? .double : .string }
      return integers ? .integer64 : .string
    }

    /// The range in which each integer is equal to a double.
    private static let exactIntegers = Int64(-9_007_199_254_740_992)...9_007_199_254_740_992
  }

  private(set) var kinds: [Kind]
  private var kindOfMember: [MemberName: Int] = [:]
  /// The members that hold dictionaries, by their common name, and the member that the names in these become.
  let dictionaries: [MemberName: String]
  /// The number of records.
  var recordCount: Int { kinds[0].count }

  /// The largest number of kinds. Objects of further kinds are treated as text.
  private static let largestKindCount = 200
  /// The largest number of members of a nested object that is treated as an entity. An object with more is taken for a
  /// dictionary, and is treated as text.
  static let largestNestedMemberCount = 200

  /// Reads all records of a feed.
  ///
  /// They are read again if nested objects turn out to be dictionaries, whose names are data.
  ///
  /// Complexity: O(n) in the bytes of the feed. The memory depends on the number of different members, and on that of
  /// different IDs, which are kept as hashes.
  init(_ reader: FeedReader) throws(FeedError) {
    var structure = try FeedStructure(reader, dictionaries: [:])
    for _ in 0..<Self.deepestDictionary {
      let found = structure.findDictionaries()
      guard !found.isEmpty else { break }
      structure = try FeedStructure(reader, dictionaries: structure.dictionaries.merging(found) { $1 })
    }
    self = structure
  }

  private static let deepestDictionary = 3

  private init(_ reader: FeedReader, dictionaries: [MemberName: String]) throws(FeedError) {
    var structure = FeedStructure(IDSearch(recordsOf: reader, proposesKey: true), dictionaries: dictionaries)
    var names: [FeedMemberID: Int] = [:]
    try reader.forEachRecord { (record) throws(FeedError) in
      structure.kinds[0].count += 1
      structure.kinds[0].ids.add(record, nameOf: reader.name)
      for (id, value) in record.members {
        let place: Int
        if let known = names[id] {
          place = known
        } else {
          place = structure.kinds[0].place(of: reader.name(of: id))
          names[id] = place
        }
        structure.add(value, to: place, of: 0)
      }
    }
    self = structure
  }

  private init(_ records: IDSearch, dictionaries: [MemberName: String]) {
    kinds = [Kind(member: "", ids: records)]
    self.dictionaries = dictionaries
  }

  private mutating func add(_ value: FeedValue, to place: Int, of kind: Int) {
    if case .null = value {
      kinds[kind].members[place].nullCount += 1
      return
    }
    kinds[kind].members[place].presentCount += 1
    switch value {
    case .null: break
    case .boolean: kinds[kind].members[place].booleans = true
    case .integer(let number):
      kinds[kind].members[place].integers = true
      kinds[kind].members[place].smallest = min(kinds[kind].members[place].smallest, number)
      kinds[kind].members[place].largest = max(kinds[kind].members[place].largest, number)
    case .largeInteger: kinds[kind].members[place].largeIntegers = true
    case .decimal: kinds[kind].members[place].decimals = true
    case .string: kinds[kind].members[place].strings = true
    case .object(let object) where isDictionary(kinds[kind].members[place].name):
      kinds[kind].members[place].lists = true
      for member in object {
        guard case .object(let inner) = member.value else {
          if !member.value.isNull { kinds[kind].members[place].otherElements = true }
          continue
        }
        kinds[kind].members[place].listedObjects = true
        add(inner, under: place, of: kind, isInList: true, name: member.name.string)
      }
    case .object(let object):
      kinds[kind].members[place].objects = true
      add(object, under: place, of: kind, isInList: false)
    case .list(let list):
      kinds[kind].members[place].lists = true
      for element in list {
        if case .object(let object) = element {
          kinds[kind].members[place].listedObjects = true
          add(object, under: place, of: kind, isInList: true)
        } else if !element.isNull {
          kinds[kind].members[place].otherElements = true
        }
      }
    }
  }

  private func isDictionary(_ member: String) -> Bool {
    !dictionaries.isEmpty && dictionaries[Self.commonName(member)] != nil
  }

  private mutating func add(
    _ object: FeedObject, under place: Int, of kind: Int, isInList: Bool, name: String? = nil
  ) {
    guard let nested = nestedKind(under: place, of: kind) else { return }
    kinds[nested].count += 1
    kinds[nested].ids.add(object)
    if isInList { kinds[nested].isInLists = true }
    if let name { kinds[nested].add(name: name, of: object) }
    for member in object where kinds[nested].members.count <= Self.largestNestedMemberCount {
      let place = kinds[nested].place(of: member.name.string)
      add(member.value, to: place, of: nested)
    }
  }

  private mutating func nestedKind(under place: Int, of kind: Int) -> Int? {
    if let known = kinds[kind].members[place].kind { return known }
    let name = Self.commonName(kinds[kind].members[place].name)
    let nested: Int
    if let known = kindOfMember[name] {
      nested = known
    } else {
      guard kinds.count < Self.largestKindCount else { return nil }
      nested = kinds.count
      let member = kinds[kind].members[place].name
      kinds.append(Kind(member: member, ids: IDSearch(entity: EntityNaming.entity(member))))
      kinds[nested].keyMember = dictionaries[name]
      kindOfMember[name] = nested
    }
    kinds[kind].members[place].kind = nested
    return nested
  }

  /// Returns the name that members of one kind of objects have in common.
  static func commonName(_ member: String) -> MemberName {
    MemberName(EntityName.singular(member).lowercased())
  }

  /// The kinds of objects that become rows of an entity of their own, the records first.
  var entityKinds: [Int] {
    var found = [0]
    var place = 0
    while place < found.count {
      for member in kinds[found[place]].members where isEntity(member) {
        if let kind = member.kind, !found.contains(kind) { found.append(kind) }
      }
      place += 1
    }
    return found.sorted()
  }

  /// Returns true if the values of a member become rows of an entity of their own.
  func isEntity(_ member: Member) -> Bool {
    guard member.isNested, let kind = member.kind else { return false }
    // An object such as {"$oid":"…"} is a scalar of a database's dump.
    return !kinds[kind].members.allSatisfy { $0.name.hasPrefix("$") }
      && kinds[kind].members.count <= Self.largestNestedMemberCount
  }
}
