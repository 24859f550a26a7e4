import ContextEngine
import TestSupport
import Testing

/// Query generations, as Core Data's header describes them.
@Suite struct QueryGenerationTests {
  private func pin(_ context: ManagedObjectContext, _ token: QueryGenerationToken? = .current) throws {
    try context.performAndWait { () throws(PersistenceError) in try context.setQueryGeneration(from: token) }
  }

  private func token(_ context: ManagedObjectContext) -> QueryGenerationToken? {
    context.performAndWait { context.queryGenerationToken }
  }

  /// Commits an insertion, a change and a deletion in a separate context.
  private func writeMore(_ stack: Stack) throws {
    let other = stack.context("other")
    try other.performAndWait {
      let books = try other.books()
      books[0][Book.year] = 1900
      other.delete(books[1])
      other.insertBook("C")
      try other.save()
    }
  }

  private func seed(_ stack: Stack) throws {
    try stack.seed { context in
      context.insertBook("A", year: 1800, author: context.insertAuthor("Jane"))
      context.insertBook("B", year: 1801)
    }
  }

  @Test(arguments: Arrangement.all)
  func `a pinned context and its children read one state despite later commits`(_ arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try seed(stack)
    try pin(chain.root)
    // The first read pins the context, not the call.
    try stack.seed { $0.insertBook("early") }
    #expect(try chain.leaf.titlesAndWait() == ["A", "B", "early"])
    try writeMore(stack)
    #expect(try stack.storedTitles() == ["A", "C", "early"])
    try chain.leaf.performAndWait {
      let books = try chain.leaf.books()
      #expect(books.map(\.title) == ["A", "B", "early"])
      #expect(books.map { $0[Book.year] } == [1800, 1801, .null])
      let jane = try #require(books[0].related(Book.author))
      #expect(jane.relatedObjects(Author.books).map(\.title) == ["A"])
      #expect(try chain.leaf.fetchObjectIDs(.books()).count == 3)
      var request = FetchRequest.books()
      request.fetchBatchSize = 2
      #expect(try chain.leaf.fetch(request).map(\.title) == ["A", "B", "early"])
    }
    #expect(token(chain.leaf) != nil && token(chain.leaf) == token(chain.root))
    try pin(chain.root, nil)
    #expect(try chain.leaf.titlesAndWait() == ["A", "C", "early"] && token(chain.leaf) == nil)
  }

  @Test func `contexts pinned to one token read the same state and share its rows`() throws {
    let stack = try Stack(poolSize: 4)
    try seed(stack)
    let (first, second) = (stack.context("first"), stack.context("second"))
    try pin(first)
    #expect(token(first) == .current)
    #expect(try first.titlesAndWait() == ["A", "B"])
    try writeMore(stack)
    try pin(second, token(first))
    #expect(token(second) == token(first) && token(second) != .current)
    #expect(try second.titlesAndWait() == ["A", "B"])
    // A fault fires from the rows that the other context's fetch has read.
    try first.performAndWait {
      let books = try first.books()
      stack.expectStatements(0) { #expect(books.map { $0[Book.year] } == [1800, 1801]) }
    }
    // Setting the newest token advances the context.
    try pin(second)
    #expect(try second.titlesAndWait() == ["A", "C"] && first.titlesAndWait() == ["A", "B"])
  }

  @Test func `a pinned context moves to the newest state on save, merge or reset`() throws {
    let stack = try Stack(poolSize: 4)
    try seed(stack)
    func pinned(_ name: String) throws -> ManagedObjectContext {
      let context = stack.context(name)
      try pin(context)
      #expect(try context.titlesAndWait() == ["A", "B"])
      return context
    }
    let (saving, merging, remote, resetting, idle) = try (
      pinned("saving"), pinned("merging"), pinned("remote"), pinned("resetting"), pinned("idle")
    )
    let journal = Journal<SaveNotification>()
    let other = stack.context("other")
    _ = other.observeDidSave { [weak journal] in journal?.write($0) }
    try other.performAndWait {
      other.insertBook("C")
      try other.save()
    }
    try saving.performAndWait {
      saving.insertBook("D")
      try saving.save()
    }
    let save = try #require(journal.entries.first)
    merging.performAndWait { merging.mergeChanges(fromContextDidSave: save) }
    try ManagedObjectContext.mergeChanges(fromRemoteContextSave: [.inserted: save.insertedIDs], into: [remote])
    resetting.performAndWait { resetting.reset() }
    for context in [saving, merging, remote, resetting] {
      #expect(try context.titlesAndWait() == ["A", "B", "C", "D"], "\(context.name)")
      // The context is still pinned, to the new generation.
      #expect(token(context) != nil, "\(context.name)")
    }
    #expect(try idle.titlesAndWait() == ["A", "B"])
  }

  @Test func `a batch request keeps the generation of its pinned context`() throws {
    let stack = try Stack(poolSize: 4)
    try seed(stack)
    let context = stack.context()
    try pin(context)
    #expect(try context.titlesAndWait() == ["A", "B"])
    try context.executeAndWait(
      BatchUpdateRequest(Book.entity, propertiesToUpdate: [Book.title: .constant("X")]))
    try context.executeAndWait(BatchDeleteRequest(FetchRequest(Author.entity)))
    #expect(try context.titlesAndWait() == ["A", "B"])
    #expect(try stack.storedTitles() == ["X", "X"])
  }

  @Test func `a new generation keeps realised values, and faults fire from the pinned state`() throws {
    let stack = try Stack(poolSize: 4)
    try seed(stack)
    let context = stack.context()
    try pin(context)
    let books = try context.performAndWait {
      let books = try context.books()
      #expect(books[0][Book.year] == 1800)
      return books
    }
    try writeMore(stack)
    try context.performAndWait {
      // The store no longer has the book's row.
      #expect(books[1][Book.year] == 1801 && !books[1].isDeleted)
      try context.setQueryGeneration(from: .current)
      #expect(books[0][Book.year] == 1800)
      try context.refresh(books[0], mergeChanges: true)
      #expect(books[0][Book.year] == 1900)
    }
  }

  @Test func `saving a change from an old generation throws a conflict`() throws {
    let stack = try Stack(poolSize: 4)
    try seed(stack)
    let context = stack.context()
    try pin(context)
    try context.performAndWait {
      let book = try #require(try context.book("A"))
      try writeMore(stack)
      book[Book.note] = "mine"
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .managedObjectMerge)
      context.mergePolicy = .objectTrump
      try context.save()
      #expect(book[Book.year] == 1900 && book[Book.note] == "mine")
    }
  }

  @Test func `pinning a child, a foreign token or an old token with automatic merging throws`() throws {
    let (stack, other) = try (Stack(poolSize: 4), Stack())
    try seed(stack)
    let chain = stack.chain(1)
    let foreign = other.context("foreign")
    try pin(foreign)
    #expect(try foreign.titlesAndWait().isEmpty)
    let foreignToken = try #require(token(foreign))
    for (context, token) in [(chain.leaf, QueryGenerationToken.current), (chain.root, foreignToken)] {
      let error = #expect(throws: PersistenceError.self) { try pin(context, token) }
      #expect(error?.code == .unsupportedRequest)
    }
    // Automatic merging works with the current generation, and not with an older one.
    let automatic = stack.context("automatic")
    automatic.performAndWait { automatic.automaticallyMergesChangesFromParent = true }
    try pin(automatic)
    try pin(chain.root)
    #expect(try chain.root.titlesAndWait() == ["A", "B"])
    let old = try #require(token(chain.root))
    let error = #expect(throws: PersistenceError.self) { try pin(automatic, old) }
    #expect(error?.code == .unsupportedRequest)
  }

  @Test func `enabling automatic merging in a context pinned to an old token stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(poolSize: 4)
      let (first, second) = (stack.context("first"), stack.context("second"))
      try first.performAndWait {
        try first.setQueryGeneration(from: .current)
        _ = try first.books()
      }
      let token = first.performAndWait { first.queryGenerationToken }
      try second.performAndWait {
        try second.setQueryGeneration(from: token)
        second.automaticallyMergesChangesFromParent = true
      }
    }
    try expectSentence("second is pinned to a generation that is not the current one", from: result)
  }

  @Test func `without a write-ahead log a context stays unpinned without an error`() throws {
    let stack = try Stack(journalMode: .delete)
    try seed(stack)
    let context = stack.context()
    try pin(context)
    #expect(token(context) == nil)
    #expect(try context.titlesAndWait() == ["A", "B"])
    try writeMore(stack)
    #expect(try context.titlesAndWait() == ["A", "C"])
  }

  @Test func `a generation is released with its last context or its store`() throws {
    let stack = try Stack(poolSize: 2)
    try seed(stack)
    let context = stack.context()
    try pin(context)
    #expect(try context.titlesAndWait() == ["A", "B"])
    // The log cannot be truncated while a context holds the generation.
    let reader = try PlainReader(stack)
    try writeMore(stack)
    #expect(try reader.rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.first == "1")
    try pin(context, nil)
    #expect(try reader.rows("PRAGMA wal_checkpoint(TRUNCATE)").first?.first == "0")
    try pin(context)
    #expect(try context.titlesAndWait() == ["A", "C"])
    try stack.store.close()
    let error = #expect(throws: PersistenceError.self) { try context.titlesAndWait() }
    #expect(error?.code == .storeOpen)
    #expect(try PlainReader(stack).rows("SELECT COUNT(*) FROM ZBOOK") == [["2"]])
  }

  @Test func `the footprint counts the rows of a pinned context, even after unpinning`() throws {
    let stack = try Stack()
    try seed(stack)
    let context = stack.context()
    try pin(context)
    let held = try context.performAndWait { try context.books().map { ($0, $0.title) } }
    let expectRecount = {
      #expect(Recount.bytes([context], stack.coordinator) == stack.coordinator.footprint.figures.currentBytes)
    }
    expectRecount()
    try pin(context, nil)
    expectRecount()
    try context.performAndWait {
      held[0].0[Book.year] = 1900
      try context.save()
    }
    expectRecount()
    context.performAndWait { context.reset() }
    expectRecount()
    #expect(held.map(\.1) == ["A", "B"])
  }
}
