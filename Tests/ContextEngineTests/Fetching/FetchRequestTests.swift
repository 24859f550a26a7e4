import ContextEngine
import TestSupport
import Testing

/// Tests of the options of a fetch request other than its predicate and sort order.
@Suite(.onBothStores, .namingTheStore) struct FetchRequestTests {
  private func seeded(_ arrangement: Arrangement) throws -> (Stack, Chain) {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { context in
      let authors = ["Austen", "brontë", "Brontë", "Zola"].map { context.insertAuthor($0) }
      for number in 0..<12 {
        let book = context.insertBook(
          "Book \(10 + number)", year: Int64(number % 4), author: number == 11 ? nil : authors[number % 4])
        book[Book.price] = .double(Double(number))
      }
    }
    return (stack, chain)
  }

  private func numbers(_ objects: some Sequence<ManagedObject>) -> [Int] {
    objects.map { Int($0.title.dropFirst(5)) ?? -1 }
  }

  @Test(arguments: Arrangement.all)
  func `the fetch limit applies after unsaved changes of every level`(arrangement: Arrangement) throws {
    let (_, chain) = try seeded(arrangement)
    var expected = Array(10..<22)
    for (level, context) in chain.contexts.enumerated() {
      try context.performAndWait {
        // One object is deleted at the front, one moves to the front, and one is inserted in the middle.
        context.delete(try #require(try context.book("Book \(expected[1])")))
        try #require(try context.book("Book \(expected[expected.count - 1])"))[Book.title] = .string(
          "Book \(5 - level)")
        context.insertBook("Book 1\(5 - level)")
      }
      expected.remove(at: 1)
      expected.removeLast()
      expected = ([5 - level, 15 - level] + expected).sorted()
      try context.performAndWait {
        for limit in [1, 2, 5, 20] {
          var request = FetchRequest.books()
          request.fetchLimit = limit
          let found = try context.fetch(request)
          #expect(found.count == min(limit, expected.count))
          #expect(Set(numbers(found)).isSubset(of: Set(expected)))
          #expect(try context.fetchObjectIDs(request) == found.map(\.objectID))
          #expect(try context.count(for: request) == found.count)
          request.fetchBatchSize = 2
          #expect(Array(try context.fetch(request)) == Array(found))
        }
        let all = try context.fetch(FetchRequest.books())
        #expect(try context.count(for: .books()) == all.count)
        var request = FetchRequest.books()
        request.fetchLimit = 4
        #expect(Array(try context.fetch(request)) == Array(all.prefix(4)))
      }
    }
  }

  @Test(arguments: Arrangement.all)
  func `an offset skips objects unless a child context ignores it`(arrangement: Arrangement) throws {
    let (_, chain) = try seeded(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      context.insertBook("Book 00")
      context.delete(try #require(try context.book("Book 11")))
      var request = FetchRequest.books()
      request.fetchOffset = 2
      request.fetchLimit = 3
      let fromStart = [0, 10, 12]
      let passedOver = [12, 13, 14]
      #expect(numbers(try context.fetch(request)) == (arrangement.depth == 0 ? passedOver : fromStart))
      context.ignoresFetchOffsetBelowContext = false
      #expect(numbers(try context.fetch(request)) == passedOver)
      request.fetchOffset = 11
      #expect(numbers(try context.fetch(request)) == [21])
      #expect(try context.count(for: request) == 1)
    }
  }

  @Test func `limit and offset are part of the SELECT if no changes are pending`() throws {
    let (stack, _) = try seeded(Arrangement(depth: 0, poolSize: 1))
    let context = stack.context()
    try context.performAndWait {
      var request = FetchRequest.books()
      request.fetchLimit = 3
      request.fetchOffset = 4
      var found: [Int] = []
      let statements = try stack.expectStatements(1) { found = numbers(try context.fetch(request)) }
      #expect(found == [14, 15, 16])
      if stack.hasSQL { #expect(statements[0].hasSuffix("LIMIT ? OFFSET ?")) }
      #expect(context.registeredObjects.count == 3)
    }
  }

  @Test(arguments: Arrangement.all)
  func `a count includes unsaved changes of every level and reads no rows`(arrangement: Arrangement) throws {
    let (stack, chain) = try seeded(arrangement)
    let isEarly = FetchPredicate.comparison(Book.year, .less, 2)
    var expected = 6
    for context in chain.contexts {
      try context.performAndWait {
        context.insertBook("New", year: 0)
        context.insertBook("Late", year: 3)
        let matching = try context.books(where: isEarly)
        matching[0][Book.year] = 9
        context.delete(matching[1])
        try #require(try context.books(where: .equal(Book.year, 3)).first)[Book.year] = 1
        expected += 1 - 2 + 1
        let request = FetchRequest(Book.entity, predicate: isEarly)
        var count = 0
        let statements = try stack.expectStatements(1) { count = try context.count(for: request) }
        #expect(count == expected)
        #expect(try context.fetch(request).count == expected)
        if stack.hasSQL { #expect(statements[0].hasPrefix("SELECT COUNT(*) FROM ZBOOK t0 WHERE")) }
        var saved = request
        saved.includesPendingChanges = false
        if context.parent == nil { #expect(try context.count(for: saved) == 6) }
      }
    }
  }

  @Test func `includesPropertyValues false fetches faults, each of which fires with one SELECT`() throws {
    let (stack, _) = try seeded(Arrangement(depth: 0, poolSize: 1))
    let context = stack.context()
    try context.performAndWait {
      var request = FetchRequest.books()
      request.includesPropertyValues = false
      var books: [ManagedObject] = []
      try stack.expectStatements(1) { books = Array(try context.fetch(request)) }
      #expect(books.allSatisfy { $0.isFault })
      stack.expectStatements(1) { #expect(books[0].title == "Book 10") }
    }
  }

  @Test(arguments: Arrangement.all)
  func `shouldRefreshRefetchedObjects updates realised objects and keeps local changes`(
    arrangement: Arrangement
  ) throws {
    let (stack, chain) = try seeded(arrangement)
    let context = chain.leaf
    // The other stack has its own coordinator, so that the row cache here keeps the old row.
    let other = try Stack(on: stack.folder)
    let book = try context.performAndWait {
      let book = try #require(try context.book("Book 10"))
      #expect(book[Book.year] == 0)
      book[Book.note] = "mine"
      return book
    }
    try other.seed { context in
      let same = (try? context.book("Book 10")) ?? nil
      same?[Book.year] = 99
      same?[Book.note] = "theirs"
    }
    try context.performAndWait {
      var request = FetchRequest.books(where: .objectIsIn([book.objectID]))
      _ = try context.fetch(request)
      #expect(book[Book.year] == 0)
      request.shouldRefreshRefetchedObjects = true
      _ = try context.fetch(request)
      #expect(book[Book.year] == 99)
      #expect(book[Book.note] == "mine")
    }
  }

  @Test(arguments: Arrangement.all)
  func `objects are sorted along to-one relationships and case-insensitively`(arrangement: Arrangement) throws {
    let (_, chain) = try seeded(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      context.insertBook(
        "Book 30", author: try context.fetch(FetchRequest(Author.entity)).first { $0[Author.name] == "Zola" })
      let name = PropertyKeyPath(Book.author, Author.name)
      func order(_ order: TextOrder, isAscending: Bool = true) throws -> [Int] {
        let sort = [
          FetchSortDescriptor(name, isAscending: isAscending, textOrder: order), FetchSortDescriptor(Book.title),
        ]
        return numbers(try context.fetch(FetchRequest(Book.entity, sortDescriptors: sort)))
      }
      #expect(try order(.literal) == [21, 10, 14, 18, 12, 16, 20, 13, 17, 30, 11, 15, 19])
      #expect(try order(.caseInsensitive) == [21, 10, 14, 18, 11, 12, 15, 16, 19, 20, 13, 17, 30])
      #expect(try order(.localized) == [21, 10, 14, 18, 11, 15, 19, 12, 16, 20, 13, 17, 30])
      #expect(try order(.literal, isAscending: false).first == 11)
    }
  }

  @Test func `localizedStandard sorts numbers in strings by their value`() throws {
    let stack = try Stack()
    try stack.seed { context in for title in ["a10", "a2", "A1", "a02", "b1", "ä3", "a"] { context.insertBook(title) } }
    try stack.inStore { context in
      let sort = [FetchSortDescriptor(Book.title, textOrder: .localizedStandard)]
      let titles = try context.fetch(FetchRequest(Book.entity, sortDescriptors: sort)).map(\.title)
      #expect(titles == ["a", "A1", "a02", "a2", "ä3", "a10", "b1"])
    }
  }

  @Test func `a request that is invalid for its entity throws before any statement`() throws {
    let stack = try Stack()
    let context = stack.context()
    context.performAndWait {
      var limit = FetchRequest(Book.entity)
      limit.fetchLimit = -1
      let sorted = FetchRequest(
        Book.entity, sortDescriptors: [FetchSortDescriptor(PropertyKeyPath(Book.chapters, Chapter.title))])
      let byObject = FetchRequest(
        Book.entity, sortDescriptors: [FetchSortDescriptor(PropertyKeyPath(Book.author, Author.passport))])
      let foreign = FetchRequest(Book.entity, predicate: .text(Chapter.title, .contains, "x"))
      var prefetching = FetchRequest(Book.entity)
      prefetching.relationshipKeyPathsForPrefetching = [PropertyKeyPath(Book.title)]
      stack.expectStatements(0) {
        for request in [limit, sorted, byObject, foreign, prefetching] {
          let error = #expect(throws: PersistenceError.self) { try context.fetch(request) }
          #expect(error?.code == .invalidPredicate)
          #expect(throws: PersistenceError.self) { try context.count(for: request) }
          #expect(throws: PersistenceError.self) { try context.fetchObjectIDs(request) }
        }
      }
    }
  }
}
