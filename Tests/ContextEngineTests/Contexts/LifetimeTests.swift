import ContextEngine
import TestSupport
import Testing

/// Tests of how long objects and rows stay in memory: a block keeps the objects that it uses until it ends, a context
/// keeps changed objects until they are saved, and a reference keeps its object.
@Suite(.onBothStores, .namingTheStore) struct LifetimeTests {
  private func seeded(_ count: Int = 10) throws -> Stack {
    let stack = try Stack()
    try stack.seed { for number in 0..<count { $0.insertBook("Book \(number)") } }
    return stack
  }

  @Test(arguments: [0, 1, 2])
  func `fetched objects and their rows are released at the end of the block`(depth: Int) throws {
    let stack = try seeded()
    let chain = stack.chain(depth)
    try chain.leaf.performAndWait {
      _ = try chain.leaf.books()
      #expect(chain.leaf.registry.count == 10 && stack.coordinator.rowCache.rowCount == 10)
      // Each level above has released its objects.
      for context in chain.contexts.dropLast() { #expect(context.registry.count == 0) }
      for object in chain.leaf.registeredObjects { _ = object.title }
    }
    for context in chain.contexts { #expect(context.registry.count == 0) }
    #expect(stack.coordinator.rowCache.rowCount == 0)
    #expect(stack.coordinator.rowCache.entryCount == 0)
  }

  @Test(arguments: [0, 1, 2])
  func `all levels and the row cache share the row of a new object`(depth: Int) throws {
    let stack = try Stack()
    let chain = stack.chain(depth)
    let book = chain.leaf.performAndWait { chain.leaf.insertBook("New") }
    let held = try chain.contexts.reversed().map { context in
      try context.performAndWait {
        let object = context.object(with: book.objectID)
        try context.save()
        return object
      }
    }
    let rows = zip(held, chain.contexts.reversed()).map { object, context in context.performAndWait { object.snapshot }
    }
    #expect(rows.count == depth + 1 && rows.allSatisfy { $0 != nil && $0 === rows[0] })
    #expect(stack.coordinator.rowCache.rows.map(\.identifier) == rows.prefix(1).compactMap { $0?.identifier })
  }

  @Test func `a nested block ends with its outer block`() throws {
    let stack = try seeded()
    let context = stack.context()
    try context.performAndWait {
      try context.performAndWait { _ = try context.books() }
      #expect(context.registry.count == 10)
    }
    #expect(context.registry.count == 0)
  }

  @Test func `a retained object stays registered, and its row stays cached`() throws {
    let stack = try seeded()
    let context = stack.context()
    var held = try context.performAndWait { try Array(context.books().suffix(2)) }
    #expect(context.performAndWait { context.registeredObjects } == held)
    #expect(stack.coordinator.rowCache.rowCount == 2)
    held.removeLast()
    // The object is released at once, and unregistered at the end of the next block.
    drain(context)
    #expect(context.registry.count == 1 && stack.coordinator.rowCache.rowCount == 1)
    stack.expectStatements(0) { context.performAndWait { #expect(held[0].title == "Book 8") } }
  }

  @Test func `changed objects stay registered until they are saved`() throws {
    let stack = try seeded()
    let context = stack.context()
    try context.performAndWait {
      let books = try context.books()
      books[0][Book.note] = "changed"
      context.delete(books[1])
      context.insertBook("New")
      context.processPendingChanges()
    }
    #expect(context.registry.count == 3)
    try context.performAndWait {
      #expect(context.updatedObjects.map(\.title) == ["Book 0"])
      try context.save()
    }
    #expect(context.registry.count == 0 && stack.coordinator.rowCache.entryCount == 0)
  }

  @Test(arguments: [0, 1])
  func `changed objects stay registered until a rollback`(depth: Int) throws {
    let stack = try seeded()
    let context = stack.chain(depth).leaf
    try context.performAndWait {
      for book in try context.books() { book[Book.note] = "changed" }
      context.insertBook("New")
    }
    #expect(context.registry.count == 11)
    context.performAndWait { context.rollback() }
    #expect(context.registry.count == 0 && stack.coordinator.rowCache.entryCount == 0)
  }

  @Test func `pushed objects stay registered in the parent until its save`() throws {
    let stack = try seeded()
    let chain = stack.chain(1)
    try chain.leaf.performAndWait {
      try #require(try chain.leaf.book("Book 0"))[Book.note] = "changed"
      chain.leaf.insertBook("New")
      try chain.leaf.save()
    }
    #expect(chain.leaf.registry.count == 0 && chain.root.registry.count == 2)
    try chain.root.performAndWait { try chain.root.save() }
    #expect(chain.root.registry.count == 0 && stack.coordinator.rowCache.entryCount == 0)
  }

  @Test func `a cached row is released with its last registered object at any level`() throws {
    let stack = try seeded(1)
    let chain = stack.chain(2)
    let beside = stack.context("beside")
    let objects = try (chain.contexts + [beside]).map { context in
      try context.performAndWait { try #require(try context.books().first) }
    }
    var held: [ManagedObject?] = objects
    _ = consume objects
    for index in held.indices {
      #expect(stack.coordinator.rowCache.rowCount == 1)
      held[index] = nil
      drain((chain.contexts + [beside])[index])
    }
    #expect(stack.coordinator.rowCache.rowCount == 0)
  }

  @Test func `a did-save keeps its rows cached until it is released`() throws {
    let stack = try Stack()
    let worker = stack.context("worker")
    let journal = Journal<SaveNotification>()
    let token = worker.observeDidSave { journal.write($0) }
    try worker.performAndWait {
      for number in 0..<5 { worker.insertBook("Book \(number)") }
      try worker.save()
    }
    #expect(worker.registry.count == 5 && stack.coordinator.rowCache.rowCount == 5)
    let main = stack.context("main")
    stack.expectStatements(0) {
      main.performAndWait {
        main.mergeChanges(fromContextDidSave: journal.entries[0])
        for book in main.registeredObjects { _ = book.title }
      }
    }
    journal.clear()
    drain(worker)
    #expect(worker.registry.count == 0 && stack.coordinator.rowCache.entryCount == 0)
    token.cancel()
  }

  @Test func `the cache entries of saved objects are released with the objects`() throws {
    let stack = try Stack()
    let chain = stack.chain(2)
    var held = chain.leaf.performAndWait { (0..<5).map { chain.leaf.insertBook("Book \($0)") } }
    try chain.saveAll()
    #expect(held.count == 5 && stack.coordinator.rowCache.entryCount == 5 && stack.coordinator.rowCache.rowCount == 5)
    held = []
    drain(chain.leaf)
    #expect(stack.coordinator.rowCache.entryCount == 0)
  }

  @Test func `a reset unregisters all objects at once`() throws {
    let stack = try seeded()
    let context = stack.context()
    try context.performAndWait {
      let books = Array(try context.books())
      context.insertBook("New")
      context.reset()
      #expect(context.registry.count == 0 && stack.coordinator.rowCache.entryCount == 0)
      withExtendedLifetime(books) {}
    }
    #expect(context.registry.count == 0 && stack.coordinator.rowCache.entryCount == 0)
  }

  @Test func `objects without a context are orphans, and their cached rows are released`() throws {
    let stack = try seeded()
    var held: [ManagedObject] = []
    do {
      let context = stack.context()
      held = try context.performAndWait { Array(try context.books()) }
    }
    #expect(stack.coordinator.rowCache.entryCount == 0)
    #expect(held.allSatisfy { $0.managedObjectContext == nil })
    held = []
    #expect(stack.coordinator.rowCache.entryCount == 0)
  }

  @Test func `a fetch result retains its loaded objects`() throws {
    let stack = try seeded()
    let context = stack.context()
    var request = FetchRequest.books()
    request.fetchBatchSize = 4
    let list = try context.performAndWait {
      let list = try context.fetch(request)
      _ = list[5]
      return list
    }
    #expect(list.loadedCount == 4 && context.registry.count == 4)
  }

  @Test func `a saved or merged deletion unregisters an object even if it is retained`() throws {
    let stack = try seeded()
    let main = stack.context("main")
    let worker = stack.context("worker")
    main.performAndWait { main.automaticallyMergesChangesFromParent = true }
    let held = try main.performAndWait { Array(try main.books()) }
    try worker.performAndWait {
      let books = Array(try worker.books())
      for book in books { worker.delete(book) }
      try worker.save()
    }
    drain(main)
    drain(main)
    #expect(worker.registry.count == 0 && main.registry.count == 0)
    #expect(stack.coordinator.rowCache.entryCount == 0)
    main.performAndWait { #expect(held.allSatisfy { $0.isDeleted }) }
  }
}
