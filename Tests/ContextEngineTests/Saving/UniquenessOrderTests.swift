import ContextEngine
import TestSupport
import Testing

/// Tests of uniqueness constraints when rows release their values, exchange them, or conflict with rows that others
/// saved first.
@Suite(.onBothStores, .namingTheStore)
struct UniquenessOrderTests: MembersByName {
  @Test(arguments: Arrangement.all)
  func `a new object may reuse a unique value that the same save deletes`(_ arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Roster.model)
    try seed(stack)
    try chain.leaf.performAndWait {
      chain.leaf.delete(try #require(try chain.leaf.member("ada")))
      chain.leaf.insertMember("ada", age: 1)
    }
    try chain.saveAll()
    #expect(try stack.inStore { try $0.members().map { $0[Roster.age] } } == [1])
  }

  @Test(arguments: Arrangement.all)
  func `objects may exchange unique values in one save`(_ arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Roster.model)
    try stack.seed { context in
      context.insertMember("ada", age: 1)
      context.insertMember("grace", age: 2)
    }
    try chain.leaf.performAndWait {
      let ada = try #require(try chain.leaf.member("ada"))
      let grace = try #require(try chain.leaf.member("grace"))
      ada[Roster.mail] = "grace"
      grace[Roster.mail] = "ada"
    }
    try chain.saveAll()
    #expect(try stack.inStore { try $0.members().map { $0[Roster.age] } } == [2, 1])
    let versions = try stack.inStore { context in
      try context.members().map { member in
        try member.fulfillFault()
        return member.version
      }
    }
    #expect(versions == [2, 2])
  }

  // MARK: Order and others

  /// Core Data's documentation says that "optimistic conflicts are resolved before uniqueness conflicts".
  @Test func `optimistic-locking conflicts are resolved before uniqueness conflicts`() throws {
    let stack = try Stack(model: Roster.model)
    try seed(stack)
    try stack.seed { context in context.insertMember("grace", age: 50) }
    let (context, other) = (stack.context(), stack.context("other"))
    try context.performAndWait { try #require(try context.member("grace"))[Roster.age] = 51 }
    try other.performAndWait {
      try #require(try other.member("grace"))[Roster.age] = 52
      try other.save()
    }
    context.performAndWait { _ = context.insertMember("ada") }
    #expect(error { try context.performAndWait { try context.save() } }?.code == .managedObjectMerge)
    try context.performAndWait {
      try context.refreshAllObjects()
      let error = error { try context.save() }
      #expect(error?.code == .managedObjectConstraintMerge || error?.code == .managedObjectMerge)
      context.mergePolicy = .objectTrump
      try context.save()
    }
    #expect(try stack.inStore { try $0.member("grace")?[Roster.age] } == 51)
    #expect(try stack.inStore { try $0.members().count } == 2)
  }

  @Test func `a row saved by another coordinator is a uniqueness conflict`() throws {
    let stack = try Stack(model: Roster.model)
    let context = stack.context()
    context.performAndWait {
      context.mergePolicy = .objectTrump
      context.insertMember("ada", age: 37)
    }
    let second = try Stack(model: Roster.model, on: stack.folder)
    try seed(second)
    try context.performAndWait { try context.save() }
    #expect(try second.inStore { try $0.members().map { $0[Roster.age] } } == [37])
  }

  @Test func `a new object merged into a row is updated, and not inserted, in did-save`() throws {
    let stack = try Stack(model: Roster.model)
    try seed(stack)
    let context = stack.context()
    let stored = try #require(try stack.inStore { try $0.member("ada")?.objectID })
    let lists = Journal<[ObjectID]>()
    let token = context.observeDidSave { save in
      lists.write(save.insertedIDs)
      lists.write(save.updatedIDs)
    }
    context.performAndWait {
      context.mergePolicy = .objectTrump
      context.insertMember("ada", age: 37)
    }
    try context.performAndWait { try context.save() }
    withExtendedLifetime(token) {}
    #expect(lists.entries == [[], [stored]])
  }

  @Test func `saving rows without uniqueness conflicts runs no extra statements`() throws {
    let stack = try Stack(model: Roster.model)
    try seed(stack)
    let context = stack.context()
    try context.performAndWait {
      context.insertMember("grace")
      // Two statements reserve the key, and one writes the row.
      if stack.hasSQL { try stack.expectStatements(3) { try context.save() } }
    }
  }

  /// Core Data: `NSManagedObjectConstraintValidationError`, "one or more uniqueness constraints were violated".
  @Test func `a batch update that violates a uniqueness constraint throws error 1551 and writes nothing`() throws {
    let stack = try Stack(model: Roster.model)
    guard stack.hasSQL else { return }
    try seed(stack)
    try stack.seed { context in context.insertMember("grace") }
    let context = stack.context()
    let request = BatchUpdateRequest(Roster.member, propertiesToUpdate: [Roster.mail: .constant("one")])
    let error = error { _ = try context.performAndWait { try context.execute(request) } }
    #expect(error?.code == .managedObjectConstraintValidation && error?.objectIDs.count == 2)
    #expect(try stack.inStore { try $0.members().map { $0[Roster.mail] } } == ["ada", "grace"])
  }
}
