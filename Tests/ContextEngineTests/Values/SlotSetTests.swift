import ContextEngine
import MachineCore
import Testing

@Suite struct SlotSetTests {
  /// Returns a random set of slots below a limit, together with the same slots as a plain set.
  private static func pair(below limit: Int, _ random: inout SeededRandom) -> (SlotSet, Set<Int>) {
    let count = random.below(3) == 0 ? limit : random.below(12)
    let slots = Set((0..<count).map { count == limit ? $0 : random.below(limit) })
    return (SlotSet(slots.sorted()), slots)
  }

  private static func members(_ set: SlotSet) -> [Int] {
    var members: [Int] = []
    set.forEach(below: 3_000) { members.append($0) }
    return members
  }

  @Test(arguments: [1, 40, 64, 65, 128, 200, 1_997])
  func `operations on sets of slots equal those on plain sets`(limit: Int) {
    var random = SeededRandom(seed: UInt64(limit), stream: "slots")
    for _ in 0..<200 {
      let (left, first) = Self.pair(below: limit, &random)
      let (right, second) = Self.pair(below: random.below(2) == 0 ? limit : 64, &random)
      #expect(Self.members(left) == first.sorted())
      #expect(left.isEmpty == first.isEmpty && !left.isAll)
      #expect((0..<limit + 64).filter(left.contains) == first.sorted())
      #expect(left.union(right) == SlotSet(first.union(second)))
      #expect(left.intersection(right) == SlotSet(first.intersection(second)))
      #expect(left.subtracting(right) == SlotSet(first.subtracting(second)))
      #expect(left.isDisjoint(with: right) == first.isDisjoint(with: second))
      #expect(left.isSuperset(of: right) == first.isSuperset(of: second))
      #expect((left == right) == (first == second))
      var set = left
      set.formUnion(right)
      set.subtract(right)
      #expect(set == left.subtracting(right) && set.hashValue == left.subtracting(right).hashValue)
      set.insert(limit - 1)
      #expect(set.contains(limit - 1) && Self.members(set).count == first.subtracting(second).union([limit - 1]).count)
    }
  }

  @Test(arguments: [SlotSet(), [0], [63], [64], SlotSet(0..<64), SlotSet(0..<65), [0, 1_996], SlotSet(0..<1_997)])
  func `the set of all slots contains every other set`(set: SlotSet) {
    let all = SlotSet.all
    #expect(all.isAll && !all.isEmpty && all.contains(0) && all.contains(63) && all.contains(64) && all.contains(1_996))
    #expect(all != set && all.isSuperset(of: set) && !set.isSuperset(of: all))
    #expect(all.union(set) == all && set.union(all) == all)
    #expect(all.intersection(set) == set && set.intersection(all) == set)
    #expect(set.subtracting(all).isEmpty && all.subtracting(all).isEmpty)
    #expect(all.isDisjoint(with: set) == set.isEmpty && set.isDisjoint(with: all) == set.isEmpty)
    let rest = all.subtracting(set)
    #expect((0..<SlotSet.limit).allSatisfy { rest.contains($0) != set.contains($0) })
  }

  @Test func `a set of slots below 64 needs no array`() {
    var set = SlotSet()
    for slot in 0..<63 {
      set.insert(slot)
      #expect(set.others == nil)
    }
    #expect(SlotSet(0..<65).subtracting([64]) == SlotSet(0..<64) && SlotSet([3, 70]).subtracting([70]).others == nil)
    #expect(SlotSet([3, 70]).intersection([3]).others == nil)
    #expect(MemoryLayout<SlotSet>.size == 16)
  }
}
