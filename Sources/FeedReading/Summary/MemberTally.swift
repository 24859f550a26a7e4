/// The counts of the members of a feed's records, from which the member that identifies a record is found.
struct MemberTally {
  /// A member that has identified all records so far.
  private struct Candidate {
    var id: FeedMemberID
    var name: String
    var rank: IDMember.Rank
    var hashes = HashSet64()
    var type: String?
    var hasSeveralTypes = false
  }

  private var keys: [FeedSummary.Key] = []
  /// The places of the members among the keys, by their numbers. It is -1 for a name that no record has had.
  private var places: [Int] = []
  private var types: [[Bool]] = []
  private var candidates: [Candidate] = []
  private var recordCount = 0
  private let entities: [String]

  /// Creates a tally.
  ///
  /// - Parameters:
  ///   - fileName: The path of the file, whose name may be that of the records' entity.
  ///   - recordEntity: The name of the records' entity.
  init(fileName: String, recordEntity: String) {
    let name = fileName.split(separator: "/").last.map(String.init) ?? ""
    let stem = name.prefix { $0 != "." }
    entities = [recordEntity, EntityName.of(String(stem))].map { $0.lowercased() }
  }

  /// Adds a record.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - nameOf: A function that returns the name of a member.
  mutating func add(_ record: FeedRecord, nameOf: (FeedMemberID) -> String) {
    recordCount += 1
    for (id, value) in record.members {
      let place = place(of: id, nameOf)
      keys[place].records += 1
      types[place][value.summaryTypeIndex] = true
    }
    // Only a member of the first record can be in all of them.
    if recordCount == 1 { candidates = makeCandidates(record, nameOf) }
    for index in candidates.indices.reversed() {
      guard let value = record[candidates[index].id], value.canIdentify else {
        candidates.remove(at: index)
        continue
      }
      let isNew = candidates[index].hashes.insert(ValueHash.of(value))
      if !isNew, candidates[index].rank.mustBeUnique {
        candidates.remove(at: index)
      } else {
        let type = FeedValue.summaryTypes[value.summaryTypeIndex]
        if candidates[index].type ?? type != type { candidates[index].hasSeveralTypes = true }
        candidates[index].type = type
      }
    }
  }

  private mutating func place(of id: FeedMemberID, _ nameOf: (FeedMemberID) -> String) -> Int {
    while places.count <= id.number { places.append(-1) }
    if places[id.number] >= 0 { return places[id.number] }
    places[id.number] = keys.count
    keys.append(FeedSummary.Key(name: nameOf(id)))
    types.append(Array(repeating: false, count: FeedValue.summaryTypes.count))
    return keys.count - 1
  }

  private func makeCandidates(_ record: FeedRecord, _ nameOf: (FeedMemberID) -> String) -> [Candidate] {
    record.members.compactMap { id, _ in
      let name = nameOf(id)
      return IDMember.rank(of: name, entities: entities).map { Candidate(id: id, name: name, rank: $0) }
    }
  }

  /// Returns the most likely member that identifies each record, or nil if there is none. One without repetitions comes
  /// first.
  func id() -> (name: String, distinctCount: Int, type: String)? {
    let unique = candidates.filter { $0.hashes.count == recordCount }
    guard let found = (unique.isEmpty ? candidates : unique).min(by: { $0.rank < $1.rank }) else { return nil }
    return (found.name, found.hashes.count, found.hasSeveralTypes ? "mixed" : found.type ?? "mixed")
  }

  /// The members with the kinds of their values.
  var typedKeys: [FeedSummary.Key] {
    zip(keys, types).map { key, types in
      var key = key
      key.types = zip(FeedValue.summaryTypes, types).filter(\.1).map(\.0)
      return key
    }
  }
}
