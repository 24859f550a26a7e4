import ContextEngine
import MachineCore
import Testing

/// Unsaved edits against a filtered fetch, in every result type.
///
/// Origin: FreeCoreData's suite of pending-change fetches, whose scenario this is: saved are alpha (22), bravo (25) and
/// charlie (10); unsaved, alpha falls to 5, charlie rises to 21, bravo is deleted, delta (30) and echo (40) are new. Asked
/// for is what is above 20. Where that suite saw Apple's framework leave the order of IDs or the cut of a limit open, ours
/// are those of the merged result (`DivergencesFromCoreData.md`).
@Suite(.onBothStores, .namingTheStore) struct PendingChangesFetchTests {
  private static let isAbove20 = Predicate.comparison(Book.year, .greater, 20)

  private func dirty(_ arrangement: Arrangement) throws -> (Chain, request: FetchRequest) {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { context in
      for (title, year) in [("alpha", 22), ("bravo", 25), ("charlie", 10)] as [(String, Int64)] {
        context.insertBook(title, year: year)
      }
    }
    let context = chain.leaf
    try context.performAndWait {
      try #require(try context.book("alpha"))[Book.year] = 5
      try #require(try context.book("charlie"))[Book.year] = 21
      context.delete(try #require(try context.book("bravo")))
      context.insertBook("delta", year: 30)
      context.insertBook("echo", year: 40)
    }
    return (chain, .books(where: Self.isAbove20))
  }

  @Test(arguments: Arrangement.all)
  func `objects that fell out are gone, those that rose or are new are there, with their values in memory`(
    arrangement: Arrangement
  ) throws {
    let (chain, request) = try dirty(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      let found = try context.fetch(request)
      #expect(found.map { $0.title } == ["charlie", "delta", "echo"])
      #expect(found[0][Book.year] == 21)
    }
  }

  @Test(arguments: Arrangement.all)
  func `without pending changes membership is what is saved, and values are still those in memory`(
    arrangement: Arrangement
  ) throws {
    let (chain, asked) = try dirty(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      var request = asked
      request.includesPendingChanges = false
      let found = try context.fetch(request)
      #expect(found.map { $0.title } == ["alpha", "bravo"])
      #expect(found[0][Book.year] == 5)
      #expect(try context.count(for: request) == 2)
    }
  }

  @Test(arguments: Arrangement.all)
  func `IDs have the same members, temporary ones for what is new`(arrangement: Arrangement) throws {
    let (chain, request) = try dirty(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      let objectIDs = try context.fetchObjectIDs(request)
      let isTemporary = objectIDs.map { $0.isTemporaryID }
      #expect(isTemporary == [false, true, true])
      let charlie = try context.book("charlie")?.objectID
      #expect(objectIDs.first == charlie)
    }
  }

  @Test(arguments: Arrangement.all)
  func `a count has the members of the fetch, and dictionaries those of the store`(arrangement: Arrangement) throws {
    let (chain, asked) = try dirty(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      var request = asked
      request.resultType = .count
      guard case .count(let count) = try context.execute(request) else { return }
      #expect(count == 3)
      var dictionaries = request
      dictionaries.propertiesToFetch = [Book.title, Book.year]
      let rows = try context.fetchDictionaries(dictionaries)
      #expect(rows.map { $0.values } == [["alpha", 22], ["bravo", 25]])
    }
  }

  @Test(arguments: Arrangement.all)
  func `order, offset and limit are those of the merged result`(arrangement: Arrangement) throws {
    let (chain, _) = try dirty(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      context.ignoresFetchOffsetBelowContext = false
      var request = FetchRequest(Book.entity, sortDescriptors: [SortDescriptor(Book.year)])
      request.fetchOffset = 1
      request.fetchLimit = 2
      let found = try context.fetch(request)
      #expect(found.map { $0.title } == ["charlie", "delta"])
    }
  }

  @Test func `a dictionary without named properties has every attribute and no relationship`() throws {
    let stack = try Stack()
    try stack.seed { context in context.insertBook("alpha", year: 9, author: context.insertAuthor("Austen")) }
    try stack.inStore { context in
      let rows = try context.fetchDictionaries(FetchRequest(Book.entity))
      #expect(rows.map { $0.names } == [["title", "year", "price", "isRead", "addedAt", "note"]])
      #expect(rows.first?["year"] == 9 && rows.first?["author"] == nil)
    }
  }

  @Test func `a to-one relationship is a column of IDs, a to-many one an error`() throws {
    let stack = try Stack()
    try stack.seed { context in context.insertBook("alpha", author: context.insertAuthor("Austen")) }
    try stack.inStore { context in
      var request = FetchRequest(Book.entity)
      request.propertiesToFetch = [Book.title, Book.author]
      let rows = try context.fetchDictionaries(request)
      #expect(rows.first?["author"] == .object(ObjectID(entity: Author.entity.index, key: 1)))
      request.propertiesToFetch = [Book.chapters]
      let error = #expect(throws: PersistenceError.self) { try context.fetchDictionaries(request) }
      #expect(error?.code == .invalidPredicate)
    }
  }
}
