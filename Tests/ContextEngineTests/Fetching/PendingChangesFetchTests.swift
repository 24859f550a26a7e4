import ContextEngine
import TestSupport
import Testing

/// Unsaved changes and a filtered fetch, in every result type.
///
/// Origin: FreeCoreData's suite of pending-change fetches. The store has alpha (22), bravo (25) and charlie (10).
/// Unsaved changes set alpha to 5 and charlie to 21, delete bravo, and insert delta (30) and echo (40). The request
/// asks for values above 20. That suite saw Apple's framework leave the order of IDs or the cut of a limit open; here
/// they follow the merged result (`DivergencesFromCoreData.md`).
@Suite(.onBothStores, .namingTheStore) struct PendingChangesFetchTests {
  private static let isAbove20 = FetchPredicate.comparison(Book.year, .greater, 20)

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
  func `a fetch evaluates its predicate on unsaved values`(arrangement: Arrangement) throws {
    let (chain, request) = try dirty(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      let found = try context.fetch(request)
      #expect(found.map { $0.title } == ["charlie", "delta", "echo"])
      #expect(found[0][Book.year] == 21)
    }
  }

  @Test(arguments: Arrangement.all)
  func `a fetch without pending changes returns saved matches with their unsaved values`(
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
  func `a fetch of object IDs includes unsaved objects under temporary IDs`(arrangement: Arrangement) throws {
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
  func `a count includes unsaved changes, and dictionaries contain saved values only`(arrangement: Arrangement) throws {
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
  func `sort order, offset and limit apply to saved and unsaved objects together`(arrangement: Arrangement) throws {
    let (chain, _) = try dirty(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      context.ignoresFetchOffsetBelowContext = false
      var request = FetchRequest(Book.entity, sortDescriptors: [FetchSortDescriptor(Book.year)])
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

  @Test func `a to-one relationship in a dictionary is an object ID, and a to-many throws`() throws {
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

  /// This scenario of the original suite was also observed on Apple's framework: an unsaved object of a subentity
  /// matches a fetch of its superentity, unless subentities are excluded.
  @Test(arguments: Arrangement.all)
  func `an unsaved object matches a fetch of its superentity if subentities are included`(
    arrangement: Arrangement
  ) throws {
    let (stack, chain) = try arrangement.makeStack(model: Zoo.model)
    try stack.seed { context in
      context.insertAnimal(Zoo.mammal, "Bear")
      context.insertAnimal(Zoo.whale, "Orca")
    }
    let context = chain.leaf
    try context.performAndWait {
      context.insertAnimal(Zoo.whale, "Beluga")
      try #require(try context.animal("Bear"))[Zoo.name] = "Brown bear"
      #expect(try context.animals(Zoo.mammal) == ["Whale Beluga", "Mammal Brown bear", "Whale Orca"])
      #expect(try context.animals(Zoo.mammal, includesSubentities: false) == ["Mammal Brown bear"])
      var request = FetchRequest(Zoo.mammal)
      #expect(try context.count(for: request) == 3)
      request.includesSubentities = false
      #expect(try context.count(for: request) == 1)
    }
  }

  /// This scenario is from the original suite: saved objects are faults, or have their values if the request asks for
  /// that. Unsaved objects are never faults.
  @Test(arguments: Arrangement.all)
  func `returnsObjectsAsFaults applies to saved objects only`(arrangement: Arrangement) throws {
    for returnsFaults in [true, false] {
      let (stack, chain) = try arrangement.makeStack()
      try stack.seed { context in for title in ["alpha", "bravo"] { context.insertBook(title) } }
      let context = chain.leaf
      try context.performAndWait {
        context.insertBook("charlie")
        // The request has no sort order, because placing an unsaved object realises the objects that it is compared
        // with.
        var request = FetchRequest(Book.entity)
        request.returnsObjectsAsFaults = returnsFaults
        let found = try context.fetch(request)
        let isFault = found.map { $0.isFault }
        #expect(isFault == [returnsFaults, returnsFaults, false])
      }
    }
  }

  /// This scenario is from the original suite: an aggregate over a relationship counts every related object, including
  /// those with equal values, and an object without related objects has a row too.
  @Test func `an aggregate over a to-many relationship counts every related object`() throws {
    let stack = try Stack()
    try stack.seed { context in
      let (austen, woolf) = (context.insertAuthor("Austen"), context.insertAuthor("Woolf"))
      context.insertAuthor("Empty")
      context.insertBook("alpha", year: 10, author: austen)
      context.insertBook("bravo", year: 10, author: austen)
      context.insertBook("charlie", year: 25, author: woolf)
    }
    try stack.inStore { context in
      var request = FetchRequest(Author.entity, sortDescriptors: [FetchSortDescriptor(Author.name)])
      request.propertiesToFetch = [Author.name]
      request.expressionsToFetch = [
        ExpressionDescription("books", content: .value(.count(Author.books))),
        ExpressionDescription(
          "years", content: .value(.aggregate(.init(.sum, of: PropertyKeyPath(Author.books, Book.year))))),
      ]
      let rows = try context.fetchDictionaries(request)
      #expect(rows.map { $0.values } == [["Austen", 2, 20], ["Empty", 0, 0], ["Woolf", 1, 25]])
    }
  }
}
