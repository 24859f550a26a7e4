import ContextEngine
import TestSupport
import Testing

/// The state of an object from its insertion to its deletion, at every level.
///
/// Origin: FreeCoreData's suite of the life cycle (16 scenarios). Awaking, refreshing, saving and deleting with
/// callbacks are in `LifeCycleTests` and `SaveCallbackTests`, changed and committed values in `ChangedValuesTests`,
/// rollback in `SavingTests`. Its scenarios of accessors and mutable sets have no equivalent here, because properties
/// are found by path.
@Suite(.onBothStores, .namingTheStore) struct LifeCycleScenarioTests {
  /// Returns the names of the flags that an object has set.
  private static func flags(_ object: ManagedObject) -> [String] {
    let flags = [
      ("inserted", object.isInserted), ("updated", object.isUpdated), ("deleted", object.isDeleted),
      ("fault", object.isFault), ("changed", object.hasChanges), ("temporary", object.objectID.isTemporaryID),
    ]
    return flags.filter(\.1).map(\.0)
  }

  /// Life cycle 2 of 16.
  @Test func `awakeFromInsert finds the default values`() throws {
    let seen = Journal<Value>()
    let diary = Diary(writing: []) { $0.awakeFromInsert = { seen.write($0["text"]) } }
    let context = try Stack(model: diary.model).context()
    context.performAndWait { _ = context.insert(diary.entity) }
    #expect(seen.entries == ["new"])
  }

  /// Life cycle 3, 5 and 6 of 16: an object is inserted, saved, changed and saved again.
  @Test(arguments: Arrangement.all)
  func `isInserted, isUpdated and hasChanges follow an object through its saves`(arrangement: Arrangement) throws {
    let (_, chain) = try arrangement.makeStack()
    let context = chain.leaf
    let isChild = context.parent != nil
    try context.performAndWait {
      let book = context.insertBook("Emma")
      #expect(Self.flags(book) == ["inserted", "changed", "temporary"] && book.managedObjectContext === context)
      try context.save()
      // The objects of a child keep their temporary IDs.
      #expect(Self.flags(book) == (isChild ? ["temporary"] : []))
      book[Book.title] = "Emma, a novel"
      #expect(Self.flags(book) == ["updated", "changed"] + (isChild ? ["temporary"] : []))
      try context.save()
      #expect(Self.flags(book) == (isChild ? ["temporary"] : []))
    }
  }

  /// Life cycle 12 of 16, observed on Apple's framework: an object that is deleted twice is prepared for deletion
  /// twice. The second time it is already deleted.
  @Test(arguments: [0, 1])
  func `deleting an object twice calls prepareForDeletion twice`(depth: Int) throws {
    let seen = Journal<Bool>()
    let diary = Diary(writing: []) { $0.prepareForDeletion = { seen.write($0.isDeleted) } }
    let stack = try Stack(model: diary.model)
    try diary.seed(stack)
    let chain = stack.chain(depth)
    try chain.leaf.performAndWait {
      let entry = try #require(try chain.leaf.only(diary.entity))
      chain.leaf.delete(entry)
      #expect(seen.entries == [false])
      chain.leaf.delete(entry)
      #expect(seen.entries == [false, true] && chain.leaf.deletedObjects == [entry])
    }
    try chain.saveAll()
    // Each level above calls it once more, and a saved deletion does not call it again.
    #expect(seen.entries == [false, true] + Array(repeating: false, count: depth))
  }

  /// Life cycle 13 of 16. The original saw `isDeleted` false after the save on Apple's framework. Here it stays true,
  /// so that code that holds the object can check it (`DivergencesFromCoreData.md`).
  @Test(arguments: Arrangement.all)
  func `an object stays isDeleted after its deletion is saved`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { $0.insertBook("Emma") }
    let context = chain.leaf
    try context.performAndWait {
      let book = try #require(try context.book("Emma"))
      context.delete(book)
      #expect(Self.flags(book) == ["deleted", "changed"])
      try context.save()
      #expect(Self.flags(book) == ["deleted"] && context.deletedObjects.isEmpty)
      #expect(try context.titles().isEmpty)
    }
    try chain.saveAll()
    #expect(try stack.storedTitles().isEmpty)
  }

  /// Life cycle 15 of 16: a rollback discards a changed and then deleted object, and a new one.
  @Test(arguments: Arrangement.all)
  func `a rollback restores old values and removes new objects`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { $0.insertBook("Emma") }
    let context = chain.leaf
    try context.performAndWait {
      let book = try #require(try context.book("Emma"))
      book[Book.title] = "changed"
      let added = context.insertBook("Persuasion")
      context.delete(book)
      context.rollback()
      #expect(context.insertedObjects.isEmpty && context.updatedObjects.isEmpty && context.deletedObjects.isEmpty)
      #expect(book.title == "Emma" && Self.flags(book).isEmpty)
      #expect(context.registeredObjects == [book] && added.isDeleted)
      #expect(try context.titles() == ["Emma"])
    }
  }
}
