import ContextEngine
import MachineCore
import Testing

/// What a fetch request may ask for besides a predicate and an order.
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
  func `a limit cuts what unsaved changes of every level have made of the result`(arrangement: Arrangement) throws {
    let (_, chain) = try seeded(arrangement)
    var expected = Array(10..<22)
    for (level, context) in chain.contexts.enumerated() {
      try context.performAndWait {
        // One goes away at the front, one moves there, one is new in the middle.
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
  func `an offset passes over the first, and a context below another ignores it unless its switch is off`(
    arrangement: Arrangement
  ) throws {
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

  @Test func `limit and offset are part of the SELECT where nothing is unsaved`() throws {
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
  func `a count reads no rows and counts unsaved changes of every level`(arrangement: Arrangement) throws {
    let (stack, chain) = try seeded(arrangement)
    let isEarly = Predicate.comparison(Book.year, .less, 2)
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

  @Test func `a fetch without property values registers faults and reads each row when it fires`() throws {
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
  func `a fetch that refreshes brings realised objects up to date under their local changes`(
    arrangement: Arrangement
  ) throws {
    let (stack, chain) = try seeded(arrangement)
    let context = chain.leaf
    // A coordinator of its own, so that no row cache here hears of what it saves.
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
  func `objects are sorted along to-one relationships and without regard to case`(arrangement: Arrangement) throws {
    let (_, chain) = try seeded(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      context.insertBook(
        "Book 30", author: try context.fetch(FetchRequest(Author.entity)).first { $0[Author.name] == "Zola" })
      let name = PropertyKeyPath(Book.author, Author.name)
      func order(_ order: TextOrder, isAscending: Bool = true) throws -> [Int] {
        let sort = [SortDescriptor(name, isAscending: isAscending, textOrder: order), SortDescriptor(Book.title)]
        return numbers(try context.fetch(FetchRequest(Book.entity, sortDescriptors: sort)))
      }
      #expect(try order(.literal) == [21, 10, 14, 18, 12, 16, 20, 13, 17, 30, 11, 15, 19])
      #expect(try order(.caseInsensitive) == [21, 10, 14, 18, 11, 12, 15, 16, 19, 20, 13, 17, 30])
      #expect(try order(.localized) == [21, 10, 14, 18, 11, 15, 19, 12, 16, 20, 13, 17, 30])
      #expect(try order(.literal, isAscending: false).first == 11)
    }
  }

  @Test func `numbers in a text sort by their size where that is asked for`() throws {
    let stack = try Stack()
    try stack.seed { context in for title in ["a10", "a2", "A1", "a02", "b1", "ä3", "a"] { context.insertBook(title) } }
    try stack.inStore { context in
      let sort = [SortDescriptor(Book.title, textOrder: .localizedStandard)]
      let titles = try context.fetch(FetchRequest(Book.entity, sortDescriptors: sort)).map(\.title)
      #expect(titles == ["a", "A1", "a02", "a2", "ä3", "a10", "b1"])
    }
  }

  @Test func `a request that does not fit its entity is an error before anything is read`() throws {
    let stack = try Stack()
    let context = stack.context()
    context.performAndWait {
      var limit = FetchRequest(Book.entity)
      limit.fetchLimit = -1
      let sorted = FetchRequest(
        Book.entity, sortDescriptors: [SortDescriptor(PropertyKeyPath(Book.chapters, Chapter.title))])
      let byObject = FetchRequest(
        Book.entity, sortDescriptors: [SortDescriptor(PropertyKeyPath(Book.author, Author.passport))])
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

/// Dictionaries in place of objects.
@Suite(.onBothStores, .namingTheStore) struct DictionaryFetchTests {
  private func seeded() throws -> Stack {
    let stack = try Stack()
    try stack.seed { context in
      let authors = ["Austen", "Brontë"].map { context.insertAuthor($0) }
      for number in 0..<9 {
        let book = context.insertBook("Book \(number)", author: number == 8 ? nil : authors[number % 3 == 0 ? 0 : 1])
        book[Book.year] = number % 4 == 3 ? .null : .integer(Int64(number % 4))
        book[Book.price] = .double(Double(number) / 2)
        for _ in 0..<number % 3 { context.insertChapter("Chapter", of: book) }
      }
    }
    return stack
  }

  @Test(arguments: 0...2)
  func `dictionaries have the properties and expressions that are named, from any level`(depth: Int) throws {
    let stack = try seeded()
    let context = stack.chain(depth).leaf
    try context.performAndWait {
      context.insertBook("Unsaved")
      var request = FetchRequest(Book.entity, sortDescriptors: [SortDescriptor(Book.title, isAscending: false)])
      request.propertiesToFetch = [Book.title, Book.year]
      request.expressionsToFetch = [
        ExpressionDescription("writer", PropertyKeyPath(Book.author, Author.name)), .objectID("id"),
        ExpressionDescription("chapters", .value(.count(Book.chapters))),
      ]
      request.fetchLimit = 2
      request.resultType = .dictionaries
      guard case .dictionaries(let rows) = try context.execute(request) else { return }
      #expect(rows.map(\.names) == Array(repeating: ["title", "year", "writer", "id", "chapters"], count: 2))
      #expect(rows[0].values == ["Book 8", 0, .null, .object(ObjectID(entity: Book.entity.index, key: 9)), 2])
      #expect(rows[1]["writer"] == "Brontë" && rows[1]["year"] == .null && rows[1]["none"] == nil)
      #expect(context.registeredObjects.allSatisfy { $0.isInserted })
    }
  }

  @Test func `functions over all rows make one dictionary, also of none`() throws {
    let stack = try seeded()
    try stack.inStore { context in
      var request = FetchRequest(Book.entity)
      request.expressionsToFetch = [
        .count("rows"), ExpressionDescription("years", .count, of: Book.year),
        ExpressionDescription("different", .count, of: Book.year, isDistinct: true),
        ExpressionDescription("total", .sum, of: Book.price), ExpressionDescription("first", .minimum, of: Book.title),
        ExpressionDescription("last", .maximum, of: Book.price), ExpressionDescription("mean", .average, of: Book.year),
      ]
      let all = try context.fetchDictionaries(request)
      #expect(all.map(\.values) == [[9, 7, 3, .double(18), "Book 0", .double(4), .double(6.0 / 7)]])
      request.predicate = .equal(Book.title, "none")
      let none = try context.fetchDictionaries(request)
      #expect(none.map(\.values) == [[0, 0, 0, 0, .null, .null, .null]])
    }
  }

  @Test func `rows are grouped, and groups are left out by a condition on what was made of them`() throws {
    let stack = try seeded()
    try stack.inStore { context in
      let name = PropertyKeyPath(Book.author, Author.name)
      var request = FetchRequest(Book.entity)
      request.expressionsToFetch = [
        ExpressionDescription("writer", name), .count("count"), ExpressionDescription("total", .sum, of: Book.price),
      ]
      request.propertiesToGroupBy = [name]
      #expect(
        try context.fetchDictionaries(request).map(\.values) == [
          [.null, 1, .double(4)], ["Austen", 3, .double(4.5)], ["Brontë", 5, .double(9.5)],
        ])
      request.havingPredicate = try Predicate(
        format: "$count > %d AND author.name != nil", 3, for: Book.entity, in: Library.model)
      #expect(try context.fetchDictionaries(request).map { $0["writer"] } == ["Brontë"])
      request.havingPredicate = nil
      request.sortDescriptors = [SortDescriptor(name, isAscending: false)]
      request.fetchLimit = 2
      #expect(try context.fetchDictionaries(request).map { $0["writer"] } == ["Brontë", "Austen"])
    }
  }

  @Test func `distinct results come once`() throws {
    let stack = try seeded()
    try stack.inStore { context in
      var request = FetchRequest(Book.entity, sortDescriptors: [SortDescriptor(Book.year)])
      request.propertiesToFetch = [Book.year]
      request.returnsDistinctResults = true
      let years = try context.fetchDictionaries(request).map(\.values)
      #expect(years == [[.null], [0], [1], [2]])
    }
  }

  @Test func `columns that a group has many values of, and sums of what is no number, are errors`() throws {
    let stack = try seeded()
    try stack.inStore { context in
      var mixed = FetchRequest(Book.entity)
      mixed.propertiesToFetch = [Book.title]
      mixed.expressionsToFetch = [.count("count")]
      var sum = FetchRequest(Book.entity)
      sum.expressionsToFetch = [ExpressionDescription("sum", .sum, of: Book.title)]
      var having = FetchRequest(Book.entity)
      having.havingPredicate = .constant(true)
      var sorted = FetchRequest(Book.entity, sortDescriptors: [SortDescriptor(Book.title)])
      sorted.expressionsToFetch = [.count("count")]
      for (request, part) in [
        (mixed, "“title” is neither"), (sum, "no numbers"), (having, "group by"), (sorted, "“title”"),
      ] {
        let error = #expect(throws: PersistenceError.self) { try context.fetchDictionaries(request) }
        #expect(error?.code == .invalidPredicate && error?.message.contains(part) == true, "\(error?.message ?? "")")
      }
    }
  }
}
