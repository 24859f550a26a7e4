import ContextEngine
import MachineCore
import TestSupport
import Testing

@Suite(.onBothStores, .namingTheStore) struct SavingTests {
  @Test(arguments: Arrangement.nested)
  func `saving a child changes its parent but not the store`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    let child = chain.leaf
    let parent = try #require(child.parent)
    try child.performAndWait {
      child.insertBook("Emma")
      #expect(!parent.performAndWait { parent.hasChanges })
      let statements = try stack.statements { try child.save() }
      #expect(statements.isEmpty && !child.hasChanges)
    }
    try parent.performAndWait {
      #expect(parent.hasChanges && parent.insertedObjects.map(\.title) == ["Emma"])
      let found = try parent.titles()
      #expect(found == ["Emma"])
    }
    #expect(try stack.storedTitles().isEmpty)
    try chain.saveAll()
    #expect(try stack.storedTitles() == ["Emma"])
  }

  @Test(arguments: [0, 1])
  func `a save raises each changed object's version by one`(depth: Int) throws {
    let stack = try Stack()
    let titles = ["Emma", "Ivanhoe", "Persuasion", "Sanditon", "Waverley"]
    try stack.seed { context in titles.forEach { _ = context.insertBook($0) } }
    let chain = stack.chain(depth)
    for (round, changed) in [titles[1...1], titles[3...4], titles[4...4], titles[...]].enumerated() {
      try chain.leaf.performAndWait {
        for title in changed { try #require(try chain.leaf.book(title))[Book.year] = .integer(Int64(round)) }
      }
      try chain.saveAll()
    }
    let versions = try stack.inStore { try $0.books().map { "\($0.title) \($0.version)" } }
    #expect(versions == ["Emma 2", "Ivanhoe 3", "Persuasion 2", "Sanditon 3", "Waverley 4"])
  }

  @Test func `each save pushes changes up one level`() throws {
    let stack = try Stack()
    let chain = stack.chain(2)
    chain.leaf.performAndWait { _ = chain.leaf.insertBook("Emma") }
    var dirty: [[Bool]] = []
    for context in chain.contexts.reversed() {
      try context.performAndWait { try context.save() }
      dirty.append(chain.contexts.map { context in context.performAndWait { context.hasChanges } })
    }
    #expect(dirty == [[false, true, false], [true, false, false], [false, false, false]])
  }

  @Test(arguments: Arrangement.nested)
  func `a push contains changed properties only, and the last save of each wins`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { $0.insertBook("Emma", year: 1815) }
    let child = chain.leaf
    let parent = try #require(child.parent)
    let childBook = try child.performAndWait {
      let book = try #require(try child.book("Emma"))
      book[Book.note] = "child"
      book[Book.price] = .double(1)
      return book
    }
    let parentBook = try parent.performAndWait {
      let book = try #require(try parent.book("Emma"))
      book[Book.note] = "parent"
      book[Book.year] = 1816
      return book
    }
    try child.performAndWait { try child.save() }
    parent.performAndWait {
      #expect(parentBook[Book.note] == "child")
      #expect(parentBook[Book.year] == 1816)
      #expect(parentBook[Book.price] == .double(1))
    }
    child.performAndWait {
      // The child's object does not change by itself.
      #expect(childBook[Book.year] == 1815 && !childBook.hasChanges)
    }
    try chain.saveAll()
    let year = try stack.inStore { try $0.books().first?[Book.year] }
    #expect(year == 1816)
  }

  @Test func `pushing a change to an object deleted in the parent drops the change`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma") }
    let chain = stack.chain(1)
    try chain.leaf.performAndWait { try #require(try chain.leaf.book("Emma"))[Book.note] = "child" }
    try chain.root.performAndWait { chain.root.delete(try #require(try chain.root.book("Emma"))) }
    try chain.saveAll()
    #expect(try stack.storedTitles().isEmpty)
  }

  @Test func `a push onto a missing row throws and leaves both contexts unchanged`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma") }
    let chain = stack.chain(1)
    chain.root.shouldDeleteInaccessibleFaults = false
    let book = try chain.leaf.performAndWait {
      let book = try #require(try chain.leaf.book("Emma"))
      book[Book.note] = "child"
      chain.leaf.insertBook("Persuasion")
      return book
    }
    try stack.seed { context in for book in (try? context.books()) ?? [] { context.delete(book) } }
    chain.leaf.performAndWait {
      let error = #expect(throws: PersistenceError.self) { try chain.leaf.save() }
      #expect(error?.code == .referentialIntegrity)
      #expect(book.isUpdated && chain.leaf.insertedObjects.count == 1)
    }
    #expect(!chain.root.performAndWait { chain.root.hasChanges })
  }

  @Test func `a pushed deletion removes the parent's unsaved object`() throws {
    let stack = try Stack()
    let chain = stack.chain(1)
    chain.root.performAndWait {
      chain.root.insertBook("Emma")
      chain.root.insertBook("Persuasion")
    }
    try chain.leaf.performAndWait {
      chain.leaf.delete(try #require(try chain.leaf.book("Emma")))
      try chain.leaf.save()
    }
    #expect(chain.root.performAndWait { chain.root.insertedObjects.map(\.title) } == ["Persuasion"])
    try chain.saveAll()
    #expect(try stack.storedTitles() == ["Persuasion"])
  }

  @Test(arguments: Arrangement.all)
  func `an empty save posts empty will-save and did-save, which are not merged`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    let context = chain.leaf
    let peer =
      context.parent.map { ManagedObjectContext(.privateQueue, parent: $0, name: "peer") } ?? stack.context("peer")
    peer.performAndWait { peer.automaticallyMergesChangesFromParent = true }
    let posts = Journal<[Int]>()
    let tokens = [
      context.observeWillSave { posts.write([0, $0.inserted.count, $0.updated.count, $0.deleted.count]) },
      context.observeDidSave { save in
        posts.write([1, save.inserted.count, save.updated.count, save.deleted.count])
        #expect(save.isEmpty && save.committedAt == nil)
      },
    ]
    let kinds: [Work.Kind] = [.saveBegun, .commit, .mergeBegun, .notificationPosted, .performAndWait]
    let before = kinds.map { stack.ledger.count($0) }
    try context.performAndWait { _ = try stack.expectStatements(0) { try context.save() } }
    drain(peer)
    #expect(zip(kinds, before).map { stack.ledger.count($0) - $1 } == [0, 0, 0, 2, 2])
    #expect(posts.entries == [[0, 0, 0, 0], [1, 0, 0, 0]])
    tokens.forEach { $0.cancel() }
  }

  @Test(arguments: Arrangement.all)
  func `changes made in the will-save of an empty save are saved`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    let context = chain.leaf
    let posts = Journal<[String]>()
    let tokens = [
      context.observeWillSave { save in
        posts.write(save.inserted.map(\.title))
        if !save.context.hasChanges { save.context.insertBook("Emma") }
        #expect(throws: PersistenceError.self) { try save.context.save() }
      },
      context.observeDidSave { posts.write($0.inserted.map(\.title)) },
    ]
    try context.performAndWait { try context.save() }
    #expect(posts.entries == [[], ["Emma"]])
    tokens.forEach { $0.cancel() }
    try chain.saveAll()
    #expect(try stack.storedTitles() == ["Emma"])
  }

  @Test func `changes made in a did-change at the start of an empty save are saved`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma") }
    let context = stack.context()
    let token = context.observeDidChange { change in
      guard let emma = change.refreshed.first else { return }
      if emma.title == "Emma" { emma[Book.note] = "was refreshed" }
    }
    try context.performAndWait {
      let emma = try #require(try context.book("Emma"))
      try context.refresh(emma, mergeChanges: false)
      try context.save()
      #expect(!emma.hasChanges && !context.hasChanges)
    }
    token.cancel()
    #expect(try stack.inStore { try $0.book("Emma")?[Book.note] } == "was refreshed")
  }

  @Test(arguments: [(256, 0), (384, 192), (512, 512), (1_024, 2_048)])
  func `a save into a store comes back to its changes once for each doubling above 256`(
    changeCount: Int, revisited: Int
  ) throws {
    let stack = try Stack()
    let chain = stack.chain(1)
    try chain.leaf.performAndWait {
      for number in 0..<changeCount { chain.leaf.insertBook("\(number)") }
      try chain.leaf.save()
    }
    #expect(stack.ledger.count(.changeRevisited) == 0)
    try chain.saveAll()
    #expect(stack.ledger.count(.changeRevisited) == revisited)
  }

  @Test func `a save is one transaction, plus one if it reserves keys`() throws {
    let stack = try Stack()
    let context = stack.context()
    try context.performAndWait {
      for number in 0..<10 { context.insertBook("Book \(number)", author: context.insertAuthor("A\(number)")) }
      let commits = try stack.count(.commit) { try context.save() }
      #expect(commits == 2)
      for book in try context.books() { book[Book.note] = "changed" }
      let more = try stack.count(.commit) { try context.save() }
      #expect(more == 1)
    }
    #expect(stack.ledger.count(.rowWritten) >= 30)
  }

  @Test func `changes made in will-save are saved`() throws {
    let stack = try Stack()
    let context = stack.context()
    let token = context.observeWillSave { save in
      for object in save.inserted { object[Book.note] = "seen" }
    }
    try context.performAndWait {
      context.insertBook("Emma")
      try context.save()
      #expect(!context.hasChanges)
    }
    token.cancel()
    let note = try stack.inStore { try $0.books().first?[Book.note] }
    #expect(note == "seen")
  }

  @Test func `committedAt is the instant of the commit, and nil after a push`() throws {
    let stack = try Stack()
    let chain = stack.chain(1)
    let journal = Journal<Instant?>()
    let tokens = chain.contexts.map { $0.observeDidSave { save in journal.write(save.committedAt) } }
    chain.leaf.performAndWait { _ = chain.leaf.insertBook("Emma") }
    let before = stack.machine.now
    try chain.saveAll()
    #expect(journal.entries.count == 2 && journal.entries[0] == nil)
    #expect(try #require(journal.entries[1]) >= before)
    tokens.forEach { $0.cancel() }
  }

  @Test(arguments: Arrangement.all)
  func `a rollback discards changes of its own level only`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { context in
      let jane = context.insertAuthor("Jane")
      for title in ["Emma", "Persuasion", "Sanditon"] { context.insertBook(title, author: jane) }
    }
    let context = chain.leaf
    try context.parent?.performAndWait {
      let parent = try #require(context.parent)
      try #require(try parent.book("Emma"))[Book.note] = "parent"
    }
    try context.performAndWait {
      let emma = try #require(try context.book("Emma"))
      let persuasion = try #require(try context.book("Persuasion"))
      let added = context.insertBook("Lady Susan")
      emma[Book.title] = "Changed"
      emma.relate(nil, at: Book.author)
      context.delete(persuasion)
      context.rollback()
      #expect(!context.hasChanges && added.isDeleted && !added.isInserted)
      #expect(emma.title == "Emma" && emma.related(Book.author) != nil && !emma.isUpdated)
      #expect(!persuasion.isDeleted)
      #expect(try context.titles() == ["Emma", "Persuasion", "Sanditon"])
      #expect(emma[Book.note] == (context.parent == nil ? .null : "parent"))
    }
    #expect(try stack.storedTitles() == ["Emma", "Persuasion", "Sanditon"])
  }

  @Test(arguments: Arrangement.all)
  func `a reset drops all objects and changes`(arrangement: Arrangement) throws {
    let (_, chain) = try arrangement.makeStack()
    let context = chain.leaf
    try context.performAndWait {
      let book = context.insertBook("Emma")
      context.reset()
      #expect(book.managedObjectContext == nil)
      #expect(!context.hasChanges && context.registeredObjects.isEmpty)
      #expect(try context.titles().isEmpty)
      try context.save()
    }
  }

  @Test(arguments: Arrangement.all)
  func `a refresh with merging keeps local changes and updates other values`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { $0.insertBook("Emma", year: 1815) }
    let context = chain.leaf
    let book = try context.performAndWait {
      let book = try #require(try context.book("Emma"))
      book[Book.note] = "mine"
      return book
    }
    try changeBelow(context, stack)
    try context.performAndWait {
      #expect(book[Book.year] == 1815)
      try context.refresh(book, mergeChanges: true)
      #expect(book[Book.year] == 1816 && book[Book.note] == "mine" && book.isUpdated)
    }
    try chain.saveAll()
    let values = try stack.inStore { try $0.books().first.map { [$0[Book.year], $0[Book.note]] } }
    #expect(values == [1816, "mine"])
  }

  @Test(arguments: Arrangement.all)
  func `a refresh without merging discards local changes and makes a fault`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { $0.insertBook("Emma", year: 1815) }
    let context = chain.leaf
    try context.performAndWait {
      let book = try #require(try context.book("Emma"))
      book[Book.note] = "mine"
      book[Book.price] = .double(1)
      try changeBelow(context, stack)
      try context.refresh(book, mergeChanges: false)
      #expect(book.isFault && !book.hasChanges && !context.hasChanges)
      #expect(book[Book.year] == 1816 && book[Book.note] != "mine")
      // A later change does not push the discarded values.
      book[Book.isRead] = .boolean(true)
    }
    try chain.saveAll()
    let price = try stack.inStore { try $0.books().first?[Book.price] }
    #expect(price == .null)
  }

  /// Sets the year and the note of the only book in the parent, or in the store through another context.
  private func changeBelow(_ context: ManagedObjectContext, _ stack: Stack) throws {
    let other = context.parent ?? stack.context("other")
    try other.performAndWait {
      let book = try #require(try other.books().first)
      book[Book.year] = 1816
      book[Book.note] = "theirs"
      if context.parent == nil { try other.save() }
    }
  }

  @Test func `a refresh reads the cached row`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma", year: 1815) }
    let other = try Stack(on: stack.folder)
    let context = stack.context()
    try context.performAndWait {
      let book = try #require(try context.book("Emma"))
      #expect(book[Book.year] == 1815)
      try other.seed { context in (try? context.books())?.first?[Book.year] = 1816 }
      try stack.expectStatements(0) { try context.refresh(book, mergeChanges: true) }
      #expect(book[Book.year] == 1815)
    }
  }
}
