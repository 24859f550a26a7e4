import ContextEngine
import TestSupport
import Testing

/// Tests of the changed values of an object, and of values that are set without a change notification.
@Suite struct ChangedValuesTests {
  @Test(arguments: Arrangement.all)
  func `changedValues, committedValues and changedValuesForCurrentEvent differ`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { context in context.insertBook("Emma", year: 1815, author: context.insertAuthor("Jane")) }
    let context = chain.leaf
    try context.performAndWait {
      let emma = try #require(try context.book("Emma"))
      #expect(emma.changedValues().isEmpty && emma.changedValuesForCurrentEvent().isEmpty)
      #expect(emma.isFault)
      #expect(emma.committedValues(forKeys: ["title", "year"]) == ["title": "Emma", "year": 1815])

      let jane = try #require(emma.related(Book.author))
      emma[Book.title] = "Emma, a novel"
      emma.relate(nil, at: Book.author)
      #expect(emma.changedValues() == ["title": "Emma, a novel", "author": .null])
      #expect(emma.changedValuesForCurrentEvent() == ["title": "Emma", "author": .object(jane.objectID)])
      #expect(emma.committedValues(forKeys: ["title"]) == ["title": "Emma"])
      #expect(emma.committedValues().count == Book.entity.slots.count)

      context.processPendingChanges()
      emma[Book.year] = 1816
      emma[Book.title] = "Emma, a story"
      #expect(emma.changedValuesForCurrentEvent() == ["year": 1815, "title": "Emma, a novel"])
      #expect(Set(emma.changedValues().keys) == ["title", "author", "year"])

      try context.save()
      #expect(emma.changedValues().isEmpty)
      #expect(emma.committedValues(forKeys: ["title"]) == ["title": "Emma, a story"])
      let added = context.insertBook("Persuasion")
      #expect(added.changedValues() == ["title": "Persuasion"])
      #expect(added.committedValues(forKeys: ["title"]) == ["title": .null])
    }
  }

  @Test func `a string that differs only in its bytes is a change, and is saved`() throws {
    // The first string has one scalar and the second two; Unicode counts them as equivalent.
    let (one, two) = ("caf\u{e9}", "cafe\u{301}")
    #expect(Value.string(one) != Value.string(two))
    #expect(Set([Value.string(one), .string(two), .string(one)]).count == 2)
    let stack = try Stack()
    try stack.seed { $0.insertBook(one) }
    let context = stack.context()
    try context.performAndWait {
      let book = try #require(try context.book(one))
      book[Book.title] = .string(two)
      #expect(book.hasPersistentChangedValues)
      #expect(book.changedValues() == ["title": .string(two)])
      try context.save()
    }
    let other = stack.context()
    try other.performAndWait {
      #expect(try other.book(one) == nil)
      guard case .string(let title)? = try other.book(two)?[Book.title] else {
        Issue.record("there is no book of that title")
        return
      }
      #expect(Array(title.unicodeScalars) == Array(two.unicodeScalars))
    }
  }

  @Test func `setting a value back clears hasPersistentChangedValues and keeps hasChanges`() throws {
    let stack = try Stack()
    try stack.seed { context in context.insertBook("Emma", author: context.insertAuthor("Jane")) }
    let context = stack.context()
    try context.performAndWait {
      let emma = try #require(try context.book("Emma"))
      let jane = try #require(emma.related(Book.author))
      #expect(!emma.hasPersistentChangedValues)
      emma[Book.title] = "x"
      #expect(emma.hasChanges && emma.hasPersistentChangedValues)
      emma[Book.title] = "Emma"
      #expect(emma.hasChanges && !emma.hasPersistentChangedValues)
      #expect(!jane.hasPersistentChangedValues)
      emma.relate(nil, at: Book.author)
      #expect(jane.hasPersistentChangedValues)
    }
  }

  @Test(arguments: Arrangement.all)
  func `setPrimitiveValue keeps hasChanges false and is saved with the next change`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { $0.insertBook("Emma") }
    let context = chain.leaf
    try context.performAndWait {
      let emma = try #require(try context.book("Emma"))
      #expect(emma.primitiveValue(at: Book.title) == .null && emma.isFault)
      emma.setPrimitiveValue("noted", at: Book.note)
      #expect(emma.changedValues().isEmpty && !emma.hasPersistentChangedValues)
      #expect(emma.changedValuesForCurrentEvent().isEmpty)
      #expect(emma.primitiveValue(at: Book.note) == "noted" && emma[Book.note] == "noted")
      #expect(!emma.hasChanges && !context.hasChanges)
      let changes = Journal<Int>()
      let observer = context.observeDidChange { _ in changes.write(1) }
      context.processPendingChanges()
      observer.cancel()
      #expect(changes.count == 0)
      emma[Book.year] = 1815
      #expect(emma.changedValues() == ["year": 1815, "note": "noted"])
      #expect(Array(emma.changedValuesForCurrentEvent().keys) == ["year"])
      try context.save()
    }
    try chain.saveAll()
    let stored = try stack.inStore { try #require(try $0.book("Emma"))[Book.note] }
    #expect(stored == "noted")
  }

  @Test(arguments: Arrangement.all)
  func `propagatesDeletesAtEndOfEvent delays delete rules to the end of the event`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { context in
      let jane = context.insertAuthor("Jane")
      let emma = context.insertBook("Emma", author: jane)
      context.insertChapter("1", of: emma)
      context.insertBook("Persuasion", author: jane)
    }
    let context = chain.leaf
    context.performAndWait { context.propagatesDeletesAtEndOfEvent = true }
    try context.performAndWait {
      let emma = try #require(try context.book("Emma"))
      try emma.fulfillFault()
      stack.expectStatements(0) { context.delete(emma) }
      #expect(context.deletedObjects == [emma] && context.updatedObjects.isEmpty)
      context.processPendingChanges()
      #expect(context.deletedObjects.map(\.entity.name) == ["Book", "Chapter"])
      #expect(context.updatedObjects.map(\.entity.name) == ["Author"])
      try context.save()

      // The delete rule does not apply to a book that is related to another author before the event ends.
      let persuasion = try #require(try context.book("Persuasion"))
      let jane = try #require(persuasion.related(Book.author))
      context.delete(jane)
      persuasion.relate(context.insertAuthor("Anne"), at: Book.author)
      try context.save()
      #expect(persuasion.related(Book.author)?["name"] == "Anne")
    }
    try chain.saveAll()
    #expect(try stack.storedTitles() == ["Persuasion"])
    let names = try stack.inStore { try $0.fetch(FetchRequest(Author.entity)).map { $0["name"] } }
    #expect(names == ["Anne"])
  }
}
