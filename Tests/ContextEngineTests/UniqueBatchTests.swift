import ContextEngine
import MachineCore
import Testing

/// What Core Data's batch inserts do under uniqueness constraints: insert or ignore, or under object-trump upsert with a
/// higher `Z_OPT`, as was seen in its SQL.
@Suite struct UniqueBatchTests {
  private func insert(_ policy: MergePolicy, into stack: Stack) throws -> BatchResult {
    try stack.seed { context in context.insertMember("ada", age: 36, note: "stored") }
    let context = stack.context()
    context.performAndWait { context.mergePolicy = policy }
    var request = BatchInsertRequest(
      Roster.member,
      objects: [["mail": "ada", "age": 37], ["mail": "grace", "age": 50], ["mail": "grace", "age": 51]])
    request.resultType = .objectIDs
    return try context.performAndWait { try context.executeAndWait(request) }
  }

  @Test(arguments: [MergePolicy.error, .storeTrump, .rollback])
  func `rows that meet others are left out`(_ policy: MergePolicy) throws {
    let stack = try Stack(model: Roster.model)
    #expect(try insert(policy, into: stack).objectIDs.count == 1)
    try stack.inStore { context in
      let members = try context.members()
      #expect(members.map { $0[Roster.age] } == [36, 50])
      #expect(members.map(\.version) == [1, 1])
    }
  }

  @Test(arguments: [MergePolicy.objectTrump, .overwrite])
  func `rows that meet others give them what they set, and raise their versions`(_ policy: MergePolicy) throws {
    let stack = try Stack(model: Roster.model)
    #expect(try insert(policy, into: stack).objectIDs.count == 3)
    try stack.inStore { context in
      let members = try context.members()
      #expect(members.map { $0[Roster.age] } == [37, 51])
      #expect(members.map { $0[Roster.note] } == ["stored", "none"])
      #expect(members.map(\.version) == [2, 2])
    }
  }
}
