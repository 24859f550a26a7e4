import ContextEngine
import TestSupport
import Testing

@Suite(.onBothStores, .namingTheStore) struct FaultingTests {
  @Test func `fetched objects are faults whose rows fire from the row cache without SQL`() throws {
    let stack = try Stack()
    try stack.seed { for number in 0..<5 { $0.insertBook("Book \(number)") } }
    let context = stack.context()
    try context.performAndWait {
      let books = try context.books()
      #expect(books.allSatisfy { $0.isFault })
      stack.expectStatements(0) { for book in books { _ = book.title } }
      #expect(books.allSatisfy { !$0.isFault && $0.version == 1 })
    }
    // Faults are counted when the block ends: each object once, however often it is read.
    #expect(stack.ledger.count(.faultFired) == 5)
    context.performAndWait { context.reset() }
    #expect(stack.ledger.count(.faultFired) == 5)
  }

  @Test func `a fault made from an object ID fires with one SELECT`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma") }
    let objectID = try #require(try stack.inStore { try $0.fetchObjectIDs(.books()) }.first)
    let context = stack.context()
    context.performAndWait {
      let book = context.object(with: objectID)
      #expect(book.isFault)
      let statements = stack.expectStatements(1) { #expect(book.title == "Emma") }
      if stack.hasSQL { #expect(statements[0].contains("WHERE t0.Z_PK = ?")) }
      stack.expectStatements(0) { #expect(book[Book.year] == .null) }
    }
  }

  @Test func `a fetch with returnsObjectsAsFaults false returns realised objects`() throws {
    for arrangement in Arrangement.all {
      let (stack, chain) = try arrangement.makeStack()
      try stack.seed { $0.insertBook("Emma") }
      try chain.leaf.performAndWait {
        var request = FetchRequest.books()
        request.returnsObjectsAsFaults = false
        let book = try #require(try chain.leaf.fetch(request).first)
        #expect(!book.isFault && book.title == "Emma")
      }
    }
  }

  @Test func `reading a property outside propertiesToFetch runs one SELECT per object`() throws {
    let stack = try Stack()
    try stack.seed { for number in 0..<3 { $0.insertBook("Book \(number)", year: 1800) } }
    let context = stack.context()
    try context.performAndWait {
      var request = FetchRequest.books()
      request.propertiesToFetch = [Book.title]
      var books: [ManagedObject] = []
      let statements = try stack.statements { books = Array(try context.fetch(request)) }
      #expect(statements.count == 1)
      if stack.hasSQL { #expect(!statements[0].contains("ZYEAR,") && statements[0].contains("ZTITLE")) }
      stack.expectStatements(0) { #expect(books.map(\.title) == ["Book 0", "Book 1", "Book 2"]) }
      stack.expectStatements(3) { for book in books { #expect(book[Book.year] == 1800) } }
      stack.expectStatements(0) { for book in books { #expect(book[Book.isRead] == .boolean(false)) } }
    }
    #expect(stack.ledger.count(.faultFired) == 3)
  }

  @Test func `a change completes a partial object first`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma", year: 1815) }
    let context = stack.context()
    try context.performAndWait {
      var request = FetchRequest.books()
      request.propertiesToFetch = [Book.title]
      let book = try #require(try context.fetch(request).first)
      book[Book.title] = "Emma, a novel"
      try context.save()
    }
    let year = try stack.inStore { try $0.books().first?[Book.year] }
    #expect(year == 1815)
  }

  @Test(arguments: Arrangement.all)
  func `a fault without a row becomes a deleted object with null values`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { $0.insertBook("Emma") }
    let context = chain.leaf
    let objectID = try #require(try context.performAndWait { try context.fetchObjectIDs(.books()) }.first)
    try stack.seed { context in for book in (try? context.books()) ?? [] { context.delete(book) } }
    try context.performAndWait {
      let book = context.object(with: objectID)
      #expect(!book.isDeleted)
      try book.fulfillFault()
      #expect(book[Book.title] == .null && book.isDeleted && !book.isFault && !context.hasChanges)
    }
  }

  @Test(arguments: Arrangement.all)
  func `a fault without a row throws error 133000 if shouldDeleteInaccessibleFaults is false`(
    arrangement: Arrangement
  ) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { $0.insertBook("Emma") }
    let context = chain.leaf
    context.shouldDeleteInaccessibleFaults = false
    let objectID = try #require(try context.performAndWait { try context.fetchObjectIDs(.books()) }.first)
    try stack.seed { context in for book in (try? context.books()) ?? [] { context.delete(book) } }
    context.performAndWait {
      let book = context.object(with: objectID)
      let error = #expect(throws: PersistenceError.self) { try book.fulfillFault() }
      #expect(error?.code == .referentialIntegrity && error?.objectIDs == [objectID])
      #expect(book.isFault && !book.isDeleted)
    }
  }

  @Test func `reading a fault without a row stops the process if shouldDeleteInaccessibleFaults is false`()
    async throws
  {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Stack().context()
      context.shouldDeleteInaccessibleFaults = false
      context.performAndWait { _ = context.object(with: ObjectID(entity: Book.entity.index, key: 7)).title }
    }
    try expectSentence("the fault of Book 7 could not be fulfilled", from: result)
    try expectSentence("133000", from: result)
  }

  @Test func `firing a fault in a child fires one fault at each level`() throws {
    let stack = try Stack()
    try stack.seed { for number in 0..<4 { $0.insertBook("Book \(number)") } }
    let chain = stack.chain(2)
    let fired = try stack.count(.faultFired) {
      try chain.leaf.performAndWait { for book in try chain.leaf.books() { _ = book.title } }
    }
    #expect(fired == 12)
    // Each level has released its objects, so that a second round would fire their faults again.
    let isEmpty = chain.root.performAndWait { chain.root.registeredObjects.isEmpty }
    #expect(isEmpty)
  }

  @Test func `a related object is a fault until it is read`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma", author: $0.insertAuthor("Jane")) }
    let context = stack.context()
    try context.performAndWait {
      let emma = try #require(try context.books().first)
      let jane = try #require(emma.related(Book.author))
      #expect(jane.isFault)
      stack.expectStatements(1) { #expect(jane[Author.name] == "Jane") }
    }
  }
}
