import ContextEngine
import TestSupport
import Testing

/// Objects whose versions a save compares although they are not changed.
@Suite(.onBothStores, .namingTheStore) struct DetectedConflictTests {
  enum Other: CaseIterable {
    case sameCoordinator
    case otherCoordinator
  }

  private func withBooks(
    _ other: Other, depth: Int, policy: MergePolicy,
    _ body: (ManagedObjectContext, _ emma: ManagedObject, _ elsewhere: ((ManagedObject) -> Void) throws -> Void) throws
      -> Void
  ) throws {
    let folder = try TemporaryFolder()
    let stack = try Stack(on: folder)
    try stack.seed { context in for title in ["Emma", "Persuasion"] { context.insertBook(title) } }
    let writing = other == .sameCoordinator ? stack : try Stack(on: folder)
    let chain = stack.chain(depth)
    chain.root.performAndWait { chain.root.mergePolicy = policy }
    try chain.leaf.performAndWait {
      let emma = try #require(try chain.leaf.book("Emma"))
      try chain.leaf.detectConflicts(for: emma)
      try body(chain.leaf, emma) { change in
        try writing.inStore { context in
          change(try #require(try context.book("Emma")))
          try context.save()
        }
      }
    }
    if depth > 0 { try chain.root.performAndWait { try chain.root.save() } }
  }

  @Test(arguments: Other.allCases)
  func `detectConflicts makes an unchanged object conflict with a change or deletion by others`(other: Other) throws {
    for deletes in [false, true] {
      try withBooks(other, depth: 0, policy: .error) { context, emma, elsewhere in
        try elsewhere { if deletes { $0.managedObjectContext?.delete($0) } else { $0[Book.note] = "theirs" } }
        try #require(try context.book("Persuasion"))[Book.note] = "mine"
        let error = #expect(throws: PersistenceError.self) { try context.save() }
        #expect(error?.code == .managedObjectMerge && error?.objectIDs == [emma.objectID])
        #expect(error?.conflicts.map(\.oldVersion) == [1])
        #expect(context.hasChanges)
      }
    }
  }

  @Test(arguments: Other.allCases)
  func `a policy other than error updates an unchanged object to the stored row`(other: Other) throws {
    for policy in MergePolicy.allCases where policy != .error {
      try withBooks(other, depth: 0, policy: policy) { context, emma, elsewhere in
        try elsewhere { $0[Book.note] = "theirs" }
        try #require(try context.book("Persuasion"))[Book.note] = "mine"
        try context.save()
        #expect(emma[Book.note] == "theirs" && emma.version == 2 && !emma.hasChanges)
      }
    }
  }

  @Test func `a marked object without conflict keeps its version and is unmarked by the save`() throws {
    try withBooks(.otherCoordinator, depth: 0, policy: .error) { context, emma, elsewhere in
      let persuasion = try #require(try context.book("Persuasion"))
      persuasion[Book.note] = "first"
      try context.save()
      #expect(emma.version == 1)
      try elsewhere { $0[Book.note] = "theirs" }
      persuasion[Book.note] = "second"
      try context.save()
    }
  }

  @Test(arguments: [true, false])
  func `a child's stale change conflicts only if its parent holds the old row`(isHeld: Bool) throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma", year: 1815) }
    let chain = stack.chain(1)
    let held = try chain.root.performAndWait { () throws -> ManagedObject? in
      guard isHeld else { return nil }
      let emma = try #require(try chain.root.book("Emma"))
      try emma.fulfillFault()
      return emma
    }
    let stale = try chain.leaf.performAndWait {
      let emma = try #require(try chain.leaf.book("Emma"))
      #expect(emma.title == "Emma")
      return emma
    }
    let other = stack.context("other")
    try other.performAndWait {
      try #require(try other.book("Emma"))[Book.title] = "Theirs"
      try other.save()
    }
    try chain.leaf.performAndWait {
      stale[Book.title] = "Mine"
      try chain.leaf.save()
    }
    try chain.root.performAndWait {
      if isHeld {
        let error = #expect(throws: PersistenceError.self) { try chain.root.save() }
        #expect(error?.code.rawValue == 133020)
      } else {
        try chain.root.save()
      }
    }
    #expect(try stack.storedTitles() == [isHeld ? "Theirs" : "Mine"])
    #expect((held == nil) != isHeld)
  }

  @Test func `an unchanged object without a mark does not conflict, nor does an empty save`() throws {
    try withBooks(.otherCoordinator, depth: 0, policy: .error) { context, emma, elsewhere in
      try elsewhere { $0[Book.note] = "theirs" }
      try context.save()
      context.rollback()
      try #require(try context.book("Persuasion"))[Book.note] = "mine"
      try context.save()
      #expect(emma[Book.note] == .null)
    }
  }

  @Test(arguments: Other.allCases)
  func `a child's mark is checked by the save into the store`(other: Other) throws {
    let error = #expect(throws: PersistenceError.self) {
      try withBooks(other, depth: 1, policy: .error) { context, _, elsewhere in
        try elsewhere { $0[Book.note] = "theirs" }
        try #require(try context.book("Persuasion"))[Book.note] = "mine"
        try context.save()
      }
    }
    #expect(error?.code == .managedObjectMerge)
  }
}
