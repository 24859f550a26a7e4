import ContextEngine
import TestSupport
import Testing

/// Uniqueness constraints: conflicts and their resolution by merge policies (`NSConstraintConflict`, `NSMergePolicy`).
@Suite(.onBothStores, .namingTheStore)
struct UniquenessTests: MembersByName {
  private static let settling: [MergePolicy] = [.storeTrump, .objectTrump, .overwrite, .rollback]

  @Test(arguments: Arrangement.all)
  func `two new objects with equal unique values fail the save with error 133021`(_ arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Roster.model)
    chain.leaf.performAndWait {
      chain.leaf.insertMember("ada")
      chain.leaf.insertMember("ada")
      chain.leaf.insertMember("grace")
    }
    let error = error { try chain.saveAll() }
    #expect(error?.code == .managedObjectConstraintMerge)
    #expect(error?.code.rawValue == 133021)
    let conflict = try #require(error?.constraintConflicts.first)
    #expect(error?.constraintConflicts.count == 1)
    #expect(conflict.entityName == "Member")
    #expect(conflict.constraint == ["mail"])
    #expect(conflict.constraintValues == ["ada"])
    #expect(conflict.databaseObjectID == nil)
    #expect(conflict.conflictingObjectIDs.count == 2)
    #expect(try stack.inStore { try $0.members().count } == 0)
    // The context keeps the changes, and its save succeeds with another address.
    try chain.root.performAndWait {
      let second = chain.root.object(with: conflict.conflictingObjectIDs[1])
      second[Roster.mail] = "mary"
      try chain.root.save()
    }
    #expect(try stack.inStore { try $0.members().map { $0[Roster.mail] } } == ["ada", "grace", "mary"])
  }

  @Test(arguments: Arrangement.all)
  func `a new object with a row's unique value fails the save with that row`(_ arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Roster.model)
    try seed(stack)
    chain.leaf.performAndWait { _ = chain.leaf.insertMember("ada") }
    let error = error { try chain.saveAll() }
    let stored = try stack.inStore { try $0.member("ada")?.objectID }
    #expect(error?.constraintConflicts.map(\.databaseObjectID) == [stored])
    #expect(error?.constraintConflicts.first?.conflictingObjectIDs.count == 1)
    #expect(chain.root.performAndWait { chain.root.hasChanges })
  }

  @Test func `a compound constraint applies to the combination of its properties`() throws {
    let stack = try Stack(model: Roster.model)
    try stack.seed { context in
      for (first, last) in [("Ada", "King"), ("Ada", "Byron"), ("Anne", "King")] {
        let member = context.insertMember(nil)
        member[Roster.first] = .string(first)
        member[Roster.last] = .string(last)
      }
    }
    let context = stack.context()
    context.performAndWait {
      let member = context.insertMember(nil)
      member[Roster.first] = "Ada"
      member[Roster.last] = "Byron"
    }
    let conflict = error { try context.performAndWait { try context.save() } }?.constraintConflicts.first
    #expect(conflict?.constraint == ["first", "last"])
    #expect(conflict?.constraintValues == ["Ada", "Byron"])
  }

  @Test func `null values satisfy a uniqueness constraint`() throws {
    let stack = try Stack(model: Roster.model)
    try stack.seed { context in
      for _ in 0..<3 {
        let member = context.insertMember(nil)
        member[Roster.first] = "Ada"
      }
    }
    #expect(try stack.inStore { try $0.members().count } == 3)
  }

  @Test func `objects of subentities are under their root's uniqueness constraints`() throws {
    let stack = try Stack(model: Roster.model)
    try seed(stack)
    let context = stack.context()
    context.performAndWait { context.insert(Roster.guest)[Roster.mail] = "ada" }
    #expect(
      error { try context.performAndWait { try context.save() } }?.constraintConflicts.map(\.entityName) == ["Member"])
    // No policy can merge the two objects, because their entities differ.
    context.performAndWait { context.mergePolicy = .objectTrump }
    #expect(error { try context.performAndWait { try context.save() } }?.code == .managedObjectConstraintMerge)
  }

  @Test func `unique strings are compared by their bytes`() throws {
    let stack = try Stack(model: Roster.model)
    try stack.seed { context in
      context.insertMember("caf\u{e9}")
      context.insertMember("cafe\u{301}")
    }
    #expect(try stack.inStore { try $0.members().count } == 2)
  }

  // MARK: Policies

  @Test(arguments: Arrangement.all, settling)
  func `a new object with a row's unique value is merged by the policy`(
    _ arrangement: Arrangement, _ policy: MergePolicy
  ) throws {
    let (stack, chain) = try arrangement.makeStack(model: Roster.model)
    try seed(stack)
    let stored = try #require(try stack.inStore { try $0.member("ada")?.objectID })
    chain.root.performAndWait { chain.root.mergePolicy = policy }
    chain.leaf.performAndWait {
      let member = chain.leaf.insertMember("ada", age: 37)
      let badge = chain.leaf.insert(Roster.badge)
      badge.relate(member, at: Roster.ofMember)
    }
    try chain.saveAll()
    try stack.inStore { context in
      let members = try context.members()
      #expect(members.map(\.objectID) == [stored])
      let age: Value =
        switch policy {
        case .objectTrump, .overwrite: 37
        default: 36
        }
      #expect(members[0][Roster.age] == age)
      #expect(members[0][Roster.note] == (policy == .overwrite ? "none" : "stored"))
      // The badge of the new object refers to the row now, which raises the row's version.
      #expect(members[0].version == 2)
      let badges = try context.fetch(FetchRequest(Roster.badge))
      #expect(badges.map { $0[Roster.ofMember] } == [.object(stored)])
    }
    try chain.root.performAndWait {
      #expect(!chain.root.hasChanges)
      let members = try chain.root.members()
      #expect(members.map(\.objectID) == [stored])
    }
  }

  @Test(arguments: settling)
  func `a merged new object is deleted if the context has the row's object`(_ policy: MergePolicy) throws {
    let stack = try Stack(model: Roster.model)
    try seed(stack)
    let context = stack.context()
    try context.performAndWait {
      context.mergePolicy = policy
      let known = try #require(try context.member("ada"))
      _ = known[Roster.age]
      let fresh = context.insertMember("ada", age: 37)
      try context.save()
      #expect(fresh.isDeleted)
      #expect(fresh.managedObjectContext == nil)
      #expect(known[Roster.age] == (policy == .objectTrump || policy == .overwrite ? 37 : 36))
      #expect(!known.hasChanges)
      #expect(try context.members().map(\.objectID) == [known.objectID])
      known[Roster.age] = 40
      try context.save()
    }
    #expect(try stack.inStore { try $0.member("ada")?[Roster.age] } == 40)
  }

  @Test(arguments: settling)
  func `new objects with equal unique values are merged into the first`(_ policy: MergePolicy) throws {
    let stack = try Stack(model: Roster.model)
    let context = stack.context()
    try context.performAndWait {
      context.mergePolicy = policy
      let first = context.insertMember("ada", age: 36)
      let second = context.insertMember("ada", age: 37)
      try context.save()
      #expect(first.managedObjectContext === context)
      #expect(second.managedObjectContext == nil)
      #expect(first[Roster.age] == (policy == .objectTrump || policy == .overwrite ? 37 : 36))
    }
    #expect(try stack.inStore { try $0.members().count } == 1)
  }

  @Test(arguments: [MergePolicy.storeTrump, .rollback])
  func `a changed object restores its unique value on conflict, and all values under rollback`(
    _ policy: MergePolicy
  ) throws {
    let stack = try Stack(model: Roster.model)
    try seed(stack)
    try stack.seed { context in context.insertMember("grace", age: 50) }
    let context = stack.context()
    try context.performAndWait {
      context.mergePolicy = policy
      let grace = try #require(try context.member("grace"))
      grace[Roster.mail] = "ada"
      grace[Roster.age] = 51
      try context.save()
      #expect(grace[Roster.mail] == "grace")
      #expect(grace[Roster.age] == (policy == .storeTrump ? 51 : 50))
    }
    #expect(try stack.inStore { try $0.member("grace")?[Roster.age] } == (policy == .storeTrump ? 51 : 50))
  }

  /// Two existing rows cannot be merged, and the engine deletes neither of them.
  @Test(arguments: [MergePolicy.objectTrump, .overwrite])
  func `a changed object that wins over a row on conflict fails the save`(_ policy: MergePolicy) throws {
    let stack = try Stack(model: Roster.model)
    try seed(stack)
    try stack.seed { context in context.insertMember("grace") }
    let context = stack.context()
    try context.performAndWait {
      context.mergePolicy = policy
      try #require(try context.member("grace"))[Roster.mail] = "ada"
    }
    let error = error { try context.performAndWait { try context.save() } }
    #expect(error?.code == .managedObjectConstraintMerge)
    #expect(try stack.inStore { try $0.members().count } == 2)
  }
}
