extension FeedStructure {
  /// The smallest number of names in all dictionaries of a member together.
  private static let fewestNames = 3
  /// The number of names from which alike objects are a dictionary even if each object has all of them.
  private static let manyNames = 8
  private static let keyMembers = ["key", "_key", "recordKey", "feedKey"]

  /// Returns the members that hold dictionaries of objects, by their common name, and the member that the names in these
  /// become.
  ///
  /// A dictionary's names are data, such as the codes of currencies. Its members are objects alike. Either a quarter of
  /// them or more is missing in a dictionary on average, or there are many.
  func findDictionaries() -> [MemberName: String] {
    var found: [MemberName: String] = [:]
    for kind in kinds.dropFirst() where kind.keyMember == nil && isDictionary(kind) {
      let inner = kind.members.compactMap(\.kind)
      found[Self.commonName(kind.member)] = Self.keyMembers.first { name in
        inner.allSatisfy { kinds[$0].member(name) == nil }
      }
    }
    return found
  }

  private func isDictionary(_ kind: Kind) -> Bool {
    let members = kind.members
    guard members.count >= Self.fewestNames,
      members.allSatisfy({ $0.objects && !$0.lists && !$0.isScalar && $0.nullCount == 0 })
    else { return false }
    let present = members.reduce(0) { $0 + $1.presentCount }
    guard members.count >= Self.manyNames || present * 4 <= kind.count * members.count * 3 else { return false }
    let names = members.compactMap { member in member.kind.map { Set(kinds[$0].members.map { MemberName($0.name) }) } }
    guard let first = names.first else { return false }
    let alike = names.count { $0.intersection(first).count * 2 >= min($0.count, first.count) }
    return alike * 4 >= names.count * 3
  }
}
