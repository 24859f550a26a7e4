import ContextEngine
import MachineCore
import PredicateFormats
import TestSupport
import Testing

/// Deliberate differences from Core Data that no other suite shows: the laws behind items of
/// `DivergencesFromCoreData.md`.
@Suite(.onBothStores, .namingTheStore) struct DivergenceTests {
  // MARK: Objects

  @Test(arguments: Arrangement.all)
  func `members of an unordered relationship are sorted by key, unsaved ones last`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { context in
      let jane = context.insertAuthor("Jane")
      for title in ["Z", "A", "M"] { context.insertBook(title, author: jane) }
    }
    try chain.leaf.performAndWait {
      let jane = try #require(try chain.leaf.fetch(FetchRequest(Author.entity)).first)
      chain.leaf.insertBook("B", author: jane)
      #expect(jane.relatedObjects(Author.books).map(\.title) == ["Z", "A", "M", "B"])
    }
  }

  @Test(arguments: Arrangement.all)
  func `relating two faults fires both, and changedValues excludes the to-many end`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { context in
      context.insertAuthor("Jane")
      context.insertBook("Emma")
    }
    try chain.leaf.performAndWait {
      let jane = try #require(try chain.leaf.fetch(FetchRequest(Author.entity)).first)
      let emma = try #require(try chain.leaf.fetch(FetchRequest(Book.entity)).first)
      #expect(jane.isFault && emma.isFault)
      emma.relate(jane, at: Book.author)
      #expect(!jane.isFault && !emma.isFault && jane.isUpdated && emma.isUpdated)
      #expect(emma.changedValues() == ["author": .object(jane.objectID)])
      #expect(jane.changedValues().isEmpty && jane.hasPersistentChangedValues)
    }
  }

  @Test(arguments: [0, 1])
  func `hasChanges is true in willSave and false in didSave`(depth: Int) throws {
    let seen = Journal<[Bool]>()
    let diary = Diary(writing: []) { callbacks in
      callbacks.willSave = { seen.write([$0.isInserted, $0.isUpdated, $0.hasChanges]) }
      callbacks.didSave = { seen.write([$0.isInserted, $0.isUpdated, $0.hasChanges]) }
    }
    let context = try Stack(model: diary.model).chain(depth).leaf
    try context.performAndWait {
      let entry = context.insert(diary.entity)
      try context.save()
      entry["text"] = "changed"
      try context.save()
    }
    let none = [false, false, false]
    #expect(seen.entries == [[true, false, true], none, [false, true, true], none])
  }

  @Test func `a reset calls no willTurnIntoFault`() throws {
    let diary = Diary(writing: [.turningIntoFault])
    let stack = try Stack(model: diary.model)
    try diary.seed(stack)
    let context = stack.context()
    try context.performAndWait {
      let entry = try #require(try context.only(diary.entity))
      try entry.fulfillFault()
      context.reset()
      #expect(diary.read().isEmpty)
    }
  }

  @Test(arguments: [0, 1])
  func `values set in awakeFromSnapshotEvents are no changes`(depth: Int) throws {
    let diary = Diary(writing: []) { $0.awakeFromSnapshotEvents = { object, _ in object["length"] = 7 } }
    let stack = try Stack(model: diary.model)
    try diary.seed(stack)
    let context = stack.chain(depth).leaf
    try context.performAndWait {
      let entry = try #require(try context.only(diary.entity))
      entry["text"] = "changed"
      context.rollback()
      #expect(entry["length"] == 7 && !entry.hasChanges && !context.hasChanges)
      context.processPendingChanges()
      try stack.expectStatements(0) { try context.save() }
    }
  }

  // MARK: Saving and merging

  /// Both sides change Emma. Persuasion is deleted here and changed there, and Sanditon changed here and deleted there.
  @Test func `a did-save excludes deletions and changes that the rollback policy discards`() throws {
    let stack = try Stack()
    try stack.seed { context in for title in ["Emma", "Persuasion", "Sanditon"] { context.insertBook(title) } }
    let context = stack.context()
    context.mergePolicy = .rollback
    let listener = NotificationTests.Listener(context)
    try context.performAndWait {
      let books = Array(try context.books())
      for book in [books[0], books[2]] { book[Book.note] = "mine" }
      context.delete(books[1])
      try stack.seed { context in
        guard let books = try? context.books() else { return }
        for book in books.prefix(2) { book[Book.note] = "theirs" }
        context.delete(books[2])
      }
      try context.save()
      #expect(books.map(\.isDeleted) == [false, false, true] && !context.hasChanges)
    }
    let posts = listener.posts.entries
    let asked = NotificationTests.Payload(updated: ["Emma", "Sanditon"], deleted: ["Persuasion"])
    #expect(posts.prefix(2).map(\.payload) == [asked, asked])
    #expect(posts.last == .init(kind: "did-save", payload: .init(updated: ["Emma"])))
    // The did-change lists the restored object, the deleted one and the one with new values.
    let settled = NotificationTests.Payload(inserted: ["Persuasion"], deleted: ["Sanditon"], refreshed: ["Emma"])
    #expect(posts.count == 4 && posts[2] == .init(kind: "did-change", payload: settled), "\(posts)")
  }

  @Test func `a merged update keeps a pending deletion, whose save then conflicts`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma") }
    let context = stack.context()
    context.performAndWait { context.automaticallyMergesChangesFromParent = true }
    let book = try context.performAndWait {
      let book = try #require(try context.book("Emma"))
      context.delete(book)
      return book
    }
    try stack.seed { context in (try? context.book("Emma"))??[Book.note] = "theirs" }
    drain(context)
    try context.performAndWait {
      #expect(book.isDeleted && context.deletedObjects == [book])
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .managedObjectMerge && error?.objectIDs == [book.objectID])
      context.mergePolicy = .objectTrump
      try context.save()
    }
    #expect(try stack.storedTitles().isEmpty)
  }

  // MARK: Fetching

  @Test(arguments: [0, 1, 2])
  func `propertiesToFetch loads partial objects in a root context and whole ones in a child`(depth: Int) throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma", year: 1815) }
    let context = stack.chain(depth).leaf
    try context.performAndWait {
      var request = FetchRequest.books()
      request.propertiesToFetch = [Book.title, Book.year]
      let book = try #require(try context.fetch(request).first)
      #expect(book.title == "Emma")
      stack.expectStatements(depth == 0 ? 1 : 0) { #expect(book[Book.note] == .null) }
    }
  }

  @Test func `a fetch of object IDs reads rows only if unsaved objects must be sorted`() throws {
    for hasUnsaved in [false, true] {
      let stack = try Stack()
      try stack.seed { context in for title in ["Emma", "Sanditon"] { context.insertBook(title) } }
      let context = stack.context()
      try context.performAndWait {
        if hasUnsaved { context.insertBook("Persuasion") }
        let objectIDs = try context.fetchObjectIDs(.books())
        #expect(objectIDs.map(\.isTemporaryID) == (hasUnsaved ? [false, true, false] : [false, false]))
        // The object is realised already, or its fault fires now.
        stack.expectStatements(hasUnsaved ? 0 : 1) {
          #expect(context.object(with: objectIDs[0]).title == "Emma")
        }
      }
    }
  }

  @Test func `sums of decimals and conditions on transient attributes throw`() throws {
    let model = ManagedObjectModel([
      .init(
        "Item",
        attributes: [
          .init("price", .decimal), .init("count", .integer64), .init("draft", .integer64, isTransient: true),
        ])
    ])
    let item = model.entity("Item")
    try Stack(model: model).inStore { context in
      var sum = FetchRequest(item)
      sum.expressionsToFetch = [ExpressionDescription("sum", function: .sum, of: item.path("price"))]
      let error = #expect(throws: PersistenceError.self) { try context.fetchDictionaries(sum) }
      #expect(error?.code == .invalidPredicate && error?.message.contains("values that are not numbers") == true)
      let drafts = #expect(throws: PersistenceError.self) {
        try context.fetch(FetchRequest(item, predicate: FetchPredicate(format: "draft > 1", for: item, in: model)))
      }
      #expect(drafts?.code == .invalidPredicate && drafts?.message.contains("Item.draft is transient") == true)
      sum.expressionsToFetch = [ExpressionDescription("sum", function: .sum, of: item.path("count"))]
      let sums = try context.fetchDictionaries(sum)
      #expect(sums.map(\.values) == [[0]])
    }
  }

  @Test func `a predicate with the option l throws`() {
    let error = #expect(throws: PersistenceError.self) {
      try FetchPredicate(format: "title ==[l] 'a'", for: Book.entity, in: Library.model)
    }
    #expect(error?.code == .invalidPredicate && error?.message.contains("“l” is not an option") == true)
  }

  @Test(arguments: SeveralStores.Setting.all)
  func `dictionary fetches combine and aggregate the rows of several stores`(setting: SeveralStores.Setting) throws {
    let bench = try SeveralStores(setting)
    try bench.seed(4)
    try bench.leaf.performAndWait {
      var request = FetchRequest(Desk.note, sortDescriptors: [FetchSortDescriptor(Desk.rank, isAscending: false)])
      request.propertiesToFetch = [Desk.text]
      let rows = try bench.leaf.fetchDictionaries(request)
      #expect(rows.map(\.values) == [["note 3"], ["note 2"], ["note 1"], ["note 0"]])
      var total = FetchRequest(Desk.note)
      total.expressionsToFetch = [.count("count"), ExpressionDescription("sum", function: .sum, of: Desk.rank)]
      #expect(try bench.leaf.fetchDictionaries(total).map(\.values) == [[4, 6]])
    }
  }
}

/// Differences that exist on SQLite stores only, or that stop the process.
@Suite struct SQLiteDivergenceTests {
  @Test(arguments: [3, 10])
  func `a save retries up to ten times if other writers change its rows`(times: Int) throws {
    let left = Guarded<(path: String, count: Int)>(("", 0))
    let overtaking = Journal<[[String]]>()
    let stack = try Stack(onStatement: { sql in
      guard sql.hasPrefix("BEGIN") else { return }
      let path = left.withLock { left -> String? in
        guard left.count > 0 else { return nil }
        left.count -= 1
        return left.path
      }
      // Another writer changes the rows between the save's check and its transaction.
      if let path, let rows = try? plainRows(path, "UPDATE ZBOOK SET Z_OPT = Z_OPT + 1, ZYEAR = Z_OPT RETURNING Z_OPT")
      {
        overtaking.write(rows)
      }
    })
    try stack.seed { $0.insertBook("Emma") }
    let context = stack.context()
    context.mergePolicy = .objectTrump
    try context.performAndWait {
      let book = try #require(try context.book("Emma"))
      book[Book.note] = "mine"
      left.withLock { $0 = (stack.folder.storePath, times) }
      if times < 10 {
        try context.save()
        #expect(book[Book.year] == .integer(Int64(times)) && book.version == Int64(times) + 2 && !book.hasChanges)
      } else {
        let error = #expect(throws: PersistenceError.self) { try context.save() }
        #expect(error?.code == .managedObjectMerge && error?.objectIDs == [book.objectID])
        #expect(error?.message.contains("10 times in a row") == true && book.isUpdated)
        try context.save()
      }
      #expect(overtaking.count == times)
    }
    let note = try Stack(on: stack.folder).inStore { try $0.book("Emma")?[Book.note] }
    #expect(note == "mine")
  }
}
