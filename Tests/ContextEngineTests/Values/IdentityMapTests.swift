import ContextEngine
import MachineCore
import Testing

/// The permanent IDs of temporary ones, recorded in any order.
@Suite struct IdentityMapTests {
  @Test(arguments: 0..<8)
  func `a map finds each pair by both IDs in any order of recording`(seed: UInt64) {
    var random = SeededRandom(seed: seed, stream: "identities")
    let map = IdentityMap()
    var permanentIDs: [ObjectID: ObjectID] = [:]
    var temporaryIDs: [ObjectID: ObjectID] = [:]
    var nextTemporary = Int64(-1)
    var nextPermanent: [Int64] = [1, 1, 1]
    for _ in 0..<300 {
      // A save records some objects of one to three entities. Some saves are in reverse order, or record a temporary ID
      // again.
      var pairs: [(temporary: ObjectID, permanent: ObjectID)] = []
      for _ in 0..<(1 + random.below(20)) {
        let entity = random.below(seed % 2 == 0 ? 1 : 3)
        let temporary = ObjectID(entity: entity, key: nextTemporary)
        pairs.append((temporary, ObjectID(entity: entity, key: nextPermanent[entity])))
        nextTemporary -= random.below(10) == 0 ? 5 : 1
        nextPermanent[entity] += random.below(10) == 0 ? 3 : 1
      }
      if random.below(4) == 0 { pairs.reverse() }
      if random.below(6) == 0, let known = permanentIDs.keys.min() { pairs.append((known, pairs[0].permanent)) }
      map.record(pairs)
      for (temporary, permanent) in pairs {
        permanentIDs[temporary] = permanent
        temporaryIDs[permanent] = temporary
      }
    }
    for (temporary, permanent) in permanentIDs {
      #expect(map.permanentID(for: temporary) == permanent && map.alias(of: temporary) == permanent)
    }
    for (permanent, temporary) in temporaryIDs { #expect(map.alias(of: permanent) == temporary) }
    let strangers = [ObjectID(entity: 0, key: nextTemporary - 9), ObjectID(entity: 2, key: 1_000_000)]
    #expect(strangers.allSatisfy { map.alias(of: $0) == nil && map.canonical($0) == $0 })
    let all = permanentIDs.keys.sorted() + strangers
    #expect(map.canonical(all) == all.map { permanentIDs[$0] ?? $0 })
  }

  @Test func `an absorbed object is found by all its IDs, with its own first`() {
    let map = IdentityMap()
    func id(_ key: Int64) -> ObjectID { ObjectID(entity: 0, key: key) }
    map.record([(id(-1), id(1)), (id(-2), id(2))])
    map.recordAbsorbed([(id(-3), id(1)), (id(-4), id(1)), (id(-5), id(9))])
    #expect([-1, -3, -4].allSatisfy { map.canonical(id($0)) == id(1) } && map.canonical(id(-5)) == id(9))
    #expect(map.alias(of: id(1)) == id(-1) && map.alias(of: id(9)) == id(-5) && map.alias(of: id(-4)) == id(1))
    func others(_ objectID: ObjectID) -> [Int64] {
      var others: [Int64] = []
      _ = map.firstAlias(of: objectID) { (other: ObjectID) -> Bool? in
        others.append(other.key)
        return nil
      }
      return others
    }
    #expect(others(id(1)) == [-1, -3, -4] && others(id(-3)) == [1, -4, -1] && others(id(-1)) == [1, -3, -4])
    #expect(others(id(2)) == [-2] && others(id(-5)) == [9] && others(id(7)).isEmpty)
  }

  @Test func `consecutive pairs are stored as runs, and others are rejected`() {
    var runs = IdentityRuns()
    func pair(_ temporary: Int64, _ permanent: Int64) -> Bool {
      runs.append(ObjectID(entity: 0, key: temporary), as: ObjectID(entity: 0, key: permanent))
    }
    #expect(pair(-1, 1) && pair(-2, 2) && pair(-5, 9))
    #expect(!pair(-2, 10) && !pair(-6, 3))
    #expect(runs.permanent(for: -2)?.key == 2 && runs.permanent(for: -3) == nil && runs.permanent(for: -6) == nil)
    #expect(runs.temporary(for: ObjectID(entity: 0, key: 9))?.key == -5)
    #expect(runs.temporary(for: ObjectID(entity: 0, key: 3)) == nil)
    #expect(runs.temporary(for: ObjectID(entity: 1, key: 9)) == nil)
  }
}
