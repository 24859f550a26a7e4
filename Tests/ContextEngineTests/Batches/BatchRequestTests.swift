import ContextEngine
import MachineCore
import TestSupport
import Testing

/// Batch requests as the header and the documentation of Core Data describe them: they act on the store and bypass
/// contexts, validation and notifications.
@Suite struct BatchRequestTests {
  private static func dictionaries(_ titles: [String]) -> [[String: Value]] {
    titles.enumerated().map { ["title": .string($1), "year": .integer(Int64(1800 + $0))] }
  }

  // MARK: Inserting

  @Test(arguments: Arrangement.all)
  func `a batch insert writes rows with defaults and posts no notifications`(_ arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    let heard = Journal<String>()
    for context in chain.contexts {
      _ = context.observeDidChange { _ in heard.write("change") }
      _ = context.observeWillSave { _ in heard.write("will save") }
      _ = context.observeDidSave { _ in heard.write("did save") }
    }
    var request = BatchInsertRequest(Book.entity, objects: Self.dictionaries(["Emma", "Persuasion"]))
    request.resultType = .objectIDs
    let result = try chain.leaf.executeAndWait(request)
    #expect(result.objectIDs.map(\.key) == [1, 2] && result.count == 2)
    #expect(heard.entries.isEmpty)
    for context in chain.contexts {
      context.performAndWait { #expect(context.registeredObjects.isEmpty && !context.hasChanges) }
    }
    try chain.leaf.performAndWait {
      let books = try chain.leaf.books()
      #expect(books.map(\.title) == ["Emma", "Persuasion"])
      #expect(books.allSatisfy { $0[Book.isRead] == .boolean(false) && $0[Book.note] == .null && $0.version == 1 })
      #expect(books.map(\.objectID) == result.objectIDs)
    }
    #expect(try stack.storedTitles() == ["Emma", "Persuasion"])
  }

  @Test func `a batch insert takes rows from dictionaries or from a handler`() throws {
    let stack = try Stack()
    let context = stack.context()
    let titles = ["A", "B", "C"]
    var asked = 0
    let byDictionary = BatchInsertRequest(Book.entity) { (dictionary: inout [String: Value]) in
      #expect(dictionary.isEmpty)
      guard asked < titles.count else { return true }
      dictionary["title"] = .string(titles[asked])
      asked += 1
      return false
    }
    var filled = 0
    let byRow = BatchInsertRequest(Book.entity) { (row: inout BatchRow) in
      #expect(row[Book.title] == .null && row[Book.isRead] == .boolean(false))
      guard filled < titles.count else { return true }
      row[Book.title] = .string(titles[filled])
      row[Book.isRead] = .boolean(true)
      filled += 1
      return false
    }
    let byObjects = BatchInsertRequest(Book.entity, objects: titles.map { ["title": .string($0)] })
    #expect(try context.executeAndWait(byObjects) == .status(true))
    #expect(try context.executeAndWait(byDictionary) == .status(true))
    #expect(try context.executeAndWait(byRow) == .status(true))
    #expect(try stack.storedTitles() == ["A", "A", "A", "B", "B", "B", "C", "C", "C"])
    let read = try stack.inStore { try $0.books(where: .equal(Book.isRead, .boolean(true))).map(\.title) }
    #expect(read == titles)
  }

  @Test func `batch inserts and saves reserve keys from one sequence`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("saved first") }
    let context = stack.context()
    var request = BatchInsertRequest(Book.entity, objects: Self.dictionaries(["one", "two"]))
    request.resultType = .objectIDs
    let inserted = try context.executeAndWait(request).objectIDs
    #expect(inserted.map(\.key) == [2, 3])
    try context.performAndWait {
      let book = context.insertBook("saved last")
      try context.save()
      #expect(book.objectID.key == 4)
    }
  }

  @Test func `an unknown attribute or a value of another type throws and writes nothing`() throws {
    let stack = try Stack()
    let context = stack.context()
    let bad: [[String: Value]] = [["titel": "x"], ["title": 5], ["author": .null], ["title": "x", "zzz": 1, "aaa": 1]]
    let named = ["Book.titel", "Book.title", "Book.author", "Book.aaa"]
    for (dictionary, name) in zip(bad, named) {
      let request = BatchInsertRequest(Book.entity, objects: Self.dictionaries(["fine"]) + [dictionary])
      let error = #expect(throws: PersistenceError.self) {
        try context.executeAndWait(request)
      }
      #expect(error?.code == .unsupportedRequest && error?.message.contains(name) == true, "\(name)")
    }
    #expect(try stack.storedTitles().isEmpty)
    // The failed requests leave no gap in the keys.
    var request = BatchInsertRequest(Book.entity, objects: Self.dictionaries(["fine"]))
    request.resultType = .objectIDs
    #expect(try context.executeAndWait(request).objectIDs.map(\.key) == [1])
  }

  @Test func `a batch insert skips validation`() throws {
    let stack = try Stack()
    let context = stack.context()
    let request = BatchInsertRequest(Chapter.entity, objects: [["title": .null]])
    #expect(try context.executeAndWait(request) == .status(true))
    let stored = try stack.inStore { try $0.fetch(FetchRequest(Chapter.entity)).map { $0[Chapter.title] } }
    #expect(stored == [.null])
  }

  @Test func `a batch insert runs one transaction, or one per batchSize rows`() throws {
    let stack = try Stack()
    let context = stack.context()
    func commits(_ rows: Int, batchSize: Int) throws -> Int {
      var request = BatchInsertRequest(Book.entity, objects: Self.dictionaries((0..<rows).map { "\($0)" }))
      request.batchSize = batchSize
      return try stack.count(.commit) { try context.executeAndWait(request) }
    }
    #expect(try commits(1_200, batchSize: 0) == 1)
    #expect(try commits(1_200, batchSize: 600) == 2)
    #expect(try commits(7, batchSize: 3) == 3)
    #expect(try commits(0, batchSize: 0) == 0)
    #expect(stack.ledger.count(.rowWritten) == 2_407)
  }

  @Test func `a failed batch is rolled back, and earlier batches stay`() throws {
    let stack = try Stack()
    let context = stack.context()
    let rows = Self.dictionaries(["1", "2", "3", "4", "5"]) + [["nothing": 1]]
    var request = BatchInsertRequest(Book.entity, objects: rows)
    request.batchSize = 2
    #expect(throws: PersistenceError.self) { try context.executeAndWait(request) }
    #expect(try stack.storedTitles() == ["1", "2", "3", "4"])
  }

  // MARK: Updating

  @Test(arguments: Arrangement.all)
  func `a batch update computes from old values, raises versions and leaves objects unchanged`(
    _ arrangement: Arrangement
  ) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { for year in 0..<6 { $0.insertBook("Book \(year)", year: Int64(1800 + year)) } }
    let held = try chain.leaf.performAndWait { try chain.leaf.books() }
    chain.leaf.performAndWait { for book in held { _ = book.title } }
    var request = BatchUpdateRequest(
      Book.entity, predicate: .comparison(Book.year, .less, 1803),
      propertiesToUpdate: [
        Book.year: .sum(.property(Book.year), .constant(100)), Book.note: .property(Book.title),
        Book.isRead: .constant(.boolean(true)),
      ])
    request.resultType = .objectIDs
    let changed = try chain.leaf.executeAndWait(request).objectIDs
    #expect(changed == held.prefix(3).map(\.objectID))
    chain.leaf.performAndWait {
      #expect(held.allSatisfy { $0[Book.note] == .null && $0.version == 1 })
    }
    // The request bypasses the row cache too. Cached rows stay as they are until the IDs are merged, as Core Data's
    // documentation says.
    #expect(stack.coordinator.cachedVersions(of: changed) == [1, 1, 1])
    let read = try PlainReader(stack).rows("SELECT ZYEAR, ZNOTE, ZISREAD, Z_OPT FROM ZBOOK ORDER BY Z_PK")
    #expect(
      read == [
        ["1900", "Book 0", "1", "2"], ["1901", "Book 1", "1", "2"], ["1902", "Book 2", "1", "2"],
        ["1803", "NULL", "0", "1"], ["1804", "NULL", "0", "1"], ["1805", "NULL", "0", "1"],
      ])
  }

  @Test func `a save with values from before a batch update throws a conflict`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma", year: 1815) }
    let context = stack.context()
    try context.performAndWait {
      let book = try #require(try context.book("Emma"))
      book[Book.note] = "mine"
      let request = BatchUpdateRequest(Book.entity, propertiesToUpdate: [Book.year: .constant(1816)])
      _ = try context.execute(request)
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .managedObjectMerge)
      context.mergePolicy = .objectTrump
      try context.save()
      #expect(book[Book.year] == 1816 && book[Book.note] == "mine" && book.version == 3)
    }
  }

  @Test func `a batch update evaluates arithmetic, and changes no rows without a match`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma", year: 10) }
    let context = stack.context()
    func update(_ expression: UpdateExpression, where predicate: FetchPredicate? = nil) throws -> BatchResult {
      var request = BatchUpdateRequest(
        Book.entity, predicate: predicate, propertiesToUpdate: [Book.year: expression])
      request.resultType = .count
      return try context.executeAndWait(request)
    }
    let year = UpdateExpression.property(Book.year)
    #expect(try update(.difference(.product(year, year), .sum(year, .constant(1)))) == .count(1))
    #expect(try update(.constant(0), where: .equal(Book.title, "nobody")) == .count(0))
    #expect(try stack.inStore { try $0.books().map { $0[Book.year] } } == [89])
  }

  // MARK: Deleting

  private func seedAuthors(_ stack: Stack) throws {
    try stack.seed { context in
      for name in ["Jane", "Mary"] {
        let author = context.insertAuthor(name)
        let passport = context.insert(Passport.entity)
        passport.relate(author, at: Passport.author)
        for number in 1...2 {
          let book = context.insertBook("\(name) \(number)", author: author)
          context.insertChapter("first", of: book)
          context.insertChapter("second", of: book)
        }
      }
    }
  }

  @Test(arguments: Arrangement.all)
  func `a batch delete cascades and nullifies in the tables`(_ arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try seedAuthors(stack)
    var request = BatchDeleteRequest(FetchRequest(Author.entity, predicate: .equal(Author.name, "Jane")))
    request.resultType = .objectIDs
    let deleted = try chain.leaf.executeAndWait(request).objectIDs
    // The request deletes the author and, by cascade, her passport. It does not return the two books whose keys were
    // cleared.
    #expect(deleted.map(\.entityName) == ["Author", "Passport"])
    let reader = try PlainReader(stack)
    #expect(try reader.rows("SELECT ZNAME FROM ZAUTHOR") == [["Mary"]])
    #expect(try reader.rows("SELECT COUNT(*) FROM ZPASSPORT") == [["1"]])
    #expect(
      try reader.rows("SELECT ZAUTHOR IS NULL, Z_OPT FROM ZBOOK ORDER BY Z_PK")
        == [["1", "2"], ["1", "2"], ["0", "1"], ["0", "1"]])

    var books = BatchDeleteRequest(FetchRequest(Book.entity))
    books.resultType = .count
    #expect(try chain.leaf.executeAndWait(books) == .count(4 + 8))
    #expect(try reader.rows("SELECT COUNT(*) FROM ZCHAPTER") == [["0"]])
  }

  @Test func `a batch request for a status or a count is one statement that lists no keys`() throws {
    let stack = try Stack()
    try stack.seed { context in
      for number in 1...5 { context.insertChapter("\(number)", of: context.insertBook("\(number)")) }
    }
    let context = stack.context()
    let late = FetchPredicate.comparison(Chapter.title, .greaterOrEqual, "3")
    var update = BatchUpdateRequest(
      Chapter.entity, predicate: late, propertiesToUpdate: [Chapter.title: .constant("9")])
    update.resultType = .count
    var deletion = BatchDeleteRequest(FetchRequest(Chapter.entity, predicate: late))
    deletion.resultType = .count
    for request in [{ try context.executeAndWait(update) }, { try context.executeAndWait(deletion) }] {
      let kinds: [Work.Kind] = [.batchRowWritten, .rowWritten, .rowStepped, .keyListed]
      let before = kinds.map { stack.ledger.count($0) }
      #expect(try request() == .count(3))
      #expect(zip(kinds, before).map { stack.ledger.count($0) - $1 } == [3, 0, 0, 0])
    }
    let reader = try PlainReader(stack)
    #expect(try reader.rows("SELECT ZTITLE FROM ZCHAPTER ORDER BY Z_PK") == [["1"], ["2"]])
    #expect(try reader.rows("SELECT COUNT(*) FROM ZBOOK") == [["5"]])
  }

  @Test func `a batch delete by IDs skips IDs without rows`() throws {
    let stack = try Stack()
    try stack.seed { for number in 1...4 { $0.insertBook("\(number)") } }
    let context = stack.context()
    try context.performAndWait {
      let books = try context.books()
      let unsaved = context.insertBook("unsaved")
      context.delete(books[0])
      try context.save()
      let other = context.insertBook("other")
      var request = BatchDeleteRequest(
        objectIDs: [books[2], books[0], books[1], books[2]].map(\.objectID) + [other.objectID])
      request.resultType = .objectIDs
      #expect(try context.execute(request).objectIDs == [books[1].objectID, books[2].objectID])
      #expect(!unsaved.isDeleted)
    }
    #expect(try stack.storedTitles() == ["4", "unsaved"])
  }

  @Test func `objects of batch-deleted rows stay readable until the deletion is merged`() throws {
    let stack = try Stack()
    try stack.seed { for number in 1...2 { $0.insertBook("\(number)") } }
    let context = stack.context()
    try context.performAndWait {
      let request = FetchRequest.books()
      let books = Array(try context.fetch(request))
      #expect(books[0].title == "1")
      var deletion = BatchDeleteRequest(request)
      deletion.resultType = .objectIDs
      let deleted = try context.execute(deletion).objectIDs
      // A realised object keeps its values. A fault still finds its row in the row cache.
      #expect(books[0].title == "1" && books[1].title == "2" && !books[1].isDeleted)
      try ManagedObjectContext.mergeChanges(fromRemoteContextSave: [.deleted: deleted], into: [context])
      #expect(books.allSatisfy { $0.isDeleted && $0.managedObjectContext == nil })
      #expect(context.registeredObjects.isEmpty)
    }
  }
}
