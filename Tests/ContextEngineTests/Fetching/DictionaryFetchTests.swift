import ContextEngine
import PredicateFormats
import TestSupport
import Testing

/// Fetches of dictionaries instead of objects.
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
  func `dictionaries contain the requested properties and expressions at any level`(depth: Int) throws {
    let stack = try seeded()
    let context = stack.chain(depth).leaf
    try context.performAndWait {
      context.insertBook("Unsaved")
      var request = FetchRequest(Book.entity, sortDescriptors: [FetchSortDescriptor(Book.title, isAscending: false)])
      request.propertiesToFetch = [Book.title, Book.year]
      request.expressionsToFetch = [
        ExpressionDescription("writer", keyPath: PropertyKeyPath(Book.author, Author.name)), .objectID("id"),
        ExpressionDescription("chapters", content: .value(.count(Book.chapters))),
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

  @Test func `aggregates over all rows return one dictionary, even without rows`() throws {
    let stack = try seeded()
    try stack.inStore { context in
      var request = FetchRequest(Book.entity)
      request.expressionsToFetch = [
        .count("rows"), ExpressionDescription("years", function: .count, of: Book.year),
        ExpressionDescription("different", function: .count, of: Book.year, isDistinct: true),
        ExpressionDescription("total", function: .sum, of: Book.price),
        ExpressionDescription("first", function: .minimum, of: Book.title),
        ExpressionDescription("last", function: .maximum, of: Book.price),
        ExpressionDescription("mean", function: .average, of: Book.year),
      ]
      let all = try context.fetchDictionaries(request)
      #expect(all.map(\.values) == [[9, 7, 3, .double(18), "Book 0", .double(4), .double(6.0 / 7)]])
      request.predicate = .equal(Book.title, "none")
      let none = try context.fetchDictionaries(request)
      #expect(none.map(\.values) == [[0, 0, 0, 0, .null, .null, .null]])
    }
  }

  @Test func `rows are grouped, and havingPredicate filters the groups`() throws {
    let stack = try seeded()
    try stack.inStore { context in
      let name = PropertyKeyPath(Book.author, Author.name)
      var request = FetchRequest(Book.entity)
      request.expressionsToFetch = [
        ExpressionDescription("writer", keyPath: name), .count("count"),
        ExpressionDescription("total", function: .sum, of: Book.price),
      ]
      request.propertiesToGroupBy = [name]
      #expect(
        try context.fetchDictionaries(request).map(\.values) == [
          [.null, 1, .double(4)], ["Austen", 3, .double(4.5)], ["Brontë", 5, .double(9.5)],
        ])
      request.havingPredicate = try FetchPredicate(
        format: "$count > %d AND author.name != nil", 3, for: Book.entity, in: Library.model)
      #expect(try context.fetchDictionaries(request).map { $0["writer"] } == ["Brontë"])
      request.havingPredicate = nil
      request.sortDescriptors = [FetchSortDescriptor(name, isAscending: false)]
      request.fetchLimit = 2
      #expect(try context.fetchDictionaries(request).map { $0["writer"] } == ["Brontë", "Austen"])
    }
  }

  @Test func `returnsDistinctResults removes duplicate dictionaries`() throws {
    let stack = try seeded()
    try stack.inStore { context in
      var request = FetchRequest(Book.entity, sortDescriptors: [FetchSortDescriptor(Book.year)])
      request.propertiesToFetch = [Book.year]
      request.returnsDistinctResults = true
      let years = try context.fetchDictionaries(request).map(\.values)
      #expect(years == [[.null], [0], [1], [2]])
    }
  }

  @Test func `ungrouped properties and sums of non-numbers throw an error`() throws {
    let stack = try seeded()
    try stack.inStore { context in
      var mixed = FetchRequest(Book.entity)
      mixed.propertiesToFetch = [Book.title]
      mixed.expressionsToFetch = [.count("count")]
      var sum = FetchRequest(Book.entity)
      sum.expressionsToFetch = [ExpressionDescription("sum", function: .sum, of: Book.title)]
      var having = FetchRequest(Book.entity)
      having.havingPredicate = .constant(true)
      var sorted = FetchRequest(Book.entity, sortDescriptors: [FetchSortDescriptor(Book.title)])
      sorted.expressionsToFetch = [.count("count")]
      for (request, part) in [
        (mixed, "“title” is neither"), (sum, "not numbers"), (having, "group by"), (sorted, "“title”"),
      ] {
        let error = #expect(throws: PersistenceError.self) { try context.fetchDictionaries(request) }
        #expect(error?.code == .invalidPredicate && error?.message.contains(part) == true, "\(error?.message ?? "")")
      }
    }
  }
}
