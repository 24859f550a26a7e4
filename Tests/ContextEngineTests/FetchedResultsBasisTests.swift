import MachineCore
import Testing

@testable import ContextEngine

/// What a controller's list is based on: the end of an event, from which on it hears of everything.
@Suite(.onBothStores, .namingTheStore) struct FetchedResultsBasisTests {
  /// What happens before a list is fetched and after that, in one event.
  struct Event: Sendable, CustomStringConvertible {
    var description: String
    var before: @Sendable (ManagedObjectContext, [ManagedObject]) -> Void
    var after: @Sendable (ManagedObjectContext, [ManagedObject]) -> Void
    /// The list at its end.
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
  func `a list that is fetched in the middle of an event hears of all that comes after`(
    event: Event, depth: Int
  ) throws {
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
}
