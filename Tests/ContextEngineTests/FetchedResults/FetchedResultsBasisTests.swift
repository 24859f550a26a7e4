import ContextEngine
import TestSupport
import Testing

/// Tests of the state that a controller's list is based on: the fetch, after which the list receives all changes of the
/// event, and the rows by which it is sorted.
@Suite(.onBothStores, .namingTheStore) struct FetchedResultsBasisTests {
  /// Changes before a list is fetched and after the fetch, in one event.
  struct Event: Sendable, CustomStringConvertible {
    var description: String
    var before: @Sendable (ManagedObjectContext, [ManagedObject]) -> Void
    var after: @Sendable (ManagedObjectContext, [ManagedObject]) -> Void
    /// The titles of the list at the end of the event.
    var titles: [String]

    static let all = [
      Event(
        description: "a new object is rolled back", before: { context, _ in context.insertBook("C", year: 1900) },
        after: { context, _ in context.rollback() }, titles: ["B", "D", "F"]),
      Event(
        description: "a new object is deleted", before: { context, _ in context.insertBook("C", year: 1900) },
        after: { context, _ in context.insertedObjects.forEach(context.delete) }, titles: ["B", "D", "F"]),
      Event(
        description: "a new object gets another sort key",
        before: { context, _ in context.insertBook("C", year: 1900) },
        after: { context, _ in context.insertedObjects[0][Book.title] = "G" }, titles: ["B", "D", "F", "G"]),
      Event(
        description: "a new object ceases to match", before: { context, _ in context.insertBook("C", year: 1900) },
        after: { context, _ in context.insertedObjects[0][Book.year] = 2000 }, titles: ["B", "D", "F"]),
      Event(
        description: "a new object begins to match", before: { context, _ in context.insertBook("C", year: 2000) },
        after: { context, _ in context.insertedObjects[0][Book.year] = 1900 }, titles: ["B", "C", "D", "F"]),
      Event(
        description: "a deletion is rolled back", before: { context, books in context.delete(books[1]) },
        after: { context, _ in context.rollback() }, titles: ["B", "D", "F"]),
      Event(
        description: "a change is rolled back", before: { _, books in books[1][Book.title] = "G" },
        after: { context, _ in context.rollback() }, titles: ["B", "D", "F"]),
    ]
  }

  @Test(arguments: Event.all, [0, 2])
  func `a list fetched in mid-event receives all later changes`(event: Event, depth: Int) throws {
    let stack = try Stack()
    try stack.seed { context in for title in "BDF" { context.insertBook(String(title), year: 1900) } }
    let context = stack.chain(depth).leaf
    try context.performAndWait {
      let books = try context.books()
      event.before(context, books)
      let request = FetchRequest.books(where: .equal(Book.year, 1900))
      let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
      try controller.performFetch()
      let replica = Replica(controller)
      event.after(context, books)
      context.processPendingChanges()
      #expect(replica.objects.map(\.title) == event.titles)
      #expect(controller.fetchedObjects.map(Array.init) == replica.objects)
      #expect(try Array(context.fetch(request)) == replica.objects)
    }
  }

  // MARK: The order

  private func seeded(_ titles: [String]) throws -> (stack: Stack, main: ManagedObjectContext) {
    let stack = try Stack()
    try stack.seed { context in for title in titles { context.insertBook(title) } }
    return (stack, stack.context("main"))
  }

  /// Returns the did-save of changes that a separate context saves.
  private func save(_ stack: Stack, _ change: (ManagedObjectContext) throws -> Void) throws -> SaveNotification {
    let saves = Journal<SaveNotification>()
    let worker = stack.context("worker")
    let token = worker.observeDidSave { saves.write($0) }
    defer { token.cancel() }
    try worker.performAndWait {
      try change(worker)
      try worker.save()
    }
    return try #require(saves.entries.first)
  }

  private func list(_ main: ManagedObjectContext, isAscending: Bool = true) throws -> Replica {
    let request = FetchRequest(
      Book.entity, sortDescriptors: [FetchSortDescriptor(Book.title, isAscending: isAscending)])
    let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: main)
    try controller.performFetch()
    return Replica(controller)
  }

  // The first beginning fits into the bytes that a search compares first, and the second is longer.
  @Test(arguments: ["", "Once upon a time, "], [true, false])
  func `a binary search handles a row read before its merge, which moves the row`(
    beginning: String, isAscending: Bool
  ) throws {
    let titles = { (letters: String) in
      (isAscending ? Array(letters) : letters.reversed()).map { beginning + String($0) }
    }
    let (stack, main) = try seeded(titles("BDFHJLN"))
    let replica = try main.performAndWait { try list(main, isAscending: isAscending) }
    let insertion = try save(stack) { $0.insertBook(beginning + "E") }
    let renaming = try save(stack) { try #require(try $0.book(beginning + "H"))[Book.title] = .string(beginning + "A") }
    try main.performAndWait {
      // The search for the inserted book begins in the middle of the list, at the renamed one. Firing its fault reads
      // the new title.
      main.mergeChanges(fromContextDidSave: insertion)
      #expect(replica.objects.map(\.title) == titles("BDEFAJLN"))
      main.mergeChanges(fromContextDidSave: renaming)
      #expect(replica.objects.map(\.title) == titles("ABDEFJLN"))
      #expect(replica.controller.fetchedObjects.map(Array.init) == replica.objects)
      let found = Array(try main.fetch(replica.controller.fetchRequest))
      #expect(found == replica.objects)
    }
  }

  @Test func `a binary search handles an object older than the list`() throws {
    let (stack, main) = try seeded(["B", "D", "F", "H", "J", "L", "N"])
    let held = try main.performAndWait {
      let books = try main.books()
      for book in books { _ = book.title }
      return books
    }
    let renaming = try save(stack) { try #require(try $0.book("D"))[Book.title] = "M" }
    try main.performAndWait {
      let replica = try list(main)
      #expect(replica.objects.map(\.title) == ["B", "F", "H", "J", "L", "D", "N"])
      main.insertBook("K")
      main.processPendingChanges()
      #expect(replica.objects.map(\.title) == ["B", "F", "H", "J", "K", "L", "D", "N"])
      main.mergeChanges(fromContextDidSave: renaming)
      #expect(replica.objects.map(\.title) == ["B", "F", "H", "J", "K", "L", "M", "N"])
    }
    withExtendedLifetime(held) {}
  }
}
