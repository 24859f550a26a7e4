/// The members that may identify a record, and how likely they do.
enum IDMember {
  /// The names that identify an object wherever they occur, the most likely first. Letter case is ignored unless two
  /// names differ in it only.
  private static let names = [
    "id", "_id", "@id", "uuid", "guid", "pk", "identifier", "objectid", "object_id", "uid", "key", "_key", "recordkey",
    "feedkey",
  ]
  /// The names that identify a record only if they are unique.
  private static let uniqueNames = ["slug", "code", "sku", "isbn", "iata", "icao", "symbol"]

  /// The likeliness of a member. A smaller rank is more likely.
  struct Rank: Comparable {
    var rank: Int
    /// True if the member identifies records only if no two of them have the same value.
    var mustBeUnique: Bool

    static func < (left: Rank, right: Rank) -> Bool { left.rank < right.rank }
  }

  /// Ranks a member by its name.
  ///
  /// - Parameters:
  ///   - name: The name of the member.
  ///   - entities: The lower-case names of the entity, for which `<entity>Id` and `<entity>_id` are IDs.
  /// - Returns: The rank, or nil if the name is not the name of an ID.
  static func rank(of name: String, entities: [String]) -> Rank? {
    let lower = name.lowercased()
    if let index = names.firstIndex(of: lower) {
      return Rank(rank: 2 * index + (name == lower ? 0 : 1), mustBeUnique: false)
    }
    guard let owner = owner(of: name) else {
      return uniqueNames.firstIndex(of: lower).map { Rank(rank: 200 + $0, mustBeUnique: true) }
    }
    return entities.contains(owner) ? Rank(rank: 50, mustBeUnique: false) : Rank(rank: 100, mustBeUnique: true)
  }

  /// Returns true if a name is that of an ID wherever it occurs.
  static func isID(_ name: String) -> Bool { rank(of: name, entities: []).map { !$0.mustBeUnique } ?? false }

  /// Returns the lower-case name before `Id`, `ID`, `_id` or `-id`, or nil if the name does not end so.
  private static func owner(of name: String) -> String? {
    for suffix in ["Id", "ID", "_id", "-id", "_ID", "Uuid", "UUID", "_uuid", "Guid", "_guid", "_pk", "Key", "_key"]
    where name.hasSuffix(suffix) && name.count > suffix.count {
      return name.dropLast(suffix.count).lowercased().filter { $0.isLetter || $0.isNumber }
    }
    return nil
  }
}
