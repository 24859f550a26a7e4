import ContextEngine
import TestSupport
import Testing

/// Tests of changes by other contexts that a controller misses, and of the remedy.
///
/// Kugler ("Core Data stack performance shootout", 2013), RestKit and CoreStore report of Core Data that a merge skips
/// objects that the receiving context has not realised, so that a controller with a predicate is not notified of
/// objects that begin to match. The remedy is to fire every updated object first, at the cost of a fault for each.
@Suite(.onBothStores, .namingTheStore) struct MissedUpdateTests {
  private let stack: Stack
  private let main: ManagedObjectContext
  private let worker: ManagedObjectContext
  private let saves = Journal<SaveNotification>()

  init() throws {
    stack = try Stack()
    try stack.seed { context in
      for number in 0..<6 { context.insertBook("Book \(number)", year: number < 3 ? 1900 : 2000) }
    }
    main = stack.context("main")
    worker = stack.context("worker")
    _ = worker.observeDidSave { [weak saves] in saves?.write($0) }
  }

  /// Returns a list of the books of 1900, whose objects have not been realised.
  private func list() throws -> Replica {
    let controller = FetchedResultsController(
      fetchRequest: .books(where: .equal(Book.year, 1900)), managedObjectContext: main)
    try controller.performFetch()
    return Replica(controller)
  }

  /// Sets the year of book 5 to 1900 and of book 2 to 2000, and returns the did-save.
  private func change() throws -> SaveNotification {
    try worker.performAndWait {
      let books = try worker.books()
      books[5][Book.year] = 1900
      books[2][Book.year] = 2000
      try worker.save()
    }
    return try #require(saves.entries.last)
  }

  @Test func `a merge misses a fault that begins to match`() throws {
    let replica = try main.performAndWait { try list() }
    let save = try change()
    main.performAndWait {
      main.mergeChanges(fromContextDidSave: save)
      #expect(replica.objects.count == 3 && replica.eventCount == 0)
    }
  }

  @Test func `a merge updates the list for realised objects that begin or cease to match`() throws {
    let (replica, held) = try main.performAndWait {
      let held = Array(try main.books())
      for book in held { _ = book.title }
      return (try list(), held)
    }
    let save = try change()
    main.performAndWait {
      main.mergeChanges(fromContextDidSave: save)
      #expect(replica.objects.map(\.title) == ["Book 0", "Book 1", "Book 5"])
      #expect(replica.reports.map(\.change) == [.delete(from: 2), .insert(at: 2)])
    }
    withExtendedLifetime(held) {}
  }

  @Test(arguments: [false, true])
  func `firing faults before the merge updates the list for every updated object`(automatically: Bool) throws {
    let replica = try main.performAndWait {
      main.firesUpdatedObjectsBeforeMerging = automatically
      main.automaticallyMergesChangesFromParent = automatically
      return try list()
    }
    let fired = stack.ledger.count(.faultFired)
    let save = try change()
    if automatically {
      drain(main)
    } else {
      main.performAndWait { main.mergeChanges(fromContextDidSave: save, firingUpdatedObjects: true) }
    }
    main.performAndWait {
      #expect(replica.objects.map(\.title) == ["Book 0", "Book 1", "Book 5"])
      #expect(replica.eventCount == 1)
    }
    // Two faults fire in the worker, and two here. The list's searches may fire others.
    #expect(stack.ledger.count(.faultFired) >= fired + 4)
  }

  @Test func `firing faults before the merge moves an object whose sort key changed`() throws {
    let replica = try main.performAndWait { try list() }
    try worker.performAndWait {
      try #require(try worker.book("Book 0"))[Book.title] = "Book 9"
      try worker.save()
    }
    let save = try #require(saves.entries.last)
    main.performAndWait {
      main.mergeChanges(fromContextDidSave: save, firingUpdatedObjects: true)
      #expect(replica.reports.map(\.change) == [.move(from: 0, to: 2)])
      #expect(replica.objects.map(\.title) == ["Book 1", "Book 2", "Book 9"])
    }
  }

  // A cell reads a row that is saved and not yet merged. The merge then finds no change to refresh.
  @Test func `an object read between save and merge moves in the list`() throws {
    let replica = try main.performAndWait { try list() }
    try worker.performAndWait {
      try #require(try worker.book("Book 0"))[Book.title] = "Book 9"
      try worker.save()
    }
    let save = try #require(saves.entries.last)
    try main.performAndWait {
      let read = try #require(replica.objects.first)
      #expect(read.title == "Book 9")
      main.mergeChanges(fromContextDidSave: save, firingUpdatedObjects: true)
      #expect(replica.objects.map(\.title) == ["Book 1", "Book 2", "Book 9"])
    }
  }

  @Test func `firing before the merge skips an updated object that is deleted`() throws {
    let replica = try main.performAndWait { try list() }
    let save = try change()
    try stack.seed { context in
      if let book = try? context.book("Book 5") { context.delete(book) }
    }
    main.performAndWait {
      main.shouldDeleteInaccessibleFaults = false
      main.mergeChanges(fromContextDidSave: save, firingUpdatedObjects: true)
      #expect(replica.objects.map(\.title) == ["Book 0", "Book 1"])
    }
  }

  @Test func `a listed object without a row is reported as deleted`() throws {
    let replica = try main.performAndWait { try list() }
    let held = try main.performAndWait { Array(try #require(replica.controller.fetchedObjects)) }
    try stack.seed { context in
      if let book = try? context.book("Book 1") { context.delete(book) }
    }
    try main.performAndWait {
      // The fault fires without finding a row, and the refresh reports the deletion to the list.
      try main.refresh(held[1], mergeChanges: false)
      main.processPendingChanges()
      #expect(replica.reports.map(\.change) == [.delete(from: 1)])
      #expect(replica.objects.count == 2)
    }
  }
}
