import MachineCore

/// A survey of a feed whose outermost value is an object. It finds the containers that may hold the records.
struct ObjectSurvey {
  /// The shape of the container with the most records, or nil if there are no records.
  private(set) var best: FeedShape?
  /// The paths of further containers of objects, in the order of the file, as far as they are listed.
  private(set) var further: [[String]] = []
  /// The number of further containers.
  private(set) var furtherCount = 0
  private(set) var isFeatureCollection = false
  private(set) var hasFeatures = false
  /// A description of the outermost object that says why it is not a record, or nil if it can be one.
  private(set) var flaw: String?

  /// The deepest level of objects whose members are searched. The outermost object has the level 0, so that a path has
  /// at most one name more.
  private static let deepestLevel = 6
  private static let largestFurtherCount = 4
  /// The number of names by which two objects are compared.
  private static let comparedNameCount = 64

  /// A container that may hold the records.
  private struct Candidate {
    var shape: FeedShape
    var count: Int
  }

  /// The facts about an object that has been read.
  private struct Facts {
    var candidate: Candidate?
    /// The hashes of the first names.
    var names: [UInt64] = []
    /// The first names that a dictionary's keys could get as a member, which the object has itself.
    var ownKeyMembers: [String] = []
    var hasEmptyList = false
    var hasID = false
    /// True if the object wraps a value.
    var isWrapper = false
  }

  private static let keyMembers = ["key", "_key", "recordKey", "feedKey"]

  /// Reads the object at the cursor.
  mutating func read(_ cursor: FeedCursor) throws(FeedError) {
    let facts = try readObject(cursor, path: [])
    best = facts.candidate?.shape
    // A list without elements may be a feed without records, unless it belongs to an object with an ID.
    flaw =
      facts.names.isEmpty
      ? "without members" : facts.hasEmptyList && !facts.hasID ? "in which no member holds a list of objects" : nil
  }

  private mutating func readObject(_ cursor: FeedCursor, path: [String]) throws(FeedError) -> Facts {
    var facts = Facts()
    var dictionary = DictionaryTest()
    var usedKeyMembers: [String] = []
    let known = (further.count, furtherCount)
    try cursor.enter()
    while let name = try cursor.nextMember(limit: .max) {
      if facts.names.count < Self.comparedNameCount { facts.names.append(cursor.nameHash) }
      if Self.keyMembers.contains(name) { facts.ownKeyMembers.append(name) }
      if path.isEmpty, IDMember.isID(name) { facts.hasID = true }
      if name.hasPrefix("$") { facts.isWrapper = true }
      let byte = try cursor.peek()
      var found: Candidate?
      if byte == UInt8(ascii: "{"), path.count < Self.deepestLevel {
        let inner = try readObject(cursor, path: path + [name])
        if inner.isWrapper { dictionary.addOther(isExcluding: true) } else { dictionary.add(inner.names) }
        for member in inner.ownKeyMembers where !usedKeyMembers.contains(member) { usedKeyMembers.append(member) }
        found = inner.candidate
      } else if byte == UInt8(ascii: "[") {
        let count: Int
        (found, count) = try readList(cursor, path: path + [name])
        if count == 0 { facts.hasEmptyList = true }
        dictionary.addOther(isExcluding: found != nil)
        if path.isEmpty, name == "features" { hasFeatures = true }
      } else {
        dictionary.addOther(isExcluding: false, scalar: name)
        try cursor.scan()
        if path.isEmpty, name == "type", cursor.tokens[0].kind == .string, cursor.string == "FeatureCollection" {
          isFeatureCollection = true
        }
      }
      guard let found, found.count > 0 else { continue }
      let isBetter = found.count > facts.candidate?.count ?? 0
      if let other = isBetter ? facts.candidate : found { addFurther(other) }
      if isBetter { facts.candidate = found }
    }
    if dictionary.isDictionary {
      // The containers in its records are parts of them.
      further.removeLast(further.count - known.0)
      furtherCount = known.1
      let member = Self.keyMembers.first { !usedKeyMembers.contains($0) } ?? Self.keyMembers[0]
      facts.candidate = Candidate(
        shape: FeedShape(.dictionary, path: path, keyMember: member), count: dictionary.count)
    }
    return facts
  }

  private mutating func addFurther(_ candidate: Candidate) {
    furtherCount += 1
    if further.count < Self.largestFurtherCount { further.append(candidate.shape.path) }
  }

  /// Reads a list, and returns it as a candidate if most of its elements are objects, and the number of its elements.
  private func readList(
    _ cursor: FeedCursor, path: [String]
  ) throws(FeedError) -> (candidate: Candidate?, count: Int) {
    var count = 0
    var objectCount = 0
    try cursor.enter()
    while let byte = try cursor.nextElement() {
      count += 1
      if byte == UInt8(ascii: "{") { objectCount += 1 }
      try cursor.skipValue()
    }
    let isFeed = objectCount * 2 > count
    return (isFeed ? Candidate(shape: FeedShape(.list, path: path), count: objectCount) : nil, count)
  }
}

/// A test of an object that tells a dictionary of records from a record with inner objects.
///
/// The members of a dictionary are objects alike: most of them share half of their names with the first one. One member
/// may be of another kind, such as a version or a list of the names. All objects must be alike then.
private struct DictionaryTest {
  private(set) var count = 0
  private var others = 0
  /// The name of a member that is neither an object nor a list, or nil without one.
  private var scalar: String?
  private var similarCount = 0
  private var first: [UInt64] = []

  /// Adds a member that is an object with some names.
  mutating func add(_ names: [UInt64]) {
    count += 1
    if count == 1 { first = names.sorted() }
    let shared = names.count { name in
      let place = first.partitioningIndex { $0 >= name }
      return place < first.count && first[place] == name
    }
    if shared * 2 >= min(names.count, first.count) { similarCount += 1 }
  }

  /// Adds a member that is not an object. `isExcluding` is true for a member that a dictionary of records does not have.
  mutating func addOther(isExcluding: Bool, scalar: String? = nil) {
    others += isExcluding ? 2 : 1
    self.scalar = scalar
  }

  var isDictionary: Bool {
    guard others > 0 else { return count > 1 && similarCount * 4 >= count * 3 }
    guard others == 1, similarCount == count else { return false }
    // Two objects next to a scalar, or any number of objects next to an ID, may as well be the parts of one record.
    return scalar.map { count > 2 && !IDMember.isID($0) } ?? (count > 1)
  }
}

extension [UInt64] {
  /// Returns the index of the first element of a sorted array for which a condition holds.
  fileprivate func partitioningIndex(_ condition: (UInt64) -> Bool) -> Int {
    var low = 0
    var high = count
    while low < high {
      let middle = (low + high) / 2
      if condition(self[middle]) { high = middle } else { low = middle + 1 }
    }
    return low
  }
}
