import ContextEngine
import TestSupport
import Testing

/// Tests of the cost that the unsaved objects of a context, and of the contexts above it, add to a fetch.
@Suite(.onBothStores, .namingTheStore) struct PendingObjectTests {
  private static let isNew = FetchPredicate.comparison(Book.year, .greater, 1900)

  @Test(arguments: [0, 1, 7])
  func `a fetch tests each unsaved object of its entity once`(pendingCount: Int) throws {
    let stack = try Stack()
    try stack.seed { for number in 0..<5 { $0.insertBook("saved \(number)") } }
    let context = stack.context()
    context.performAndWait {
      for number in 0..<pendingCount { context.insertBook("unsaved \(number)") }
      _ = context.insertAuthor("of another entity")
    }
    for predicate in [Self.isNew, nil] {
      let tested = try stack.count(.objectTested) {
        try context.performAndWait { _ = try context.books(where: predicate) }
      }
      #expect(tested == pendingCount)
    }
  }

  @Test func `a fetch tests changed objects and skips unchanged and deleted ones`() throws {
    let stack = try Stack()
    try stack.seed { for number in 0..<5 { $0.insertBook("book \(number)") } }
    let context = stack.context()
    let tested = try stack.count(.objectTested) {
      try context.performAndWait {
        let books = try context.books()
        books[0][Book.note] = "changed"
        books[1][Book.note] = "changed"
        context.delete(books[2])
        _ = try context.books(where: Self.isNew)
      }
    }
    #expect(tested == 2)
  }

  @Test func `a fetch without pending changes tests no objects`() throws {
    let stack = try Stack()
    let context = stack.context()
    let tested = try stack.count(.objectTested) {
      try context.performAndWait {
        context.insertBook("unsaved")
        var request = FetchRequest(Book.entity, predicate: Self.isNew)
        request.includesPendingChanges = false
        _ = try context.fetch(request)
      }
    }
    #expect(tested == 0)
  }

  @Test(arguments: Arrangement.nested)
  func `each level of contexts tests its unsaved objects until they are saved`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    let fetch = {
      try stack.count(.objectTested) {
        try chain.leaf.performAndWait { _ = try chain.leaf.books(where: Self.isNew) }
      }
    }
    chain.leaf.performAndWait {
      for number in 0..<3 { chain.leaf.insertBook("unsaved \(number)") }
    }
    // The objects move up level by level, and only the level that has them tests them.
    for context in chain.contexts.reversed() {
      #expect(try fetch() == 3)
      try context.performAndWait { try context.save() }
    }
    #expect(try fetch() == 0)
  }

  @Test func `a fetch tests the unsaved objects of every level`() throws {
    let stack = try Stack()
    let chain = stack.chain(2)
    for (count, context) in zip(1..., chain.contexts) {
      context.performAndWait {
        for number in 0..<count { context.insertBook("\(context.name) \(number)") }
      }
    }
    let tested = try stack.count(.objectTested) {
      let found = try chain.leaf.performAndWait { try chain.leaf.books().count }
      #expect(found == 6)
    }
    // The leaf has three unsaved objects, the middle two and the root one.
    #expect(tested == 6)
  }

  @Test func `a controller tests each changed object of its entity once an event`() throws {
    let stack = try Stack()
    let context = stack.context()
    let replica = try context.performAndWait {
      let controller = FetchedResultsController(fetchRequest: .books(), managedObjectContext: context)
      try controller.performFetch()
      return Replica(controller)
    }
    let tested = stack.count(.objectTested) {
      context.performAndWait {
        for number in 0..<4 { context.insertBook("book \(number)") }
        _ = context.insertAuthor("of another entity")
        context.processPendingChanges()
      }
    }
    #expect(tested == 4)
    #expect(replica.objects.count == 4)
  }

  @Test func `a parent's tests are counted before its queue is released`() throws {
    let stack = try Stack()
    let chain = stack.chain(1)
    try chain.leaf.performAndWait {
      chain.leaf.insertBook("unsaved")
      try chain.leaf.save()
    }
    try chain.leaf.performAndWait {
      let before = stack.ledger.count(.objectTested)
      _ = try chain.leaf.books(where: Self.isNew)
      // The child's block has not ended, but the parent's has.
      #expect(stack.ledger.count(.objectTested) == before + 1)
    }
  }
}
