import ContextEngine
import TestSupport
import Testing

/// Tests of setting properties of deleted objects: objects that the next save deletes, and those that others have
/// deleted.
@Suite(.onBothStores, .namingTheStore) struct DeletedObjectTests {
  private static func seeded(_ arrangement: Arrangement) throws -> (Stack, Chain) {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { context in
      context.insertBook("Emma", year: 1815, author: context.insertAuthor("Jane"))
      context.insertAuthor("Anne")
    }
    return (stack, chain)
  }

  /// Deletes a book in another context and returns that context's did-save.
  private static func deleteElsewhere(_ title: String, in stack: Stack) throws -> SaveNotification {
    let worker = stack.context("worker")
    let saves = Journal<SaveNotification>()
    let token = worker.observeDidSave { saves.write($0) }
    defer { token.cancel() }
    try worker.performAndWait {
      worker.delete(try #require(try worker.book(title)))
      try worker.save()
    }
    return try #require(saves.entries.first)
  }

  @Test(arguments: Arrangement.all)
  func `a property of a deleted object can be set, and a rollback restores it`(arrangement: Arrangement) throws {
    let (stack, chain) = try Self.seeded(arrangement)
    let context = chain.leaf
    let updates = Journal<Int>()
    let token = context.observeDidChange { updates.write($0.updated.count) }
    try context.performAndWait {
      let emma = try #require(try context.book("Emma"))
      context.delete(emma)
      context.processPendingChanges()
      emma[Book.title] = "Emma, a novel"
      emma.setPrimitiveValue(1816, at: Book.year)
      #expect(emma.title == "Emma, a novel" && emma[Book.year] == 1816)
      #expect(emma.isDeleted && !emma.isUpdated && !context.updatedObjects.contains(emma))
      context.processPendingChanges()
      context.rollback()
      #expect(emma.title == "Emma" && emma[Book.year] == 1815 && !emma.isDeleted && !context.hasChanges)

      emma[Book.year] = 1817
      context.delete(emma)
      emma[Book.title] = "Emma, a story"
      try context.save()
      #expect(emma.isDeleted && emma.title == "Emma, a story")
    }
    token.cancel()
    // The updated object is the author, who loses the book: in the event of the first deletion and in the event of the
    // save.
    #expect(updates.entries == [1, 0, 1])
    try chain.saveAll()
    #expect(try stack.storedTitles().isEmpty)
  }

  @Test(arguments: Arrangement.all)
  func `setting a relationship of a deleted object leaves the other ends unchanged`(arrangement: Arrangement) throws {
    let (stack, chain) = try Self.seeded(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      let emma = try #require(try context.book("Emma"))
      let jane = try #require(emma.related(Book.author))
      let anne = try #require(try context.fetch(FetchRequest(Author.entity)).first { $0["name"] == "Anne" })
      context.delete(emma)
      #expect(jane.relatedObjects(Author.books).isEmpty)
      emma.relate(anne, at: Book.author)
      #expect(emma.related(Book.author) === anne)
      #expect(anne.relatedObjects(Author.books).isEmpty && !anne.hasChanges)
      emma[Book.author] = .null
      #expect(emma.related(Book.author) == nil)
      try context.save()
    }
    try chain.saveAll()
    #expect(try stack.storedTitles().isEmpty)
  }

  @Test func `delete rules at the end of the event include changes made after the deletion`() throws {
    let (_, chain) = try Self.seeded(Arrangement(depth: 0, poolSize: 1))
    let context = chain.leaf
    try context.performAndWait {
      context.propagatesDeletesAtEndOfEvent = true
      let emma = try #require(try context.book("Emma"))
      let jane = try #require(emma.related(Book.author))
      let anne = try #require(try context.fetch(FetchRequest(Author.entity)).first { $0["name"] == "Anne" })
      context.delete(emma)
      emma.relate(anne, at: Book.author)
      #expect(jane.relatedObjects(Author.books).isEmpty && anne.relatedObjects(Author.books) == [emma])
      context.processPendingChanges()
      #expect(anne.relatedObjects(Author.books).isEmpty)
    }
  }

  @Test func `undoing a deletion restores the values from before the deletion`() throws {
    let (_, chain) = try Self.seeded(Arrangement(depth: 0, poolSize: 1))
    let context = chain.leaf
    try context.performAndWait {
      context.undoManager = ContextUndoManager()
      let emma = try #require(try context.book("Emma"))
      context.delete(emma)
      context.event {}
      emma[Book.title] = "Emma, a novel"
      context.undo()
      #expect(!emma.isDeleted && emma.title == "Emma" && emma.related(Book.author) != nil)
    }
  }

  @Test(arguments: Arrangement.all)
  func `setting a value after a merged deletion is ignored and logged once`(arrangement: Arrangement) throws {
    let (stack, chain) = try Self.seeded(arrangement)
    let context = chain.leaf
    let warnings = Journal<String>()
    stack.coordinator.onWarning { warnings.write($0) }
    let (emma, jane) = try context.performAndWait {
      let emma = try #require(try context.book("Emma"))
      emma[Book.title] = "typed"
      return (emma, try #require(emma.related(Book.author)))
    }
    let save = try Self.deleteElsewhere("Emma", in: stack)
    for level in chain.contexts { level.performAndWait { level.mergeChanges(fromContextDidSave: save) } }
    try context.performAndWait {
      #expect(emma.isDeleted)
      emma[Book.title] = "typed on"
      emma.setString("typed on", at: Book.title)
      emma.setPrimitiveValue("typed on", at: Book.title)
      emma.relate(nil, at: Book.author)
      emma[Book.author] = .object(jane.objectID)
      emma.setRelatedObjects([], at: Book.chapters)
      #expect(emma.title == "typed" && emma.related(Book.author) == nil)
      #expect(emma.relatedObjects(Book.chapters).isEmpty)
      // Relating another object to the deleted object has no effect, because the relationship would lead to a missing
      // row.
      let added = context.insertChapter("1", of: context.insertBook("Persuasion"))
      added.relate(emma, at: Chapter.book)
      jane.add(emma, to: Author.books)
      #expect(added.related(Chapter.book)?.title == "Persuasion")
      #expect(warnings.count == 1 && warnings.entries.allSatisfy { $0.hasPrefix("Book.title of object") })
      context.processPendingChanges()
      #expect(context.updatedObjects.allSatisfy { $0 !== emma } && jane.relatedObjects(Author.books).isEmpty)
      try context.save()
    }
    try chain.saveAll()
    #expect(try stack.storedTitles() == ["Persuasion"])
  }

  @Test(arguments: Arrangement.all)
  func `setting a value of a fault without a row is ignored and logged once`(arrangement: Arrangement) throws {
    let (stack, chain) = try Self.seeded(arrangement)
    let context = chain.leaf
    let warnings = Journal<String>()
    stack.coordinator.onWarning { warnings.write($0) }
    let emma = try context.performAndWait {
      context.retainsRegisteredObjects = true
      let emma = try #require(try context.book("Emma"))
      try context.refresh(emma, mergeChanges: false)
      return emma
    }
    _ = try Self.deleteElsewhere("Emma", in: stack)
    for level in chain.contexts where level !== context { level.performAndWait { level.reset() } }
    try context.performAndWait {
      #expect(emma.isFault && !emma.isDeleted)
      emma[Book.title] = "typed"
      emma[Book.title] = "typed on"
      #expect(emma.isDeleted && !emma.hasChanges && emma[Book.title] == .null)
      #expect(warnings.count == 1)
      context.insertBook("Persuasion")
      try context.save()
    }
    try chain.saveAll()
    #expect(try stack.storedTitles() == ["Persuasion"])
  }
}
