import ContextEngine
import TestSupport
import Testing

@Suite(.onBothStores, .namingTheStore) struct FetchingTests {
  @Test(arguments: Arrangement.all)
  func `objects are sorted by all sort descriptors, with null first`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { context in
      for (title, year) in [("B", 2), ("A", 2), ("b", 1), ("é", nil), ("A", 1), ("", 3)] as [(String, Int64?)] {
        context.insertBook(title, year: year)
      }
    }
    try chain.leaf.performAndWait {
      let ascending = try chain.leaf.books().map { "\($0.title)\($0[Book.year] == .null ? "" : "+")" }
      #expect(ascending == ["+", "A+", "A+", "B+", "b+", "é"])
      let request = FetchRequest(
        Book.entity,
        sortDescriptors: [FetchSortDescriptor(Book.year, isAscending: false), FetchSortDescriptor(Book.title)])
      #expect(try chain.leaf.fetch(request).map(\.title) == ["", "A", "B", "A", "b", "é"])
    }
  }

  @Test(arguments: Arrangement.all)
  func `a fetch includes unsaved changes of its own context and all parents only`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { context in
      for number in 0..<9 { context.insertBook("Seed \(number)", year: 1900) }
    }
    var expected: [[String]] = []
    var titles = (0..<9).map { "Seed \($0)" }
    for (level, context) in chain.contexts.enumerated() {
      try context.performAndWait {
        context.insertBook("New \(level)", year: 1900)
        let moved = try #require(try context.book("Seed \(level * 3)"))
        moved[Book.title] = .string("Moved \(level)")
        let gone = try #require(try context.book("Seed \(level * 3 + 1)"))
        context.delete(gone)
        let leaving = try #require(try context.book("Seed \(level * 3 + 2)"))
        leaving[Book.year] = 2000
      }
      titles.removeAll {
        $0.hasPrefix("Seed \(level * 3)") || $0 == "Seed \(level * 3 + 1)" || $0 == "Seed \(level * 3 + 2)"
      }
      titles += ["New \(level)", "Moved \(level)"]
      expected.append(titles.sorted())
    }
    for (level, context) in chain.contexts.enumerated() {
      try context.performAndWait {
        let predicate = FetchPredicate.equal(Book.year, 1900)
        let found = try context.books(where: predicate)
        #expect(found.map(\.title) == expected[level])
        let objectIDs = try context.fetchObjectIDs(.books(where: predicate))
        #expect(objectIDs == found.map(\.objectID))
        var batched = FetchRequest.books(where: predicate)
        batched.fetchBatchSize = 2
        context.ignoresBatchSizeBelowContext = false
        let list = try context.fetch(batched)
        #expect(list.map(\.objectID) == objectIDs && Array(list) == found)
        var unsorted = FetchRequest(Book.entity, predicate: predicate)
        #expect(try context.fetch(unsorted).map(\.title).sorted() == expected[level])
        unsorted.fetchBatchSize = 3
        #expect(try context.fetch(unsorted).map(\.title).sorted() == expected[level])
      }
    }
  }

  @Test func `a fetch without pending changes returns the saved objects`() throws {
    let stack = try Stack()
    try stack.seed { context in for title in ["Emma", "Persuasion"] { context.insertBook(title) } }
    let context = stack.context()
    try context.performAndWait {
      context.insertBook("New")
      context.delete(try #require(try context.book("Emma")))
      var request = FetchRequest.books()
      request.includesPendingChanges = false
      #expect(try context.fetchObjectIDs(request).map(\.key) == [1, 2])
    }
  }

  @Test func `a batched fetch selects keys first and loads one batch of rows on access`() throws {
    let stack = try Stack()
    try stack.seed { context in for number in 0..<25 { context.insertBook("Book \(10 + number)") } }
    let context = stack.context()
    try context.performAndWait {
      var request = FetchRequest.books()
      request.fetchBatchSize = 10
      var list = try context.fetch(FetchRequest(Author.entity))
      let first = try stack.expectStatements(1) { list = try context.fetch(request) }
      if stack.hasSQL { #expect(first[0].hasPrefix("SELECT 0, t0.Z_PK FROM")) }
      #expect(list.count == 25 && list.loadedCount == 0)
      #expect(context.registeredObjects.isEmpty)
      let second = stack.expectStatements(1) { for position in 10..<20 { _ = list[position].title } }
      if stack.hasSQL { #expect(second[0].contains("t0.Z_PK IN")) }
      #expect(list.loadedCount == 10)
      stack.expectStatements(1) { #expect(list[24].title == "Book 34") }
      stack.expectStatements(1) { #expect(list.map(\.title).count == 25) }
      #expect(list.loadedCount == 25)
    }
  }

  @Test func `all batches of a list that are not loaded can be loaded at once`() throws {
    let stack = try Stack()
    try stack.seed { context in for number in (0..<1_100).reversed() { context.insertBook("Book \(10_000 + number)") } }
    let context = stack.context()
    try context.performAndWait {
      var request = FetchRequest.books()
      request.fetchBatchSize = 10
      let list = try context.fetch(request)
      _ = list[15]
      stack.expectStatements(2) { list.loadAll() }
      #expect(list.loadedCount == 1_100)
      stack.expectStatements(0) { #expect(list.map(\.title) == (10_000..<11_100).map { "Book \($0)" }) }
    }
  }

  @Test func `a batched fetch of some properties loads partial objects`() throws {
    let stack = try Stack()
    try stack.seed { context in for number in 0..<4 { context.insertBook("Book \(number)", year: 1900) } }
    let context = stack.context()
    try context.performAndWait {
      var request = FetchRequest.books()
      request.fetchBatchSize = 2
      request.propertiesToFetch = [Book.title]
      let list = try context.fetch(request)
      stack.expectStatements(1) { #expect(list[0].title == "Book 0" && list[1].title == "Book 1") }
      stack.expectStatements(1) { #expect(list[1][Book.year] == 1900) }
    }
  }

  @Test func `a child context ignores the batch size unless ignoresBatchSizeBelowContext is false`() throws {
    let stack = try Stack()
    try stack.seed { context in for number in 0..<25 { context.insertBook("Book \(10 + number)") } }
    let chain = stack.chain(1)
    let child = chain.leaf
    try child.performAndWait {
      var request = FetchRequest.books()
      request.fetchBatchSize = 10
      var loaded = 0
      let whole = try stack.expectStatements(1) { loaded = try child.fetch(request).loadedCount }
      #expect(loaded == 25)
      if stack.hasSQL { #expect(whole[0].contains("ZTITLE") && !whole[0].contains("LIMIT")) }
      child.ignoresBatchSizeBelowContext = false
      child.reset()
      let list = try child.fetch(request)
      #expect(list.loadedCount == 0)
      stack.expectStatements(1) { for position in 0..<10 { _ = list[position].title } }
      #expect(list.loadedCount == 10)
    }
  }

  @Test func `a fault of a batch whose row is deleted becomes a deleted object`() throws {
    let stack = try Stack()
    try stack.seed { context in for number in 0..<4 { context.insertBook("Book \(number)") } }
    let context = stack.context()
    try context.performAndWait {
      var request = FetchRequest.books()
      request.fetchBatchSize = 2
      let list = try context.fetch(request)
      try stack.seed { context in if let book = try? context.book("Book 1") { context.delete(book) } }
      #expect(list[0].title == "Book 0" && !list[1].isDeleted)
      #expect(list[1][Book.title] == .null && list[1].isDeleted)
    }
  }

  @Test func `a fetch keeps the values of registered objects`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma", year: 1815) }
    let context = stack.context()
    try context.performAndWait {
      let book = try #require(try context.books().first)
      #expect(book[Book.year] == 1815)
      try stack.seed { context in (try? context.books())?.first?[Book.year] = 1816 }
      #expect(try context.books() == [book])
      #expect(book[Book.year] == 1815)
    }
  }

  @Test func `a fetch by a thousand keys is one SELECT`() throws {
    let stack = try Stack()
    try stack.seed { context in for number in 0..<1000 { context.insertBook("Book \(number)", year: Int64(number)) } }
    let context = stack.context()
    try context.performAndWait {
      let predicate = FetchPredicate.isIn(Book.year, (500..<1500).map { .integer($0) })
      var found = 0
      try stack.expectStatements(1) { found = try context.books(where: predicate).count }
      #expect(found == 500)
    }
  }

  @Test func `a failed fetch throws an error with the store's path`() throws {
    let stack = try Stack()
    let context = stack.context()
    try stack.store.close()
    context.performAndWait {
      let error = #expect(throws: PersistenceError.self) { try context.books() }
      #expect(error?.code == .storeOpen && error?.path == (stack.hasSQL ? stack.folder.storePath : nil))
    }
  }
}
