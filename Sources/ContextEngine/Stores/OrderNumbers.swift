/// The numbers by which a store keeps the members of an ordered relationship in order.
///
/// The numbers leave gaps, so that a member that is placed between two others takes a number between theirs, and
/// theirs do not change. All members are renumbered only if a gap is used up. Core Data's files show such gaps (a
/// first number of 2,048); how it chooses numbers within them is not known.
package enum OrderNumbers {
  private static let first: Int64 = 2_048
  /// The distance between the numbers of two members that were appended one after the other.
  private static let gap: Int64 = 1_024

  /// A member and its number, which is nil if it has not been assigned yet.
  package struct Member: Sendable {
    package var key: Int64
    package var number: Int64?

    package init(key: Int64, number: Int64?) {
      self.key = key
      self.number = number
    }
  }

  /// Returns the members in their wanted order: first those that a save arranged, then those that others added, then
  /// those that the save appended. The members are given in the store's order. O(members).
  package static func wantedOrder(
    of stored: [Member], _ order: StoreRelationshipChanges.Order
  ) -> [Member] {
    let numbers = Dictionary(stored.map { ($0.key, $0.number) }, uniquingKeysWith: { first, _ in first })
    var placed: Set<Int64> = []
    var wanted: [Member] = []
    wanted.reserveCapacity(stored.count)
    let moved = Set(order.moved)
    let appended = Set(order.appended.filter { moved.contains($0) || numbers[$0] == .some(nil) })
    func place(_ keys: some Sequence<Int64>) {
      for key in keys {
        guard let number = numbers[key], placed.insert(key).inserted else { continue }
        wanted.append(Member(key: key, number: number))
      }
    }
    if let arranged = order.arranged { place(arranged) }
    place(stored.lazy.map(\.key).filter { !appended.contains($0) })
    place(order.appended)
    return wanted
  }

  /// Returns appended members with numbers behind `last`, the highest number that is in use, or from the first number
  /// on if `last` is nil.
  package static func numbers(for appended: [Int64], behind last: Int64?) -> [Member] {
    let numbers = last.map { last in (0..<appended.count).map { last + gap * Int64($0 + 1) } }
    return appended.enumerated().map { place, key in
      Member(key: key, number: numbers?[place] ?? first + gap * Int64(place))
    }
  }

  /// Returns the members that need another number for the given order, with their new numbers. It changes as few
  /// members as possible while there is room between the others. O(n log n).
  package static func changes(for members: [Member]) -> [Member] {
    let kept = longestAscent(of: members)
    var changes: [Member] = []
    var start = 0
    var low: Int64?
    for end in kept + [members.count] {
      let high = end < members.count ? members[end].number : nil
      let count = end - start
      if count > 0 {
        guard let numbers = numbers(count, between: low, and: high) else { return renumbered(members) }
        for (member, number) in zip(members[start..<end], numbers) {
          changes.append(Member(key: member.key, number: number))
        }
      }
      start = end + 1
      low = high
    }
    return changes
  }

  /// Returns `count` ascending numbers between two others, or nil if there is no room.
  private static func numbers(_ count: Int, between low: Int64?, and high: Int64?) -> [Int64]? {
    let count = Int64(count)
    switch (low, high) {
    case (nil, nil): return (0..<count).map { first + gap * $0 }
    case (let low?, nil): return (1...count).map { low + gap * $0 }
    case (nil, let high?): return (1...count).map { high - gap * (count + 1 - $0) }
    case (let low?, let high?):
      // Numbers that another program wrote can have any distance; above a sensible gap, the distance does not matter.
      let room = min(high &- low &- 1, 1 << 32)
      guard room >= count else { return nil }
      // The numbers are spread evenly over the gap.
      return (1...count).map { low + (room + 1) * $0 / (count + 1) }
    }
  }

  private static func renumbered(_ members: [Member]) -> [Member] {
    members.enumerated().compactMap { place, member in
      let number = first + gap * Int64(place)
      return member.number == number ? nil : Member(key: member.key, number: number)
    }
  }

  /// Returns the positions of the largest possible set of members whose numbers already ascend. These members keep
  /// their numbers.
  private static func longestAscent(of members: [Member]) -> [Int] {
    /// The position at index n is the last one of an ascent of n + 1 members: of all such ascents, the one with the
    /// lowest last number.
    var tails: [Int] = []
    var previous = Array(repeating: -1, count: members.count)
    for (position, member) in members.enumerated() {
      guard let number = member.number else { continue }
      var low = 0
      var high = tails.count
      while low < high {
        let middle = (low + high) / 2
        if (members[tails[middle]].number ?? .min) < number { low = middle + 1 } else { high = middle }
      }
      previous[position] = low > 0 ? tails[low - 1] : -1
      if low == tails.count { tails.append(position) } else { tails[low] = position }
    }
    var ascent: [Int] = []
    var position = tails.last ?? -1
    while position >= 0 {
      ascent.append(position)
      position = previous[position]
    }
    return ascent.reversed()
  }
}
