import ContextEngine
import TestSupport
import Testing

/// Undo and redo of changes, as Apple documents them for contexts and undo managers.
@Suite(.onBothStores, .namingTheStore) struct UndoTests {
  /// Calls `body` with a chain whose leaf has an undo manager, over an author with two books.
  private func withBooks(
    _ arrangement: Arrangement, _ body: (ManagedObjectContext, ContextUndoManager, Stack, Chain) throws -> Void
  ) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { context in
      let jane = context.insertAuthor("Jane")
      for title in ["Emma", "Persuasion"] {
        context.insertChapter("\(title) 1", of: context.insertBook(title, author: jane))
      }
    }
    let manager = ContextUndoManager()
    chain.leaf.performAndWait { chain.leaf.undoManager = manager }
    try chain.leaf.performAndWait { try body(chain.leaf, manager, stack, chain) }
  }

  @Test func `undoManager is nil until it is set`() throws {
    let context = try Stack().context()
    context.performAndWait {
      #expect(context.undoManager == nil)
      let emma = context.insertBook("Emma")
      context.processPendingChanges()
      context.undo()
      #expect(emma.isInserted)
    }
  }

  @Test func `a value pushed by a child is undone in the parent`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma") }
    let chain = stack.chain(1)
    chain.root.performAndWait { chain.root.undoManager = ContextUndoManager() }
    try chain.leaf.performAndWait {
      try #require(try chain.leaf.book("Emma"))[Book.title] = "Emma, a novel"
      try chain.leaf.save()
    }
    try chain.root.performAndWait {
      let emma = try #require(chain.root.updatedObjects.first)
      #expect(emma.title == "Emma, a novel")
      chain.root.undo()
      #expect(emma.title == "Emma")
    }
  }

  @Test(arguments: Arrangement.all)
  func `an insertion is undone and redone as one instance with its relationships`(arrangement: Arrangement) throws {
    try withBooks(arrangement) { context, manager, _, chain in
      let jane = try #require(try context.fetch(FetchRequest(Author.entity)).first)
      let added = context.insertBook("Sanditon", year: 1817, author: jane)
      context.undo()
      #expect(added.isDeleted && context.insertedObjects.isEmpty)
      #expect(jane.relatedObjects(Author.books).count == 2)
      #expect(try context.titles() == ["Emma", "Persuasion"])
      #expect(!manager.canUndo && manager.canRedo)

      context.redo()
      #expect(added.isInserted && !added.isDeleted && added.managedObjectContext === context)
      #expect(added.title == "Sanditon" && added[Book.year] == 1817 && added.related(Book.author) === jane)
      #expect(jane.relatedObjects(Author.books).contains { $0 === added })
      #expect(context.insertedObjects == [added])
      try chain.saveAllFromLeaf()
      #expect(try context.titles() == ["Emma", "Persuasion", "Sanditon"])
    }
  }

  @Test(arguments: Arrangement.all)
  func `changes of attributes and relationships are undone and redone per event`(arrangement: Arrangement) throws {
    try withBooks(arrangement) { context, manager, _, _ in
      let emma = try #require(try context.book("Emma"))
      let jane = try #require(emma.related(Book.author))
      let anne = context.insertAuthor("Anne")
      context.processPendingChanges()
      manager.endEvent()
      emma[Book.note] = "first"
      emma[Book.note] = "second"
      emma.relate(anne, at: Book.author)
      context.processPendingChanges()
      manager.endEvent()
      emma[Book.year] = 1815

      context.undo()
      #expect(emma[Book.year] == .null && emma[Book.note] == "second" && emma.related(Book.author) === anne)
      context.undo()
      #expect(emma[Book.note] == .null && emma.related(Book.author) === jane)
      #expect(jane.relatedObjects(Author.books).count == 2 && anne.relatedObjects(Author.books).isEmpty)
      context.redo()
      #expect(emma[Book.note] == "second" && emma.related(Book.author) === anne && emma[Book.year] == .null)
      #expect(jane.relatedObjects(Author.books).count == 1 && anne.relatedObjects(Author.books) == [emma])
      context.redo()
      #expect(emma[Book.year] == 1815)
      for _ in 0..<3 { context.undo() }
      #expect(anne.isDeleted && !manager.canUndo)
      context.undo()
      #expect(emma[Book.note] == .null)
    }
  }

  @Test(arguments: Arrangement.all)
  func `undoing a deletion restores cascaded objects and nullified relationships`(arrangement: Arrangement) throws {
    try withBooks(arrangement) { context, _, stack, chain in
      let emma = try #require(try context.book("Emma"))
      let jane = try #require(emma.related(Book.author))
      let chapter = try #require(emma.relatedObjects(Book.chapters).first)
      emma[Book.note] = "changed before"
      context.processPendingChanges()
      context.delete(emma)
      #expect(chapter.isDeleted && jane.relatedObjects(Author.books).count == 1)
      context.undoManager?.endEvent()
      context.undo()
      #expect(!emma.isDeleted && emma.isUpdated && emma[Book.note] == "changed before")
      #expect(!chapter.isDeleted && chapter.related(Chapter.book) === emma)
      #expect(emma.related(Book.author) === jane && jane.relatedObjects(Author.books).count == 2)
      #expect(emma.relatedObjects(Book.chapters) == [chapter])
      #expect(context.deletedObjects.isEmpty)
      context.redo()
      #expect(emma.isDeleted && chapter.isDeleted && jane.relatedObjects(Author.books).count == 1)
      context.undo()
      try chain.saveAllFromLeaf()
      #expect(try stack.storedTitles() == ["Emma", "Persuasion"])
      let note = try stack.inStore { try #require(try $0.book("Emma"))[Book.note] }
      #expect(note == "changed before")
    }
  }

  @Test(arguments: Arrangement.all)
  func `undo reverts saved changes, which the next save writes`(arrangement: Arrangement) throws {
    try withBooks(arrangement) { context, manager, stack, chain in
      let emma = try #require(try context.book("Emma"))
      let jane = try #require(emma.related(Book.author))
      emma[Book.note] = "changed"
      let added = context.insertBook("Sanditon", author: jane)
      try chain.saveAllFromLeaf()
      manager.endEvent()
      context.delete(emma)
      try chain.saveAllFromLeaf()
      #expect(emma.isDeleted && !context.hasChanges)
      manager.endEvent()

      // The row was deleted, so the same instance returns as a new object.
      context.undo()
      #expect(emma.isInserted && !emma.isDeleted && emma.title == "Emma" && emma[Book.note] == "changed")
      #expect(emma.related(Book.author) === jane && jane.relatedObjects(Author.books).contains { $0 === emma })
      #expect(emma.relatedObjects(Book.chapters).map { $0[Chapter.title] } == ["Emma 1"])
      try chain.saveAllFromLeaf()
      #expect(try stack.storedTitles() == ["Emma", "Persuasion", "Sanditon"])

      context.undo()
      #expect(emma[Book.note] == .null && added.isDeleted)
      try chain.saveAllFromLeaf()
      #expect(try stack.storedTitles() == ["Emma", "Persuasion"])
      context.redo()
      #expect(added.isInserted && emma[Book.note] == "changed" && added.related(Book.author) === jane)
      context.redo()
      #expect(emma.isDeleted)
      try chain.saveAllFromLeaf()
      #expect(try stack.storedTitles() == ["Persuasion", "Sanditon"])
      try stack.inStore { store in
        let book = try #require(try store.book("Sanditon"))
        #expect(book.related(Book.author)?["name"] == "Jane")
      }
    }
  }

  @Test func `a reset and a rollback remove a context's undo actions only`() throws {
    try withBooks(Arrangement(depth: 0, poolSize: 1)) { context, manager, _, _ in
      for forget in [context.rollback, context.reset] {
        try #require(try context.book("Emma"))[Book.note] = "changed"
        context.processPendingChanges()
        #expect(manager.canUndo)
        manager.registerUndo {}
        forget()
        // The action that the test registered remains.
        #expect(manager.canUndo)
        manager.removeAllActions()
        #expect(!manager.canUndo)
      }
    }
  }

  @Test func `no action is registered while undo registration is disabled`() throws {
    try withBooks(Arrangement(depth: 0, poolSize: 1)) { context, manager, _, _ in
      let emma = try #require(try context.book("Emma"))
      emma[Book.year] = 1815
      context.processPendingChanges()
      manager.disableUndoRegistration()
      emma[Book.note] = "by the program"
      context.processPendingChanges()
      manager.enableUndoRegistration()
      context.undo()
      #expect(emma[Book.year] == .null && emma[Book.note] == "by the program")
    }
  }

  @Test func `merged changes register no undo actions`() throws {
    try withBooks(Arrangement(depth: 0, poolSize: 4)) { context, manager, stack, _ in
      let emma = try #require(try context.book("Emma"))
      try emma.fulfillFault()
      let other = stack.context("other")
      let saves = Journal<SaveNotification>()
      _ = other.observeDidSave { [weak saves] in saves?.write($0) }
      try other.performAndWait {
        try #require(try other.book("Emma"))[Book.note] = "theirs"
        other.delete(try #require(try other.book("Persuasion")))
        try other.save()
      }
      context.mergeChanges(fromContextDidSave: saves.entries[0])
      #expect(emma[Book.note] == "theirs" && !manager.canUndo)
    }
  }

  @Test func `each perform is one undo group, and changes within one event are coalesced`() throws {
    let stack = try Stack()
    let context = stack.context()
    let manager = ContextUndoManager()
    context.performAndWait { context.undoManager = manager }
    for title in ["first", "second"] {
      context.perform {
        context.insertBook(title)
        context.processPendingChanges()
        context.insertBook("\(title) too")
      }
    }
    drain(context)
    try context.performAndWait {
      context.undo()
      var titles = try context.titles()
      #expect(titles == ["first", "first too"])
      context.undo()
      titles = try context.titles()
      #expect(titles.isEmpty)
      context.redo()
      context.redo()
      titles = try context.titles()
      #expect(titles == ["first", "first too", "second", "second too"])
    }
  }

  @Test func `undo calls awakeFromSnapshotEvents of the changed objects`() throws {
    let diary = Diary(writing: [.awakeFromSnapshotEvents])
    let stack = try Stack(model: diary.model)
    try diary.seed(stack)
    let context = stack.context()
    try context.performAndWait {
      let manager = ContextUndoManager()
      context.undoManager = manager
      let entry = try #require(try context.only(diary.entity))
      entry["text"] = "changed"
      context.undo()
      _ = context.insert(diary.entity)
      context.undo()
      context.delete(entry)
      context.undo()
      #expect(diary.read() == ["undoUpdate", "undoInsertion", "undoDeletion"].map { "awake from \($0) in context" })
    }
  }

  @Test func `the footprint equals a recount after each undo and redo`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma", author: $0.insertAuthor("Jane")) }
    let context = stack.context()
    let manager = ContextUndoManager()
    context.performAndWait { context.undoManager = manager }
    let steps: [() throws -> Void] = [
      {
        let author = try context.book("Emma")?.related(Book.author)
        context.insertBook("A title that does not fit into a word", author: author)
      },
      context.undo, context.redo, context.save, { context.delete(try #require(try context.book("Emma"))) },
      context.undo,
      context.redo, context.save, context.undo, context.undo, context.redo, context.save, context.reset,
    ]
    for step in steps {
      try context.performAndWait {
        try step()
        context.processPendingChanges()
        manager.endEvent()
      }
      #expect(Recount.bytes([context], stack.coordinator) == stack.coordinator.footprint.figures.currentBytes)
    }
    #expect(try stack.storedTitles().count == 2)
  }
}

extension Chain {
  /// Saves every level from inside a block of the leaf.
  func saveAllFromLeaf() throws {
    for context in contexts.reversed() {
      try context.performAndWait { try context.save() }
    }
  }
}
