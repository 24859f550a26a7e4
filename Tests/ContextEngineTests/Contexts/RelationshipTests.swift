import ContextEngine
import TestSupport
import Testing

@Suite(.onBothStores, .namingTheStore) struct RelationshipTests {
  @Test(arguments: Arrangement.all)
  func `setting a to-one relationship updates the to-many relationship`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { context in
      context.insertAuthor("Jane")
      context.insertAuthor("Mary")
      context.insertBook("Emma", author: nil)
    }
    let context = chain.leaf
    try context.performAndWait {
      let authors = Array(try context.fetch(FetchRequest(Author.entity)))
      let emma = try #require(try context.book("Emma"))
      emma.relate(authors[0], at: Book.author)
      #expect(authors[0].relatedObjects(Author.books) == [emma])
      emma[Book.author] = .object(authors[1].objectID)
      #expect(authors[0].relatedObjects(Author.books).isEmpty)
      #expect(authors[1].relatedObjects(Author.books) == [emma])
      #expect(authors.allSatisfy { $0.isUpdated })
    }
    try chain.saveAll()
    try stack.inStore { context in
      let emma = try #require(try context.book("Emma"))
      let mary = try #require(emma.related(Book.author))
      #expect(mary[Author.name] == "Mary")
      #expect(mary.relatedObjects(Author.books) == [emma])
    }
  }

  @Test func `adding to and removing from a to-many relationship sets the to-one relationship`() throws {
    let stack = try Stack()
    let context = stack.context()
    context.performAndWait {
      let jane = context.insertAuthor("Jane")
      let mary = context.insertAuthor("Mary")
      let emma = context.insertBook("Emma")
      jane.add(emma, to: Author.books)
      #expect(emma.related(Book.author) === jane)
      mary.remove(emma, from: Author.books)
      #expect(emma.related(Book.author) === jane)
      jane.remove(emma, from: Author.books)
      #expect(emma.related(Book.author) == nil)
      #expect(jane.relatedObjects(Author.books).isEmpty)
    }
  }

  @Test(arguments: Arrangement.all)
  func `setting a one-to-one relationship updates both ends and clears the former partner`(
    arrangement: Arrangement
  ) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { context in
      for name in ["Jane", "Mary"] {
        let passport = context.insert(Passport.entity)
        passport[Passport.number] = .string(name)
        context.insertAuthor(name).relate(passport, at: Author.passport)
      }
    }
    let context = chain.leaf
    try context.performAndWait {
      let authors = Array(try context.fetch(FetchRequest(Author.entity)))
      let passports = try authors.map { try #require($0.related(Author.passport)) }
      #expect(passports.map { $0.related(Passport.author) } == authors)
      authors[0].relate(passports[1], at: Author.passport)
      #expect(passports[1].related(Passport.author) === authors[0])
      #expect(passports[0].related(Passport.author) == nil)
      #expect(authors[1].related(Author.passport) == nil)
      passports[0].relate(authors[1], at: Passport.author)
      #expect(authors[1].related(Author.passport) === passports[0])
    }
    try chain.saveAll()
    try stack.inStore { context in
      let numbers = try context.fetch(FetchRequest(Author.entity)).map { $0.related(Author.passport)?[Passport.number] }
      #expect(numbers == ["Mary", "Jane"])
    }
  }

  @Test(arguments: Arrangement.all)
  func `a to-many relationship is the same before and after its first read`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { context in
      let jane = context.insertAuthor("Jane")
      for title in ["Emma", "Persuasion", "Sanditon"] { context.insertBook(title, author: jane) }
    }
    for readsFirst in [true, false] {
      let context = chain.leaf
      try context.performAndWait {
        let jane = try #require(try context.fetch(FetchRequest(Author.entity)).first)
        if readsFirst { #expect(jane.relatedObjects(Author.books).count == 3) }
        let lady = context.insertBook("Lady Susan", author: jane)
        try #require(try context.book("Emma")).relate(nil, at: Book.author)
        context.delete(try #require(try context.book("Sanditon")))
        #expect(jane.relatedObjects(Author.books).map(\.title) == ["Persuasion", "Lady Susan"])
        lady.relate(nil, at: Book.author)
        lady.relate(jane, at: Book.author)
        #expect(jane.relatedObjects(Author.books).map(\.title) == ["Persuasion", "Lady Susan"])
        context.rollback()
        #expect(Set(jane.relatedObjects(Author.books).map(\.title)) == ["Emma", "Persuasion", "Sanditon"])
      }
    }
  }

  @Test(arguments: Arrangement.all)
  func `a to-many relationship is read correctly at every level after its objects are saved`(
    arrangement: Arrangement
  ) throws {
    let (stack, chain) = try arrangement.makeStack()
    let context = chain.leaf
    let jane = context.performAndWait { context.insertAuthor("Jane") }
    context.performAndWait { _ = context.insertBook("Emma", author: jane) }
    try chain.saveAll()
    context.performAndWait { _ = context.insertBook("Persuasion", author: jane) }
    try chain.saveAll()
    for level in chain.contexts {
      try level.performAndWait {
        let jane = try #require(try level.fetch(FetchRequest(Author.entity)).first)
        #expect(jane.relatedObjects(Author.books).map(\.title).sorted() == ["Emma", "Persuasion"])
      }
    }
    try context.performAndWait {
      try #require(try context.book("Emma")).relate(nil, at: Book.author)
      #expect(jane.relatedObjects(Author.books).map(\.title) == ["Persuasion"])
    }
    try chain.saveAll()
    try stack.inStore { context in
      let jane = try #require(try context.fetch(FetchRequest(Author.entity)).first)
      #expect(jane.relatedObjects(Author.books).map(\.title) == ["Persuasion"])
    }
  }

  @Test func `adding several books in one save raises the author's version once`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertAuthor("Jane") }
    let context = stack.context()
    try context.performAndWait {
      let jane = try #require(try context.fetch(FetchRequest(Author.entity)).first)
      for title in ["Emma", "Persuasion"] { context.insertBook(title, author: jane) }
      try context.save()
      #expect(jane.version == 2)
    }
  }

  @Test func `the first read of a to-many relationship runs one SELECT`() throws {
    let stack = try Stack()
    try stack.seed { context in
      let jane = context.insertAuthor("Jane")
      for number in 0..<10 { context.insertBook("Book \(number)", author: jane) }
    }
    let context = stack.context()
    try context.performAndWait {
      let jane = try #require(try context.fetch(FetchRequest(Author.entity)).first)
      let first = stack.statements { _ = jane.relatedObjects(Author.books) }
      #expect(first.count == 1)
      stack.expectStatements(0) { _ = jane.relatedObjects(Author.books) }
    }
  }

  @Test func `relating an object of another context stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack()
      let context = stack.context()
      let other = stack.context()
      let jane = other.performAndWait { other.insertAuthor("Jane") }
      context.performAndWait { context.insertBook("Emma").relate(jane, at: Book.author) }
    }
    try expectSentence("Book.author was set to an object of another context; use object(with:)", from: result)
  }

  @Test func `relating an object of another entity stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Stack().context()
      context.performAndWait {
        let emma = context.insertBook("Emma")
        context.insertBook("Persuasion").relate(emma, at: Book.author)
      }
    }
    try expectSentence("Book.author was set to an object of entity Book", from: result)
  }

  @Test func `setting a relationship to a plain value stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Stack().context()
      context.performAndWait { context.insertBook("Emma")[Book.author] = "Jane" }
    }
    try expectSentence("Book.author is a relationship and was set to string(\"Jane\")", from: result)
  }
}

extension ManagedObject: Equatable {
  /// Returns true if both are the same object.
  public static func == (left: ManagedObject, right: ManagedObject) -> Bool { left === right }
}
