import ContextEngine
import MachineCore
import Testing

/// The permanent IDs of temporary ones, recorded in any order.
@Suite struct IdentityMapTests {
  @Test(arguments: 0..<8)
  func `a map finds each pair by both IDs in any order of recording`(seed: UInt64) {
    var random = SeededRandom(seed: seed, stream: "identities")
    let map = IdentityMap(roots: [0, 1, 2])
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
    let map = IdentityMap(roots: [0])
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

  @Test func `temporary keys of a table are consecutive, and no two tables share one`() {
    // The last two entities inherit from one another, so that they share a table.
    let map = IdentityMap(roots: [0, 1, 1])
    let keys = (0..<300).map { map.makeTemporaryID(entity: $0 % 3).key }
    let tables = [keys.indices.filter { $0 % 3 == 0 }, keys.indices.filter { $0 % 3 > 0 }].map { $0.map { keys[$0] } }
    for table in tables { #expect(zip(table, table.dropFirst()).allSatisfy { $1 == $0 - 1 }) }
    #expect(Set(keys).count == 300)
  }

  @Test func `consecutive pairs are stored as runs, and others are rejected`() {
    var runs = IdentityRuns()
    let areAppended = [(-1, 1), (-2, 2), (-5, 9), (-2, 10), (-6, 3)].map { runs.append($0, as: $1) }
    #expect(areAppended == [true, true, true, false, false] && runs.count == 2)
    #expect(runs.permanent(for: -2) == 2 && runs.permanent(for: -3) == nil && runs.permanent(for: -6) == nil)
    #expect(runs.temporary(for: 9) == -5 && runs.temporary(for: 3) == nil)
  }

  @Test(arguments: 0..<4) func `pairs can be removed from runs in any order`(seed: UInt64) {
    var runs = IdentityRuns()
    var left: [Int64: Int64] = [:]
    for key in 1...40 as ClosedRange<Int64> where key % 11 != 0 {
      left[key] = -80 - key
      let isAppended = runs.append(-80 - key, as: key)
      #expect(isAppended)
    }
    var random = SeededRandom(seed: seed, stream: "removing")
    for _ in 0..<200 {
      let key = Int64(random.below(42))
      runs.remove(permanent: key)
      left[key] = nil
      for key in 0...42 as ClosedRange<Int64> { #expect(runs.temporary(for: key) == left[key]) }
      for (permanent, temporary) in left { #expect(runs.permanent(for: temporary) == permanent) }
    }
    for key in 1...40 as ClosedRange<Int64> { runs.remove(permanent: key) }
    #expect(runs.count == 0)
  }
}
