import ContextEngine
import TestSupport
import Testing

@Suite(.onBothStores, .namingTheStore) struct IdentityTests {
  @Test func `object IDs are sorted by entity and key, with temporary IDs last`() {
    let ordered = [
      ObjectID(entity: 0, key: 1), ObjectID(entity: 0, key: 2), ObjectID(entity: 0, key: -1),
      ObjectID(entity: 0, key: -2), ObjectID(entity: 1, key: 1),
    ]
    #expect(ordered.reversed().sorted() == ordered)
  }

  @Test func `a save into the store assigns permanent IDs in insertion order`() throws {
    let stack = try Stack()
    let context = stack.context()
    try context.performAndWait {
      let books = (0..<5).map { context.insertBook("Book \(9 - $0)") }
      #expect(books.allSatisfy { $0.objectID.isTemporaryID })
      try context.save()
      #expect(books.map(\.objectID.key) == [1, 2, 3, 4, 5])
      #expect(books.allSatisfy { context.registeredObject(for: $0.objectID) === $0 })
      #expect(try context.books() == books.reversed())
    }
  }

  @Test(arguments: Arrangement.nested)
  func `objects of a child keep temporary IDs after the root's save`(arrangement: Arrangement) throws {
    let (_, chain) = try arrangement.makeStack()
    let book = chain.leaf.performAndWait { chain.leaf.insertBook("Emma") }
    let temporary = book.objectID
    let above = try chain.contexts.dropLast().reversed().map { context in
      let child = chain.contexts[chain.contexts.firstIndex { $0 === context }! + 1]
      try child.performAndWait { try child.save() }
      return try context.performAndWait { try #require(context.registeredObject(for: temporary)) }
    }
    #expect(above.allSatisfy { $0.objectID == temporary })
    try chain.root.performAndWait { try chain.root.save() }
    #expect(book.objectID == temporary)
    let root = try #require(above.last)
    #expect(!root.objectID.isTemporaryID)
    chain.root.performAndWait {
      #expect(chain.root.registeredObject(for: temporary) === root)
      #expect(chain.root.object(with: temporary) === root)
    }
    chain.leaf.performAndWait {
      #expect(chain.leaf.registeredObject(for: root.objectID) === book)
      #expect(chain.leaf.object(with: root.objectID) === book)
    }
  }

  @Test(arguments: Arrangement.nested)
  func `the temporary ID of a deleted row is forgotten when no context has the object`(arrangement: Arrangement) throws
  {
    let (_, chain) = try arrangement.makeStack()
    let temporary = chain.leaf.performAndWait { ["Emma", "Persuasion"].map { chain.leaf.insertBook($0).objectID } }
    let emma = chain.leaf.performAndWait { chain.leaf.registeredObject(for: temporary[0]) }
    try chain.saveAll()
    func isKnown(_ objectID: ObjectID) -> Bool {
      chain.root.coordinator.uriRepresentation(of: objectID).lastPathComponent.hasPrefix("p")
    }
    try chain.root.performAndWait {
      chain.root.delete(try #require(try chain.root.book("Emma")))
      try chain.root.save()
    }
    #expect(isKnown(temporary[0]) && isKnown(temporary[1]))
    for context in chain.contexts.reversed() { context.performAndWait { context.reset() } }
    #expect(!isKnown(temporary[0]) && isKnown(temporary[1]))
    withExtendedLifetime(emma) {}
  }

  @Test(arguments: Arrangement.nested)
  func `a fetch after the root's save returns the child's existing instances`(arrangement: Arrangement) throws {
    let (_, chain) = try arrangement.makeStack()
    let books = chain.leaf.performAndWait { (0..<20).map { chain.leaf.insertBook("Book \(10 + $0)") } }
    try chain.saveAll()
    try chain.leaf.performAndWait {
      let found = try chain.leaf.books()
      #expect(found == books)
      #expect(chain.leaf.registeredObjects.count == 20)
      var batched = FetchRequest.books()
      batched.fetchBatchSize = 7
      #expect(Array(try chain.leaf.fetch(batched)) == books)
      chain.leaf.ignoresBatchSizeBelowContext = false
      #expect(Array(try chain.leaf.fetch(batched)) == books)
      #expect(try chain.leaf.fetchObjectIDs(.books()) == books.map(\.objectID))
    }
  }

  @Test(arguments: Arrangement.nested)
  func `an object keeps its identity in a child after its parent saves it`(arrangement: Arrangement) throws {
    let (_, chain) = try arrangement.makeStack()
    let parent = try #require(chain.leaf.parent)
    parent.performAndWait { _ = parent.insertBook("Emma", author: parent.insertAuthor("Jane")) }
    let book = try chain.leaf.performAndWait { try #require(try chain.leaf.books().first) }
    for context in chain.contexts.dropLast().reversed() { try context.performAndWait { try context.save() } }
    try chain.leaf.performAndWait {
      #expect(book.title == "Emma" && !book.isDeleted)
      #expect(book.related(Book.author)?[Author.name] == "Jane")
      let found = try chain.leaf.books()
      #expect(found == [book])
      book[Book.note] = "mine"
    }
    try chain.saveAll()
    try chain.root.performAndWait {
      let found = try chain.root.book("Emma")?[Book.note]
      #expect(found == "mine")
    }
  }

  @Test func `a reference to an object with a temporary ID leads to the saved row`() throws {
    let stack = try Stack()
    let chain = stack.chain(1)
    try stack.seed { $0.insertBook("Emma") }
    try chain.root.performAndWait {
      try #require(try chain.root.book("Emma")).relate(chain.root.insertAuthor("Jane"), at: Book.author)
    }
    // The child reads the key of the author, but not the author's row.
    let book = try chain.leaf.performAndWait {
      let book = try #require(try chain.leaf.books().first)
      _ = book[Book.author]
      return book
    }
    try chain.root.performAndWait { try chain.root.save() }
    chain.leaf.performAndWait { #expect(book.related(Book.author)?[Author.name] == "Jane") }
  }

  @Test func `predicates match an object by its temporary and its permanent ID`() throws {
    let stack = try Stack()
    let chain = stack.chain(1)
    let (jane, book) = chain.leaf.performAndWait {
      let jane = chain.leaf.insertAuthor("Jane")
      return (jane, chain.leaf.insertBook("Emma", author: jane))
    }
    try chain.saveAll()
    let permanent = try chain.root.performAndWait { try chain.root.fetchObjectIDs(FetchRequest(Author.entity))[0] }
    #expect(jane.objectID.isTemporaryID && !permanent.isTemporaryID)
    try chain.leaf.performAndWait {
      for isDirty in [false, true] {
        if isDirty { book[Book.note] = "changed" }
        for objectID in [jane.objectID, permanent] {
          let found = try chain.leaf.books(where: .equal(Book.author, .object(objectID)))
          #expect(found == [book])
          #expect(try chain.leaf.books(where: .isIn(Book.author, [.object(objectID)])) == [book])
          #expect(try chain.leaf.books(where: .comparison(Book.author, .notEqual, .object(objectID))).isEmpty)
          let authors = FetchRequest(Author.entity, predicate: .objectIsIn([objectID]))
          #expect(Array(try chain.leaf.fetch(authors)) == [jane])
        }
      }
    }
  }

  /// Tests that a context has one object for an ID, as `objectWithID:` documents.
  @Test(arguments: Arrangement.nested, [false, true])
  func `a pushed object is the instance that the parent had for its ID`(
    arrangement: Arrangement, hasPermanentID: Bool
  ) throws {
    // Library's entities have no callbacks, and some of Chronicle's have callbacks.
    for entity in [Book.entity, Chronicle.model.entity("Badge")] {
      let (stack, chain) = try arrangement.makeStack(
        model: entity === Book.entity ? Library.model : Chronicle.model)
      let parent = try #require(chain.leaf.parent)
      let objectIDs = try chain.leaf.performAndWait {
        let objects = (0..<3).map { _ in chain.leaf.insert(entity) }
        if hasPermanentID { try chain.leaf.obtainPermanentIDs(for: objects) }
        return objects.map(\.objectID)
      }
      let before = parent.performAndWait {
        parent.retainsRegisteredObjects = true
        let before = [parent.object(with: objectIDs[0]), parent.object(with: objectIDs[2])]
        // The object has no row yet, and counts as deleted until it has one.
        #expect(before[1][entity.attributes[0].name] == .null && before[1].isDeleted)
        return before
      }
      try chain.leaf.performAndWait { try chain.leaf.save() }
      try parent.performAndWait {
        #expect(parent.insertedObjects.map(\.objectID) == objectIDs)
        #expect(parent.insertedObjects[0] === before[0] && parent.insertedObjects[2] === before[1])
        let found = try parent.fetch(FetchRequest(entity)).map(\.objectID)
        #expect(found == objectIDs)
        #expect(parent.registeredObjects.count == 3)
        #expect(before.allSatisfy { $0.isInserted && !$0.isFault && !$0.isDeleted })
      }
      try stack.coordinator.checkInvariants(over: chain.contexts)
      try chain.saveAll()
      #expect(try stack.inStore { try $0.fetch(FetchRequest(entity)).count } == 3)
      try stack.coordinator.checkInvariants(over: chain.contexts)
    }
  }

  @Test func `a sibling fetches temporary IDs before the parent's save and permanent ones after`() throws {
    let stack = try Stack()
    let chain = stack.chain(1)
    let sibling = ManagedObjectContext(.privateQueue, parent: chain.root, name: "sibling")
    let book = chain.leaf.performAndWait { chain.leaf.insertBook("Emma") }
    try chain.leaf.performAndWait { try chain.leaf.save() }
    try sibling.performAndWait {
      let found = try sibling.books().map(\.objectID)
      #expect(found == [book.objectID])
    }
    try chain.root.performAndWait { try chain.root.save() }
    try sibling.performAndWait {
      let found = try sibling.books().map { $0.objectID.isTemporaryID }
      #expect(found == [false])
    }
  }
}
