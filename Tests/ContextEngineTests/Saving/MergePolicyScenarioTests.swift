import ContextEngine
import TestSupport
import Testing

/// Conflicts, merge policies and merges of two contexts on one coordinator, flat and nested.
///
/// Origin: FreeCoreData's suite of merge policies (14 scenarios). The five policies one by one (9 to 12) and changes
/// that do not conflict (13) are in `ConflictTests`, merged updates and insertions (5, 7) in `MergingTests`. The other
/// scenarios are here, together with those of the policies for the changes of a child.
@Suite(.onBothStores, .namingTheStore) struct MergePolicyScenarioTests {
  /// Returns the title, year and note of a book.
  private static func values(_ book: ManagedObject?) -> [Value] {
    [Book.title, Book.year, Book.note].map { book?[$0] ?? .null }
  }

  /// Merge policies 1 to 3 of 14: there are five policies, a new context has the error policy, and any policy may be
  /// set.
  @Test(arguments: Arrangement.all)
  func `a new context has the error policy, and setting it leaves parents unchanged`(arrangement: Arrangement) throws {
    let (_, chain) = try arrangement.makeStack()
    #expect(MergePolicy.allCases == [.error, .storeTrump, .objectTrump, .overwrite, .rollback])
    for context in chain.contexts { #expect(context.mergePolicy == .error) }
    for policy in MergePolicy.allCases.reversed() {
      chain.leaf.mergePolicy = policy
      #expect(chain.leaf.mergePolicy == policy)
      for context in chain.contexts.dropLast() { #expect(context.mergePolicy == .error) }
    }
  }

  /// Merge policies 4 of 14: an object is inserted, changed and deleted, with a save and a did-save each time.
  @Test(arguments: Arrangement.all)
  func `a did-save lists an object as inserted, updated or deleted`(arrangement: Arrangement) throws {
    let (_, chain) = try arrangement.makeStack()
    let context = chain.leaf
    let lists = Journal<[[ManagedObject]]>()
    let token = context.observeDidSave { lists.write([$0.inserted, $0.updated, $0.deleted]) }
    try context.performAndWait {
      let book = context.insertBook("Emma")
      try context.save()
      book[Book.title] = "Emma, a novel"
      try context.save()
      context.delete(book)
      try context.save()
      #expect(lists.entries == [[[book], [], []], [[], [book], []], [[], [], [book]]])
    }
    token.cancel()
  }

  /// Merge policies 6 of 14, observed on Apple's framework: a retained object that others delete is marked deleted,
  /// stays realised and readable, and is not fetched again. There it stays registered too; here it does not
  /// (`DivergencesFromCoreData.md`).
  @Test(arguments: [0, 1])
  func `an object whose deletion was merged stays readable and is not fetched`(depth: Int) throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma", year: 1815) }
    let chain = stack.chain(depth)
    let context = chain.leaf
    let writer = depth == 0 ? stack.context("writer") : chain.root
    let held = try context.performAndWait {
      let book = try #require(try context.book("Emma"))
      try book.fulfillFault()
      return book
    }
    let saves = Journal<SaveNotification>()
    let token = writer.observeDidSave { saves.write($0) }
    try writer.performAndWait {
      writer.delete(try #require(try writer.book("Emma")))
      try writer.save()
    }
    token.cancel()
    try context.performAndWait {
      context.mergeChanges(fromContextDidSave: try #require(saves.entries.first))
      #expect(held.isDeleted && !held.isFault && !context.hasChanges)
      #expect(held.title == "Emma" && held[Book.year] == 1815)
      #expect(try context.titles().isEmpty)
      #expect(context.registeredObjects.isEmpty)
    }
  }

  /// Merge policies 8 of 14: the error has one conflict, which has the object, the values that the change is based on
  /// and the row in the store.
  @Test(arguments: ConflictTests.Opponent.allCases, [false, true])
  func `a conflict has the object, its base values and the row`(
    opponent: ConflictTests.Opponent, isDeletion: Bool
  ) throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma", year: 10) }
    let context = stack.context()
    try context.performAndWait {
      let book = try #require(try context.book("Emma"))
      book[Book.title] = "Mine"
      let other = opponent == .sameCoordinator ? stack : try Stack(on: stack.folder)
      try other.seed { context in
        guard let theirs = (try? context.books())?.first else { return }
        if isDeletion { context.delete(theirs) } else { theirs[Book.title] = "Theirs" }
      }
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .managedObjectMerge)
      let conflict = try #require(error?.conflicts.first)
      #expect(error?.conflicts.count == 1 && context.object(with: conflict.objectID) === book)
      #expect(book.committedValues(forKeys: ["title"]) == ["title": "Emma"])
      let met = context.currentValues(of: conflict)
      #expect(met?["title"] == (isDeletion ? nil : "Theirs") && met?["year"] == (isDeletion ? nil : 10))
      #expect(met?.count == (isDeletion ? nil : Book.entity.slots.count))
    }
  }

  /// Merge policies 8 to 12 of 14 for changes that a child pushed: the context that saves into the store applies its
  /// policy. Both sides change the title, the other side also the year, and this side also the note.
  @Test(arguments: Arrangement.nested, MergePolicy.allCases)
  func `the policy of the root resolves the changes of its children`(
    arrangement: Arrangement, policy: MergePolicy
  ) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { $0.insertBook("Emma", year: 10) }
    chain.root.mergePolicy = policy
    let held = try chain.contexts.map { context in
      try context.performAndWait {
        let book = try #require(try context.book("Emma"))
        try book.fulfillFault()
        return book
      }
    }
    try stack.seed { context in
      guard let theirs = (try? context.books())?.first else { return }
      theirs[Book.title] = "Theirs"
      theirs[Book.year] = 50
    }
    chain.leaf.performAndWait {
      held.last?[Book.title] = "Mine"
      held.last?[Book.note] = "mine"
    }
    let expected: [Value] =
      switch policy {
      case .error, .rollback: ["Theirs", 50, .null]
      case .storeTrump: ["Theirs", 50, "mine"]
      case .objectTrump: ["Mine", 50, "mine"]
      case .overwrite: ["Mine", 10, "mine"]
      }
    if policy == .error {
      let error = #expect(throws: PersistenceError.self) { try chain.saveAll() }
      #expect(error?.code == .managedObjectMerge)
      // The root keeps the change.
      chain.root.performAndWait { #expect(chain.root.hasChanges && Self.values(held[0]) == ["Mine", 10, "mine"]) }
    } else {
      try chain.saveAll()
      // The levels are refreshed downwards, because each one reads from the level above.
      for (book, context) in zip(held, chain.contexts) {
        try context.performAndWait {
          try context.refresh(book, mergeChanges: false)
          #expect(Self.values(book) == expected && !context.hasChanges)
        }
      }
    }
    let stored = try stack.inStore { Self.values(try $0.books().first) }
    #expect(stored == expected)
  }

  /// Merge policies 13 of 14: changes to different objects do not conflict.
  @Test(arguments: Arrangement.all)
  func `saving a new object ignores changes to other objects`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { $0.insertBook("Emma") }
    let held = try chain.leaf.performAndWait {
      let book = try #require(try chain.leaf.book("Emma"))
      try book.fulfillFault()
      chain.leaf.insertBook("Persuasion")
      return book
    }
    try stack.seed { context in (try? context.book("Emma"))??[Book.year] = 1815 }
    let conflicts = try stack.count(.conflict) { try chain.saveAll() }
    #expect(conflicts == 0)
    #expect(try stack.storedTitles() == ["Emma", "Persuasion"])
    withExtendedLifetime(held) {}
  }

  /// Merge policies 14 of 14: the numbers of the header `CoreDataErrors.h`.
  @Test func `conflict errors have Core Data's codes`() {
    let codes: [PersistenceError.Code] = [
      .managedObjectMerge, .managedObjectConstraintMerge, .saveConflicts, .referentialIntegrity,
      .managedObjectValidation,
    ]
    #expect(codes.map(\.rawValue) == [133020, 133021, 134050, 133000, 1550])
  }
}
