/// The detection of envelopes: objects that hold the actual record in a member, and have a few other members that
/// describe it.
struct EnvelopeDetection {
  /// The members that may hold a record, the most likely first.
  private static let holders = [
    "attributes", "fields", "properties", "_source", "node", "doc", "data", "item", "record", "value",
  ]
  /// The other members that an envelope may have.
  private static let companions: Set<String> = [
    "id", "_id", "uuid", "guid", "pk", "key", "_key", "type", "_type", "kind", "model", "_index", "_score", "_version",
    "_rev", "rev", "etag", "sort", "cursor", "links", "relationships", "meta", "metadata", "sys", "version", "self",
    "href", "url", "createdTime", "created_time", "createdAt", "created_at", "updatedAt", "updated_at", "updated",
    "created", "geometry", "bbox", "arcs", "highlight",
  ]

  /// The facts about a holder in all records so far.
  private struct Candidate {
    var isPossible = true
    var objectCount = 0
  }

  private var candidates = Array(repeating: Candidate(), count: holders.count)
  private var recordCount = 0
  /// True if each record is a GeoJSON feature, whose type is always the same.
  private var areFeatures = true

  /// Adds a record.
  ///
  /// - Parameters:
  ///   - record: The record as it is in the file.
  ///   - nameOf: A function that returns the name of a member.
  mutating func add(_ record: FeedRecord, nameOf: (FeedMemberID) -> String) {
    recordCount += 1
    var strangers: [String] = []
    var isFeature = false
    var seen = Array(repeating: false, count: candidates.count)
    for (id, value) in record.members {
      let name = nameOf(id)
      if name == "type", case .string(let type) = value, type.hasSameBytes(as: "Feature") { isFeature = true }
      if !Self.companions.contains(name) { strangers.append(name) }
      guard let holder = Self.holders.firstIndex(of: name) else { continue }
      switch value {
      case .object:
        candidates[holder].objectCount += 1
        seen[holder] = true
      case .null: seen[holder] = true
      default: break
      }
    }
    areFeatures = areFeatures && isFeature
    for index in candidates.indices {
      let hasOthers = strangers.contains { $0 != Self.holders[index] }
      candidates[index].isPossible = candidates[index].isPossible && seen[index] && !hasOthers
    }
  }

  /// The member that holds the records and the members to leave out, or nil if the records are no envelopes.
  var result: (member: String, omitted: [String])? {
    guard let found = candidates.firstIndex(where: { $0.isPossible && $0.objectCount > 0 }) else { return nil }
    let member = Self.holders[found]
    return (member, member == "properties" && areFeatures ? ["type"] : [])
  }
}
