import ContextEngine
import TestSupport
import Testing

/// Permanent IDs that are obtained before a save.
@Suite(.onBothStores, .namingTheStore) struct PermanentIDTests {
  @Test(arguments: Arrangement.all)
  func `a new object with a permanent ID is still inserted`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    let context = chain.leaf
    let emmaID = try context.performAndWait {
      let jane = context.insertAuthor("Jane")
      let emma = context.insertBook("Emma", author: jane)
      let temporaryID = emma.objectID
      try context.obtainPermanentIDs(for: [jane, emma, emma])
      #expect(!emma.objectID.isTemporaryID && !jane.objectID.isTemporaryID)
      #expect(emma.isInserted && jane.isInserted && context.insertedObjects == [jane, emma])
      #expect(emma.version == 0)
      // The object is found under both of its IDs, directly and through relationships.
      #expect(context.registeredObject(for: emma.objectID) === emma)
      #expect(context.registeredObject(for: temporaryID) === emma)
      #expect(emma[Book.author] == .object(jane.objectID) && emma.related(Book.author) === jane)
      #expect(jane.relatedObjectIDs(Author.books) == [emma.objectID])
      #expect(try context.books() == [emma])
      // A second request runs no statement.
      try stack.expectStatements(0) { try context.obtainPermanentIDs(for: [jane, emma]) }
      return emma.objectID
    }
    #expect(try stack.storedTitles().isEmpty)
    try chain.saveAll()
    try stack.inStore { store in
      let emma = try #require(try store.book("Emma"))
      #expect(emma.objectID == emmaID)
      #expect(emma.related(Book.author)?["name"] == "Jane")
    }
  }

  @Test(arguments: Arrangement.all)
  func `obtainPermanentIDs reserves keys in one transaction, and the save reserves no more`(
    arrangement: Arrangement
  ) throws {
    let (stack, chain) = try arrangement.makeStack()
    let context = chain.leaf
    let commits = try stack.count(.commit) {
      try context.performAndWait {
        try context.obtainPermanentIDs(for: [context.insertBook("Emma"), context.insertBook("Persuasion")])
      }
    }
    #expect(commits == 1)
    let others = try stack.count(.commit) { try chain.saveAll() }
    #expect(others == 1)
    // The save makes one reservation for the objects that still have temporary IDs.
    try context.performAndWait {
      try context.obtainPermanentIDs(for: [context.insertBook("Sanditon")])
      context.insertBook("Lady Susan")
    }
    #expect(try stack.count(.commit) { try chain.saveAll() } == 2)
    let keys = try stack.inStore { try $0.books().map(\.objectID.key).sorted() }
    #expect(keys == [1, 2, 3, 4])
  }

  @Test(arguments: Arrangement.nested)
  func `a child's object keeps its permanent ID after every save`(arrangement: Arrangement) throws {
    let (_, chain) = try arrangement.makeStack()
    let emma = try chain.leaf.performAndWait {
      let emma = chain.leaf.insertBook("Emma")
      try chain.leaf.obtainPermanentIDs(for: [emma])
      return emma
    }
    let objectID = emma.objectID
    try chain.saveAll()
    try chain.leaf.performAndWait {
      let books = try chain.leaf.books()
      #expect(emma.objectID == objectID && books == [emma])
    }
    for context in chain.contexts {
      let found = try context.performAndWait { try context.books().map(\.objectID) }
      #expect(found == [objectID])
    }
  }

  @Test(arguments: Arrangement.nested)
  func `a parent's object gets the permanent ID obtained in its child`(arrangement: Arrangement) throws {
    let (_, chain) = try arrangement.makeStack()
    let parent = try #require(chain.leaf.parent)
    let (child, temporaryID) = try chain.leaf.performAndWait {
      let child = chain.leaf.insertBook("Emma")
      try chain.leaf.save()
      return (child, child.objectID)
    }
    try chain.leaf.performAndWait { try chain.leaf.obtainPermanentIDs(for: [child]) }
    parent.performAndWait {
      let emma = parent.registeredObject(for: temporaryID)
      #expect(emma?.objectID == child.objectID && emma?.isInserted == true)
    }
    try chain.saveAll()
    // After the save there are no keys left to reserve.
    try chain.leaf.performAndWait { try chain.leaf.obtainPermanentIDs(for: [child]) }
    #expect(!child.objectID.isTemporaryID)
  }

  @Test func `obtainPermanentIDs for a saved object runs no statement`() throws {
    let stack = try Stack()
    let chain = stack.chain(1)
    let emma = chain.leaf.performAndWait { chain.leaf.insertBook("Emma") }
    try chain.saveAll()
    try chain.leaf.performAndWait {
      #expect(emma.objectID.isTemporaryID)
      try stack.expectStatements(0) { try chain.leaf.obtainPermanentIDs(for: [emma]) }
      #expect(!emma.objectID.isTemporaryID && chain.leaf.registeredObject(for: emma.objectID) === emma)
      #expect(try chain.leaf.books() == [emma])
    }
  }

  @Test func `IDs stay temporary if the reservation fails`() throws {
    let stack = try Stack()
    let chain = stack.chain(1)
    try stack.store.close()
    chain.leaf.performAndWait {
      let emma = chain.leaf.insertBook("Emma")
      let error = #expect(throws: PersistenceError.self) { try chain.leaf.obtainPermanentIDs(for: [emma]) }
      #expect(error?.code == .storeOpen && emma.objectID.isTemporaryID)
    }
  }

  @Test func `permanent IDs keep a controller's list and the footprint correct`() throws {
    let stack = try Stack()
    let context = stack.context()
    try context.performAndWait {
      let controller = FetchedResultsController(fetchRequest: .books(), managedObjectContext: context)
      try controller.performFetch()
      let replica = Replica(controller)
      let books = (0..<3).map { context.insertBook("book \($0)") }
      context.processPendingChanges()
      try context.obtainPermanentIDs(for: books)
      #expect(controller.fetchedObjects.map(Array.init) == books)
      try context.save()
      #expect(controller.fetchedObjects.map(Array.init) == books)
      #expect(replica.objects == books)
      context.reset()
    }
    #expect(stack.coordinator.footprint.figures.currentBytes == 0)
  }
}
