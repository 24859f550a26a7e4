import ContextEngine
import TestSupport
import Testing

@Suite(.onBothStores, .namingTheStore) struct ValidationTests {
  @Test(arguments: Arrangement.all)
  func `one missing mandatory value throws error 1570, and several throw 1560`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { $0.insertAuthor("Jane") }
    let context = chain.leaf
    try context.performAndWait {
      let jane = try #require(try context.fetch(FetchRequest(Author.entity)).first)
      let book = context.insertBook("Emma", author: jane)
      let chapter = context.insert(Chapter.entity)
      chapter.relate(book, at: Chapter.book)

      var error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .validationMissingMandatoryProperty && error?.code.rawValue == 1570)
      #expect(error?.objectIDs == [chapter.objectID])
      #expect(error?.message.contains("Chapter.title") == true)

      jane[Author.name] = .null
      error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .validationMultipleErrors && error?.code.rawValue == 1560)
      #expect(error?.objectIDs == [chapter.objectID, jane.objectID])

      #expect(context.insertedObjects == [book, chapter] && context.updatedObjects == [jane])
      #expect(book.objectID.isTemporaryID && jane[Author.name] == .null && jane.version == 1)
      #expect(jane.relatedObjects(Author.books) == [book])

      chapter[Chapter.title] = "1"
      jane[Author.name] = "Jane Austen"
      try context.save()
      #expect(!context.hasChanges)
    }
    try chain.saveAll()
    #expect(try stack.storedTitles() == ["Emma"])
  }

  @Test func `a deleted object is not validated`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertAuthor("Jane") }
    let context = stack.context()
    try context.performAndWait {
      let jane = try #require(try context.fetch(FetchRequest(Author.entity)).first)
      jane[Author.name] = .null
      context.delete(jane)
      context.delete(context.insert(Chapter.entity))
      try context.save()
    }
  }

  @Test func `a save that fails in the store leaves the context unchanged`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma") }
    let context = stack.context()
    try context.performAndWait {
      let emma = try #require(try context.book("Emma"))
      emma[Book.note] = "changed"
      let added = context.insertBook("Persuasion")
      try stack.store.close()
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .storeOpen)
      #expect(emma.isUpdated && emma[Book.note] == "changed" && emma.version == 1)
      #expect(added.isInserted && added.objectID.isTemporaryID)
    }
  }
}
