import ContextEngine
import TestSupport
import Testing

@Suite(.onBothStores, .namingTheStore) struct MergingTests {
  /// Runs `body` and a save in a context and returns the did-save.
  private func save(
    _ context: ManagedObjectContext, _ body: (ManagedObjectContext) throws -> Void
  ) throws -> SaveNotification {
    let journal = Journal<SaveNotification>()
    let token = context.observeDidSave { journal.write($0) }
    defer { token.cancel() }
    try context.performAndWait {
      try body(context)
      try context.save()
    }
    return try #require(journal.entries.first)
  }

  private func merge(_ save: SaveNotification, into context: ManagedObjectContext) {
    context.performAndWait { context.mergeChanges(fromContextDidSave: save) }
  }

  @Test func `merged insertions become registered faults that fire from the row cache`() throws {
    let stack = try Stack()
    let main = stack.context("main")
    let news = try save(stack.context("worker")) { $0.insertBook("Emma") }
    stack.expectStatements(0) {
      main.performAndWait {
        main.mergeChanges(fromContextDidSave: news)
        let books = main.registeredObjects
        #expect(books.map(\.objectID) == news.insertedIDs && books.allSatisfy { $0.isFault })
        #expect(books.map(\.title) == ["Emma"])
      }
    }
  }

  @Test func `a merge refreshes realised objects only, without SQL`() throws {
    let stack = try Stack()
    try stack.seed { for number in 0..<9 { $0.insertBook("Book \(number)", year: 1800) } }
    let main = stack.context("main")
    let held = try main.performAndWait { Array(try main.books().prefix(6)) }
    main.performAndWait { for book in held.prefix(4) { _ = book.title } }
    let news = try save(stack.context("worker")) { for book in try $0.books() { book[Book.year] = 1900 } }
    stack.expectStatements(0) { merge(news, into: main) }
    #expect(stack.ledger.count(.changeMergedRealised) == 4)
    #expect(stack.ledger.count(.changeMergedFault) == 2)
    #expect(stack.ledger.count(.changeMergedUnregistered) == 3)
    main.performAndWait {
      #expect(held.prefix(4).allSatisfy { $0[Book.year] == 1900 && $0.version == 2 })
      #expect(held.suffix(2).allSatisfy { $0.isFault })
    }
  }

  @Test func `a merge keeps local changes, which then save without a conflict`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma", year: 1815) }
    let main = stack.context("main")
    let book = try main.performAndWait {
      let book = try #require(try main.book("Emma"))
      book[Book.note] = "mine"
      return book
    }
    let news = try save(stack.context("worker")) { context in
      let book = try #require(try context.book("Emma"))
      book[Book.note] = "theirs"
      book[Book.year] = 1816
    }
    merge(news, into: main)
    try main.performAndWait {
      #expect(book[Book.note] == "mine" && book[Book.year] == 1816 && book.isUpdated)
      try main.save()
      #expect(book.version == 3)
    }
  }

  @Test func `a merged deletion leaves deletedObjects empty`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma") }
    let main = stack.context("main")
    let emma = try main.performAndWait {
      let emma = try #require(try main.book("Emma"))
      emma[Book.note] = "changed"
      return emma
    }
    let deletion = try save(stack.context("worker")) { $0.delete(try #require(try $0.book("Emma"))) }
    try main.performAndWait {
      main.mergeChanges(fromContextDidSave: deletion)
      #expect(emma.isDeleted && main.deletedObjects.isEmpty && main.updatedObjects.isEmpty && !main.hasChanges)
      _ = try stack.expectStatements(0) { try main.save() }
    }
  }

  @Test func `a merge deletes an object despite its local changes`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma") }
    let main = stack.context("main")
    let book = try main.performAndWait {
      let book = try #require(try main.book("Emma"))
      book[Book.note] = "mine"
      return book
    }
    let news = try save(stack.context("worker")) { $0.delete(try #require(try $0.book("Emma"))) }
    merge(news, into: main)
    try main.performAndWait {
      #expect(book.isDeleted && !main.hasChanges)
      try main.save()
    }
  }

  @Test func `a merge updates both ends of a relationship`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma", author: $0.insertAuthor("Jane")) }
    let main = stack.context("main")
    let (jane, emma) = try main.performAndWait {
      let emma = try #require(try main.book("Emma"))
      let jane = try #require(emma.related(Book.author))
      #expect(jane.relatedObjects(Author.books) == [emma] && jane[Author.name] == "Jane")
      return (jane, emma)
    }
    let news = try save(stack.context("worker")) { context in
      let jane = try #require(try context.fetch(FetchRequest(Author.entity)).first)
      context.insertBook("Persuasion", author: jane)
      try #require(try context.book("Emma")).relate(nil, at: Book.author)
    }
    merge(news, into: main)
    main.performAndWait {
      #expect(jane.relatedObjects(Author.books).map(\.title) == ["Persuasion"])
      #expect(emma.related(Book.author) == nil)
    }
  }

  @Test func `a child merges its parent's save into objects with temporary IDs`() throws {
    let stack = try Stack()
    let chain = stack.chain(1)
    let (emma, persuasion) = chain.leaf.performAndWait {
      (chain.leaf.insertBook("Emma"), chain.leaf.insertBook("Persuasion"))
    }
    try chain.saveAll()
    let news = try save(chain.root) { root in
      try #require(try root.book("Emma"))[Book.year] = 1815
      root.delete(try #require(try root.book("Persuasion")))
      root.insertBook("Sanditon")
    }
    merge(news, into: chain.leaf)
    try chain.leaf.performAndWait {
      #expect(emma[Book.year] == 1815 && persuasion.isDeleted)
      let titles = try chain.leaf.titles()
      #expect(titles == ["Emma", "Sanditon"])
    }
  }

  @Test func `automatic merging from a coordinator merges other contexts' saves in a later block`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma") }
    let main = stack.context("main")
    let held = try main.performAndWait {
      main.automaticallyMergesChangesFromParent = true
      let books = try main.books()
      _ = books[0].title
      return books
    }
    try main.performAndWait {
      try stack.seed { context in (try? context.books())?.first?[Book.note] = "changed" }
      #expect(held[0][Book.note] == .null)
    }
    drain(main)
    main.performAndWait { #expect(held[0][Book.note] == "changed") }
    // The context does not merge its own saves, and merges no saves once automatic merging is off.
    try main.performAndWait {
      held[0][Book.note] = "own"
      try main.save()
    }
    drain(main)
    #expect(stack.ledger.count(.changeMergedRealised) == 1)
    main.performAndWait { main.automaticallyMergesChangesFromParent = false }
    try stack.seed { context in (try? context.books())?.first?[Book.note] = "again" }
    drain(main)
    main.performAndWait { #expect(held[0][Book.note] == "own") }
  }

  @Test func `automatic merging from a parent merges that parent's saves only`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma") }
    let root = stack.context("root")
    let main = ManagedObjectContext(.privateQueue, parent: root, name: "main")
    let worker = ManagedObjectContext(.privateQueue, parent: root, name: "worker")
    let held = try main.performAndWait {
      main.automaticallyMergesChangesFromParent = true
      let book = try #require(try main.books().first)
      _ = book.title
      return book
    }
    try worker.performAndWait {
      try #require(try worker.books().first)[Book.note] = "changed"
      try worker.save()
    }
    drain(main)
    main.performAndWait { #expect(held[Book.note] == .null) }
    try root.performAndWait { try root.save() }
    drain(main)
    main.performAndWait { #expect(held[Book.note] == "changed") }
    try stack.seed { context in (try? context.books())?.first?[Book.note] = "beside" }
    drain(main)
    main.performAndWait { #expect(held[Book.note] == "changed") }
  }

  @Test func `a deallocated context merges no changes`() throws {
    let stack = try Stack()
    do {
      let main = stack.context("main")
      main.performAndWait { main.automaticallyMergesChangesFromParent = true }
    }
    let performs = try stack.count(.perform) { try stack.seed { $0.insertBook("Emma") } }
    #expect(performs == 0)
  }
}
