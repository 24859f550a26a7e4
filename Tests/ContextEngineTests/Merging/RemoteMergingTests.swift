import ContextEngine
import Dispatch
import TestSupport
import Testing

/// The merge of object IDs that no context here has saved: `mergeChanges(fromRemoteContextSave:into:)`.
@Suite struct RemoteMergingTests {
  private func update(_ context: ManagedObjectContext, year: Int64) throws -> [ObjectID] {
    var request = BatchUpdateRequest(Book.entity, propertiesToUpdate: [Book.year: .constant(.integer(year))])
    request.resultType = .objectIDs
    return try context.executeAndWait(request).objectIDs
  }

  @Test(arguments: Arrangement.all)
  func `merging IDs registers insertions, refreshes updates and deletes deletions at every level`(
    _ arrangement: Arrangement
  ) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { for number in 1...3 { $0.insertBook("\(number)", year: 1800) } }
    let held = chain.contexts.map { context in
      context.performAndWait {
        let books = (1...3).map { context.object(with: ObjectID(entity: Book.entity.index, key: $0)) }
        for book in books { _ = book.title }
        return books
      }
    }
    let journal = Journal<String>()
    for context in chain.contexts {
      _ = context.observeDidChange { [name = context.name] change in
        let counts = [change.inserted, change.updated, change.deleted, change.refreshed].map(\.count)
        journal.write("\(name) \(counts)")
      }
    }
    let worker = stack.context("worker")
    var insertion = BatchInsertRequest(Book.entity, objects: [["title": "4"], ["title": "5"]])
    insertion.resultType = .objectIDs
    let inserted = try worker.executeAndWait(insertion).objectIDs
    let updated = try update(worker, year: 1900)
    let deletion = BatchDeleteRequest(objectIDs: [held[0][0].objectID])
    try worker.executeAndWait(deletion)
    let changes: [ChangedObjectIDsKey: [ObjectID]] = [
      .inserted: inserted, .updated: Array(updated.dropFirst()), .deleted: [held[0][0].objectID],
    ]
    // The children are first, because the order of the contexts must not matter.
    try ManagedObjectContext.mergeChanges(fromRemoteContextSave: changes, into: chain.contexts.reversed())
    #expect(journal.entries == chain.contexts.map { "\($0.name) [2, 0, 1, 2]" })
    for (context, books) in zip(chain.contexts, held) {
      context.performAndWait {
        #expect(books[0].isDeleted)
        #expect(books.dropFirst().allSatisfy { $0[Book.year] == 1900 && !$0.hasChanges })
      }
    }
    #expect(try chain.leaf.titlesAndWait() == ["2", "3", "4", "5"])
  }

  /// Core Data's header gives the reason for the method: it merges into several contexts, and nested ones, more
  /// efficiently.
  @Test func `one statement per entity reads the rows for all contexts`() throws {
    let stack = try Stack()
    try stack.seed { for number in 1...50 { $0.insertBook("\(number)") } }
    let contexts = (1...3).map { stack.context("context \($0)") }
    let held = try contexts.map { context in
      try context.performAndWait {
        let books = try context.books()
        for book in books { _ = book.title }
        return books
      }
    }
    let updated = try update(stack.context("worker"), year: 1900)
    try stack.expectStatements(1) {
      try ManagedObjectContext.mergeChanges(fromRemoteContextSave: [.updated: updated], into: contexts)
    }
    for (context, books) in zip(contexts, held) {
      context.performAndWait { #expect(books.allSatisfy { $0[Book.year] == 1900 && $0.version == 2 }) }
    }
  }

  @Test func `merging IDs replaces cached rows, which a refresh keeps`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma", year: 1815) }
    let context = stack.context()
    try context.performAndWait {
      let book = try #require(try context.book("Emma"))
      #expect(book[Book.year] == 1815)
      let updated = try update(context, year: 1900)
      try context.refresh(book, mergeChanges: false)
      #expect(book[Book.year] == 1815, "the row cache has kept the row")
      try ManagedObjectContext.mergeChanges(fromRemoteContextSave: [.updated: updated], into: [context])
      #expect(book[Book.year] == 1900)
    }
  }

  @Test func `merging IDs keeps local changes, which then save without a conflict`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma", year: 1815) }
    let context = stack.context()
    try context.performAndWait {
      let book = try #require(try context.book("Emma"))
      book[Book.note] = "mine"
      let updated = try update(context, year: 1900)
      try ManagedObjectContext.mergeChanges(fromRemoteContextSave: [.updated: updated], into: [context])
      #expect(book[Book.note] == "mine" && book[Book.year] == 1900 && book.isUpdated)
      try context.save()
      #expect(book.version == 3)
    }
  }

  @Test func `a child of the calling context merges later to avoid a deadlock`() throws {
    let stack = try Stack()
    let chain = stack.chain(1)
    var insertion = BatchInsertRequest(Book.entity, objects: [["title": "Emma"]])
    insertion.resultType = .objectIDs
    let journal = Journal<String>()
    for context in chain.contexts {
      _ = context.observeDidChange { [name = context.name] _ in journal.write(name) }
    }
    // The leaf's queue is blocked until the caller's block has ended, so a merge that waited for it would never return.
    let isOver = DispatchSemaphore(value: 0)
    chain.leaf.perform { isOver.wait() }
    try chain.root.performAndWait {
      defer { isOver.signal() }
      let inserted = try chain.root.execute(insertion).objectIDs
      // The leaf waits for the root now or soon, so a merge that waited for the leaf would never return.
      chain.leaf.perform { chain.root.performAndWait {} }
      try ManagedObjectContext.mergeChanges(fromRemoteContextSave: [.inserted: inserted], into: chain.contexts)
      #expect(journal.entries.first == "root")
    }
    drain(chain.leaf)
    #expect(journal.entries == ["root", "level 1"])
  }

  @Test func `each context reads rows from its own coordinator`() throws {
    let folder = try TemporaryFolder()
    let stacks = try (0..<2).map { _ in try Stack(on: folder) }
    try stacks[0].seed { $0.insertBook("Emma", year: 1815) }
    let contexts = stacks.map { $0.context() }
    let held = try contexts.map { context in
      try context.performAndWait {
        let book = try #require(try context.book("Emma"))
        #expect(book[Book.year] == 1815)
        return book
      }
    }
    let updated = try update(stacks[0].context("worker"), year: 1900)
    try ManagedObjectContext.mergeChanges(fromRemoteContextSave: [.updated: updated], into: contexts)
    for (context, book) in zip(contexts, held) { context.performAndWait { #expect(book[Book.year] == 1900) } }
  }
}
