/// The counts of the members of a feed's records.
struct MemberTally {
  private var keys: [FeedSummary.Key] = []
  /// The places of the members among the keys, by their numbers. It is -1 for a name that no record has had.
  private var places: [Int] = []
  private var types: [[Bool]] = []

  /// Adds a record.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - nameOf: A function that returns the name of a member.
  mutating func add(_ record: FeedRecord, nameOf: (FeedMemberID) -> String) {
    for (id, value) in record.members {
      let place = place(of: id, nameOf)
      keys[place].records += 1
      types[place][value.summaryTypeIndex] = true
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

  /// The members with the kinds of their values.
  var typedKeys: [FeedSummary.Key] {
    zip(keys, types).map { key, types in
      var key = key
      key.types = zip(FeedValue.summaryTypes, types).filter(\.1).map(\.0)
      return key
    }
  }
}
