import ContextEngine
import MachineCore
import TestSupport
import Testing

@Suite(.onBothStores, .namingTheStore) struct AttributeTests {
  @Test(arguments: Arrangement.all)
  func `a new object holds the defaults of its entity and a temporary ID`(arrangement: Arrangement) throws {
    let (_, chain) = try arrangement.makeStack()
    chain.leaf.performAndWait {
      let author = chain.leaf.insert(Author.entity)
      #expect(author[Author.name] == "Anonymous")
      #expect(author[Author.born] == .null)
      #expect(author.related(Author.passport) == nil)
      #expect(author.relatedObjects(Author.books).isEmpty)
      #expect(author.objectID.isTemporaryID)
      #expect(author.isInserted && author.hasChanges && !author.isUpdated && !author.isFault)
    }
  }

  @Test(arguments: Arrangement.all)
  func `a value of each type is read unchanged before and after saves`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    let values: [(String, Value)] = [
      ("title", "Ulysses"), ("year", 1922), ("price", .double(12.5)), ("isRead", .boolean(true)),
      ("addedAt", .date(-1.25)), ("note", .null),
    ]
    let check = { (book: ManagedObject) in
      for (name, value) in values { #expect(book[name] == value && book[Book.entity.path(name)] == value) }
    }
    chain.leaf.performAndWait {
      let book = chain.leaf.insert(Book.entity)
      for (name, value) in values { book[name] = value }
      check(book)
    }
    try chain.saveAll()
    for context in chain.contexts {
      try context.performAndWait { check(try #require(try context.books().first)) }
    }
    try stack.inStore { check(try #require(try $0.books().first)) }
  }

  @Test func `setting an equal value is no change`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma", year: 1815) }
    let context = stack.context()
    try context.performAndWait {
      let book = try #require(try context.book("Emma"))
      book[Book.title] = "Emma"
      book[Book.year] = 1815
      book[Book.note] = .null
      #expect(!book.hasChanges && !context.hasChanges)
      try stack.expectStatements(0) { try context.save() }
      book[Book.year] = 1816
      #expect(book.isUpdated && context.updatedObjects.map(\.objectID) == [book.objectID])
    }
  }

  @Test func `setting a value away and back leaves the object changed`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma") }
    let context = stack.context()
    try context.performAndWait {
      let book = try #require(try context.book("Emma"))
      book[Book.title] = "Persuasion"
      book[Book.title] = "Emma"
      #expect(book.isUpdated)
      try context.save()
      #expect(book.version == 2)
    }
  }

  @Test(arguments: [(Work.Kind.propertySet, 4), (.relationshipSet, 1)])
  func `the ledger counts each attribute set and each link`(_ kind: Work.Kind, _ expected: Int) throws {
    let stack = try Stack()
    let context = stack.context()
    let count = stack.count(kind) {
      context.performAndWait {
        let author = context.insertAuthor("Jane")
        author[Author.name] = "Jane"
        _ = context.insertBook("Emma", year: 1815, author: author)
      }
    }
    #expect(count == expected)
  }

  @Test func `setting a value of another type stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Stack().context()
      context.performAndWait { context.insert(Book.entity)[Book.year] = "1815" }
    }
    try expectSentence("Book.year was set to string(\"1815\"), which is not of its type", from: result)
  }

  @Test func `using a property path of another entity stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Stack().context()
      context.performAndWait { _ = context.insert(Book.entity)[Author.name] }
    }
    try expectSentence("was used on an object of entity Book", from: result)
  }

  @Test func `setting a value without a context logs a warning and is ignored`() async throws {
    let result = await #expect(processExitsWith: .success, observing: [\.standardErrorContent]) {
      let context = try Stack().context()
      context.performAndWait {
        let book = context.insertBook("Emma")
        context.delete(book)
        book[Book.year] = 1815
      }
    }
    try expectSentence("was changed after it was deleted and left its context, which has no effect", from: result)
  }

  @Test func `reading an object after its context's reset stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Stack().context()
      context.performAndWait {
        let book = context.insertBook("Emma")
        context.reset()
        _ = book[Book.title]
      }
    }
    try expectSentence("was used after its context was reset or no longer exists; fetch it again", from: result)
  }

  @Test func `setting a to-many relationship as a value stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Stack().context()
      context.performAndWait { context.insertAuthor("Jane")[Author.books] = .null }
    }
    try expectSentence("Author.books is to-many: set the other end, or use add(_:to:)", from: result)
  }

  @Test func `reading a to-many relationship as a value stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Stack().context()
      context.performAndWait { _ = context.insertAuthor("Jane")[Author.books] }
    }
    try expectSentence("Author.books is to-many; read it by relatedObjects(_:)", from: result)
  }
}
