import ContextEngine
import TestSupport
import Testing

@Suite(.onBothStores, .namingTheStore) struct DeletionTests {
  /// Saves an author with a passport and two books of two chapters each.
  private func seed(_ stack: Stack) throws {
    try stack.seed { context in
      let jane = context.insertAuthor("Jane")
      jane.relate(context.insert(Passport.entity), at: Author.passport)
      for title in ["Emma", "Persuasion"] {
        let book = context.insertBook(title, author: jane)
        for number in 1...2 { context.insertChapter("\(title) \(number)", of: book) }
      }
    }
  }

  private func counts(_ context: ManagedObjectContext) throws -> [Int] {
    try Library.model.entities.map { try context.fetch(FetchRequest($0)).count }
  }

  @Test(arguments: Arrangement.all)
  func `deleting an object nullifies and cascades at once`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try seed(stack)
    let context = chain.leaf
    try context.performAndWait {
      let jane = try #require(try context.fetch(FetchRequest(Author.entity)).first)
      let books = jane.relatedObjects(Author.books)
      context.delete(jane)
      #expect(jane.isDeleted)
      #expect(books.allSatisfy { $0.related(Book.author) == nil && $0.isUpdated })
      #expect(try counts(context) == [0, 2, 4, 0])
      #expect(context.deletedObjects.map(\.entity.name) == ["Author", "Passport"])
    }
    #expect(try stack.inStore(counts) == [1, 2, 4, 1])
    try chain.saveAll()
    #expect(try stack.inStore(counts) == [0, 2, 4, 0])
    for level in chain.contexts {
      let seen = try level.performAndWait { try counts(level) }
      #expect(seen == [0, 2, 4, 0])
    }
    try stack.inStore { context in
      for book in try context.books() { #expect(book.related(Book.author) == nil) }
    }
  }

  @Test(arguments: Arrangement.all)
  func `a cascade deletes changed objects, new objects and faults`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try seed(stack)
    let context = chain.leaf
    try context.performAndWait {
      let emma = try #require(try context.book("Emma"))
      let added = context.insertChapter("Emma 3", of: emma)
      context.delete(emma)
      #expect(added.isDeleted && !added.isInserted)
      #expect(try counts(context) == [1, 1, 2, 1])
      #expect(context.insertedObjects.isEmpty)
      // The author's list of books changed. The chapters of the other book did not.
      #expect(context.updatedObjects.map(\.entity.name) == ["Author"])
    }
    try chain.saveAll()
    #expect(try stack.inStore(counts) == [1, 1, 2, 1])
  }

  @Test func `a new object deleted before its save leaves no changes`() throws {
    let stack = try Stack()
    let context = stack.context()
    try context.performAndWait {
      let book = context.insertBook("Emma")
      context.delete(book)
      context.delete(book)
      #expect(book.isDeleted && !book.isInserted && !context.hasChanges)
      try stack.expectStatements(0) { try context.save() }
    }
    let isEmpty = context.performAndWait { context.registeredObjects.isEmpty }
    #expect(isEmpty)
  }

  @Test(arguments: Arrangement.all, [false, true])
  func `a cascade between new objects leaves no changes`(arrangement: Arrangement, havePermanentIDs: Bool) throws {
    let (stack, chain) = try arrangement.makeStack()
    let context = chain.leaf
    try context.performAndWait {
      let jane = context.insertAuthor("Jane")
      jane.relate(context.insert(Passport.entity), at: Author.passport)
      let emma = context.insertBook("Emma", author: jane)
      context.insertChapter("Emma 1", of: emma)
      if havePermanentIDs { try context.obtainPermanentIDs(for: context.insertedObjects) }
      stack.expectStatements(0) {
        context.delete(emma)
        context.delete(jane)
      }
      #expect(context.registeredObjects.isEmpty && !context.hasChanges)
      let left = try counts(context)
      #expect(left == [0, 0, 0, 0])
    }
  }

  /// The child pushes a reference with the author's temporary ID to the parent, which has the author under the
  /// permanent ID.
  @Test(arguments: Arrangement.nested)
  func `deleting a new object nullifies a child's reference under its temporary ID`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    let child = chain.leaf
    let parent = try #require(child.parent)
    let jane = parent.performAndWait { parent.insertAuthor("Jane") }
    let emma = try child.performAndWait {
      child.insertBook("Emma", author: child.object(with: jane.objectID))
      try parent.performAndWait { try parent.obtainPermanentIDs(for: [jane]) }
      try child.save()
      return try parent.performAndWait { try #require(try parent.book("Emma")) }
    }
    parent.performAndWait {
      parent.undoManager = ContextUndoManager()
      parent.delete(jane)
      #expect(emma[Book.author] == .null)
      parent.undo()
      #expect(emma.related(Book.author) === jane && jane.relatedObjects(Author.books) == [emma])
      parent.redo()
      #expect(emma[Book.author] == .null && jane.isDeleted)
    }
    try stack.coordinator.checkInvariants(over: chain.contexts)
    try chain.saveAll()
    #expect(try stack.inStore(counts) == [0, 1, 0, 0])
  }

  @Test(arguments: Arrangement.all)
  func `a cascade skips an object whose row is deleted`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { $0.insertBook("Emma", author: $0.insertAuthor("Jane")) }
    let context = chain.leaf
    try context.performAndWait {
      let emma = try #require(try context.book("Emma"))
      _ = emma.title
      let other = stack.context("other")
      try other.performAndWait {
        for author in try other.fetch(FetchRequest(Author.entity)) { other.delete(author) }
        try other.save()
      }
      context.delete(emma)
      #expect(context.updatedObjects.isEmpty)
      #expect(try counts(context) == [0, 0, 0, 0])
    }
  }

  @Test func `a deleted object keeps its read values after the save`() throws {
    let stack = try Stack()
    try seed(stack)
    let context = stack.context()
    try context.performAndWait {
      let emma = try #require(try context.book("Emma"))
      #expect(emma.title == "Emma")
      context.delete(emma)
      #expect(emma.managedObjectContext === context)
      try context.save()
      #expect(emma.isDeleted && emma.title == "Emma" && emma.managedObjectContext == nil)
      #expect(context.registeredObject(for: emma.objectID) == nil)
    }
  }

  @Test func `a thousand members of a relationship are deleted one by one`() throws {
    let stack = try Stack()
    let context = stack.context()
    try context.performAndWait {
      let jane = context.insertAuthor("Jane")
      for number in 0..<1000 { context.insertBook("Book \(number)", author: jane) }
      try context.save()
      for book in jane.relatedObjects(Author.books) { context.delete(book) }
      #expect(jane.relatedObjects(Author.books).isEmpty)
      try context.save()
    }
    #expect(try stack.inStore(counts) == [1, 0, 0, 0])
  }

  @Test func `deleting an object of another context stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack()
      let context = stack.context()
      let other = stack.context("other")
      let jane = other.performAndWait { other.insertAuthor("Jane") }
      context.performAndWait { context.delete(jane) }
    }
    try expectSentence("was deleted in context context, but belongs to another", from: result)
  }
}
