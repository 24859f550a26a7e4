/// A search for the member that identifies the objects of one entity, such as the records of a feed.
///
/// The member is in each object, and each of its values is an integer or a string. Its name is that of an ID. The search
/// keeps a hash of 64 bits for each different value.
public struct IDSearch: Sendable {
  /// A member that has identified all objects so far.
  private struct Candidate {
    var name: String
    /// The identity of the name, if the objects are records.
    var id: FeedMemberID?
    var rank: IDMember.Rank
    var hashes = HashSet64()
    var type: String?
    var hasSeveralTypes = false
  }

  /// A member that identifies all objects.
  public struct Found: Sendable {
    /// The name of the member.
    public let name: String
    /// The number of its different values.
    public var distinctCount: Int { hashes.count }
    /// The type of its values, which is `integer`, `string` or `mixed`.
    public let type: String
    let hashes: HashSet64

    /// Tests the IDs of the objects.
    ///
    /// - Parameter value: The ID.
    /// - Returns: True if an object has the ID.
    public func contains(_ value: FeedValue) -> Bool { value.canIdentify && hashes.contains(ValueHash.of(value)) }
  }

  private var candidates: [Candidate] = []
  private var proposal: KeyProposal?
  private var objectCount = 0
  private let entities: [String]
  private let isNested: Bool

  /// Creates a search for the ID of nested objects, of which several may have the same ID.
  ///
  /// - Parameter entity: The name of the objects' entity, for which `<entity>Id` and `<entity>_id` are IDs.
  public init(entity: String) {
    entities = [entity.lowercased()]
    isNested = true
  }

  /// Creates a search for the ID of a feed's records.
  ///
  /// - Parameters:
  ///   - reader: The reader of the feed, whose path and shape give the names of the records' entity.
  ///   - proposesKey: True to look for members too that are not called like an ID.
  public init(recordsOf reader: FeedReader, proposesKey: Bool = false) {
    proposal = proposesKey ? KeyProposal() : nil
    entities = EntityName.candidates(ofRecordsOf: reader).map { $0.lowercased() }
    isNested = false
  }

  /// Adds a record.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - nameOf: A function that returns the name of a member.
  public mutating func add(_ record: FeedRecord, nameOf: (FeedMemberID) -> String) {
    objectCount += 1
    // A member of all records is a member of the first one.
    if objectCount == 1 {
      candidates = record.members.compactMap { id, _ in
        let name = nameOf(id)
        return rank(of: name).map { Candidate(name: name, id: id, rank: $0) }
      }
    }
    proposal?.add(record, nameOf: nameOf)
    for index in candidates.indices.reversed() {
      test(candidates[index].id.flatMap { record[$0] }, at: index)
    }
  }

  /// Adds a nested object.
  ///
  /// - Parameter object: The object.
  public mutating func add(_ object: FeedObject) {
    objectCount += 1
    if objectCount == 1 {
      candidates = object.compactMap { member in
        let name = member.name.string
        return rank(of: name).map { Candidate(name: name, rank: $0) }
      }
    }
    for index in candidates.indices.reversed() { test(object[candidates[index].name], at: index) }
  }

  private func rank(of name: String) -> IDMember.Rank? {
    guard let rank = IDMember.rank(of: name, entities: entities) else { return nil }
    return isNested && rank.mustBeUnique ? nil : rank
  }

  /// Adds the value of a candidate, which is removed if the value does not identify an object.
  private mutating func test(_ value: FeedValue?, at index: Int) {
    guard let value, value.canIdentify else {
      candidates.remove(at: index)
      return
    }
    let isNew = candidates[index].hashes.insert(ValueHash.of(value))
    let type = FeedValue.summaryTypes[value.summaryTypeIndex]
    let isOther = candidates[index].type.map { $0 != type } ?? false
    if !isNew && candidates[index].rank.mustBeUnique || isOther && isNested {
      candidates.remove(at: index)
      return
    }
    if isOther { candidates[index].hasSeveralTypes = true }
    candidates[index].type = type
  }

  /// A member that can be the key although it is not called like an ID, or nil if there is none or an ID was found.
  public var proposed: Found? { found == nil ? proposal?.found : nil }

  /// The most likely member that identifies each object, or nil if there is none. For records, one without repetitions
  /// comes first.
  public var found: Found? {
    let unique = isNested ? [] : candidates.filter { $0.hashes.count == objectCount }
    guard let best = (unique.isEmpty ? candidates : unique).min(by: { $0.rank < $1.rank }) else { return nil }
    return Found(name: best.name, type: best.hasSeveralTypes ? "mixed" : best.type ?? "mixed", hashes: best.hashes)
  }
}
