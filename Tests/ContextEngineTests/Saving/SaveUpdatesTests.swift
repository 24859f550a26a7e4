import ContextEngine
import Testing

@Suite struct SaveUpdatesTests {
  private let base = Row(version: 4, values: [.integer(1)])
  private let row = Row(version: 4, values: [.integer(2)])

  private func objectID(_ key: Int64) -> ObjectID { ObjectID(entity: 0, key: key) }

  /// Returns three changes without conflicts.
  private func makeUpdates() -> SaveUpdates {
    var updates = SaveUpdates()
    for key in 1...3 {
      updates.append(objectID(Int64(key)), row: row, slots: [0], basedOn: HeldRow(unretained: base))
    }
    return updates
  }

  @Test func `a resolution applies to its own object only`() {
    var updates = makeUpdates()
    #expect(updates.areAllAsInMemory)
    updates[1].action = .takeStore(nil)
    #expect(updates.indices.map(updates.isAsInMemory) == [true, false, true] && !updates.areAllAsInMemory)
    updates.append(objectID(4), row: row, slots: [0], basedOn: HeldRow(unretained: base))
    #expect(updates.isAsInMemory(at: 3))
    guard case .takeStore(nil)? = updates[1].resolution else {
      Issue.record("the resolution is \(String(describing: updates[1].resolution))")
      return
    }
    #expect(updates.changes.map(\.baseVersion) == [4, 4, 4, 4])
  }

  @Test func `followers come after other updates and can be removed`() {
    var updates = makeUpdates()
    var follower = updates[0]
    follower.objectID = objectID(5)
    follower.base = Row(version: 9, values: [.integer(7)])
    follower.isFollower = true
    updates.append(follower)
    #expect(updates.map(\.isFollower) == [false, false, false, true] && updates.changes[3].baseVersion == 9)
    updates.removeAll(where: \.isFollower)
    #expect(updates.map(\.objectID) == (1...3).map(objectID) && updates.areAllAsInMemory)
  }

  @Test func `a replaced base lives as long as its list of updates`() {
    var updates = makeUpdates()
    updates[0].base = Row(version: 6, values: [.string(String(repeating: "a", count: 100))])
    #expect(updates[0].base.string(at: 0)?.utf8.count == 100 && updates.changes[0].baseVersion == 6)
    let kept = updates
    updates.removeAll { _ in true }
    #expect(updates.isEmpty && kept[0].base.version == 6)
  }
}
