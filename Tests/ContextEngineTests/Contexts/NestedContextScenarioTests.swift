import ContextEngine
import TestSupport
import Testing

/// Tests of a child whose parent has unsaved objects: the child reads and changes them, and a sibling merges the
/// changes.
///
/// Origin: Apache Cayenne's suites of nested contexts, writing (12), reading (7), peer events (7). Relationships to
/// many, objects that the parent made, rolling back and the test of deadlocks are in `NestedRelationshipTests`,
/// prefetching below a context in `PrefetchingTests`, pushes of attributes in `SavingTests`. Cayenne notifies siblings
/// of a push automatically; here they merge it.
@Suite(.onBothStores, .namingTheStore) struct NestedContextScenarioTests {
  /// Returns the leaf and the context that it saves into.
  private func levels(_ chain: Chain) throws -> (parent: ManagedObjectContext, child: ManagedObjectContext) {
    (try #require(chain.leaf.parent), chain.leaf)
  }

  /// Read: an object of any state in the parent is an object without changes in the child, and has the parent's values.
  @Test(arguments: Arrangement.nested)
  func `a parent's unsaved objects are unchanged objects in its child`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { context in for title in ["fault", "read", "changed", "deleted"] { context.insertBook(title) } }
    let (parent, child) = try levels(chain)
    try parent.performAndWait {
      parent.insertBook("new")
      _ = try #require(try parent.book("read")).title
      try #require(try parent.book("changed"))[Book.title] = "changed there"
      parent.delete(try #require(try parent.book("deleted")))
    }
    try child.performAndWait {
      let books = try child.books()
      #expect(books.map(\.title) == ["changed there", "fault", "new", "read"])
      #expect(books.allSatisfy { !$0.hasChanges && !$0.isInserted && !$0.isDeleted } && !child.hasChanges)
      #expect(books.map(\.objectID.isTemporaryID) == [false, false, true, false])
    }
  }

  /// Read: to-one relationships to objects that are unread, changed, deleted, read and new in the parent.
  @Test(arguments: Arrangement.nested)
  func `a child's to-one relationships show its parent's unsaved objects without a statement`(
    arrangement: Arrangement
  ) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { context in
      for number in 1...4 { context.insertBook("\(number)", author: context.insertAuthor("author \(number)")) }
      context.insertBook("5")
    }
    let (parent, child) = try levels(chain)
    let held = try parent.performAndWait {
      let books = Array(try parent.books())
      let authors = books.map { $0.related(Book.author) }
      authors[1]?[Author.name] = "changed"
      if let deleted = authors[2] { parent.delete(deleted) }
      try authors[3]?.fulfillFault()
      books[4].relate(parent.insertAuthor("new"), at: Book.author)
      return books + authors.compactMap { $0 }
    }
    try child.performAndWait {
      let books = try child.books()
      stack.expectStatements(0) {
        let authors = books.map { $0.related(Book.author) }
        #expect(authors.map { $0 != nil } == [true, true, false, true, true])
        #expect(authors.allSatisfy { $0?.managedObjectContext === child || $0 == nil })
        #expect(authors[0]?.isFault == true)
        #expect([1, 3, 4].map { authors[$0]?[Author.name] } == ["changed", "author 4", "new"])
        #expect(authors[4]?.objectID.isTemporaryID == true && !child.hasChanges)
      }
    }
    withExtendedLifetime(held) {}
  }

  /// Write: a sibling has registered the object too, which makes no difference.
  @Test(arguments: Arrangement.nested)
  func `clearing a to-one relationship in a child clears the parent's at the save`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { $0.insertBook("Emma", author: $0.insertAuthor("Jane")) }
    let (parent, child) = try levels(chain)
    let sibling = ManagedObjectContext(.privateQueue, parent: parent, name: "sibling")
    let seen = try sibling.performAndWait { try #require(try sibling.book("Emma")) }
    try child.performAndWait {
      let emma = try #require(try child.book("Emma"))
      emma.relate(nil, at: Book.author)
      try stack.expectStatements(0) { try child.save() }
      #expect(!emma.hasChanges)
    }
    try parent.performAndWait {
      let emma = try #require(try parent.book("Emma"))
      #expect(emma.isUpdated && emma.related(Book.author) == nil)
    }
    sibling.performAndWait { #expect(seen.title == "Emma" && !sibling.hasChanges) }
    try chain.saveAll()
    let author = try stack.inStore { try $0.book("Emma")?[Book.author] }
    #expect(author == .null)
  }

  /// Write: one object is inserted, pushed and deleted before it is saved into the store; another is not even pushed.
  @Test(arguments: Arrangement.nested)
  func `an object inserted and deleted in a child is absent from parent and store`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { $0.insertAuthor("Jane") }
    let (parent, child) = try levels(chain)
    try child.performAndWait {
      let jane = try #require(try child.fetch(FetchRequest(Author.entity)).first)
      let pushed = child.insertBook("pushed", author: jane)
      try child.save()
      parent.performAndWait { #expect(parent.insertedObjects.map(\.title) == ["pushed"]) }
      child.insertBook("kept", author: jane)
      let brief = child.insertBook("brief", author: jane)
      brief.relate(nil, at: Book.author)
      child.delete(brief)
      child.delete(pushed)
      try child.save()
      #expect(jane.relatedObjects(Author.books).map(\.title) == ["kept"])
    }
    parent.performAndWait { #expect(parent.insertedObjects.map(\.title) == ["kept"] && parent.deletedObjects.isEmpty) }
    let written = try stack.count(.rowWritten) { try chain.saveAll() }
    #expect(written == 2)
    #expect(try stack.storedTitles() == ["kept"])
  }

  /// Write: many-to-many pairs of new objects. The second save adds a pair, and the third removes one.
  @Test(arguments: Arrangement.nested)
  func `each save of a child pushes pairs of new objects without a statement`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Notebook.model)
    let (parent, child) = try levels(chain)
    try child.performAndWait {
      let note = child.insert(Notebook.note, named: "note")
      let first = child.insert(Notebook.tag, named: "first")
      let second = child.insert(Notebook.tag, named: "second")
      let steps: [(body: () -> Void, tags: [String])] = [
        ({ first.add(note, to: Notebook.notes) }, ["first"]),
        ({ note.add(second, to: Notebook.tags) }, ["first", "second"]),
        ({ note.remove(first, from: Notebook.tags) }, ["second"]),
      ]
      for (body, tags) in steps {
        body()
        try stack.expectStatements(0) { try child.save() }
        parent.performAndWait {
          let inserted = parent.insertedObjects
          let notes = inserted.filter { $0.entity === Notebook.note }
          #expect(inserted.count == 3 && notes.map { $0.names(Notebook.tags) } == [tags])
          for tag in inserted where tag.entity === Notebook.tag {
            #expect(tag.names(Notebook.notes) == (tags.contains(tag.name) ? ["note"] : []))
          }
        }
      }
    }
    try chain.saveAll()
    try stack.inStore { try $0.expect("note", Notebook.note, leadsTo: ["second"], by: Notebook.tags) }
  }

  /// Peer events: an attribute and a to-one relationship that a sibling has read.
  @Test(arguments: Arrangement.nested)
  func `merging a push updates a sibling's values and to-one relationships without changes`(
    arrangement: Arrangement
  ) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { context in
      context.insertBook("Emma", author: context.insertAuthor("Jane"))
      context.insertAuthor("Anne")
    }
    let (parent, child) = try levels(chain)
    let sibling = ManagedObjectContext(.privateQueue, parent: parent, name: "sibling")
    let seen = try sibling.performAndWait {
      let emma = try #require(try sibling.book("Emma"))
      #expect(emma[Book.note] == .null && emma.related(Book.author)?[Author.name] == "Jane")
      return emma
    }
    let saves = Journal<SaveNotification>()
    let token = child.observeDidSave { saves.write($0) }
    try child.performAndWait {
      let emma = try #require(try child.book("Emma"))
      emma[Book.note] = "changed"
      emma.relate(
        try child.fetch(FetchRequest(Author.entity, predicate: .equal(Author.name, "Anne"))).first, at: Book.author)
      try child.save()
    }
    token.cancel()
    try sibling.performAndWait {
      #expect(seen[Book.note] == .null)
      sibling.mergeChanges(fromContextDidSave: try #require(saves.entries.first))
      #expect(seen[Book.note] == "changed" && seen.related(Book.author)?[Author.name] == "Anne")
      #expect(!sibling.hasChanges && !seen.hasChanges)
    }
  }
}
