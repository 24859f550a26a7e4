import ContextEngine
import TestSupport
import Testing

@Suite(.onBothStores, .namingTheStore) struct FetchedResultsTests {
  /// Returns the replica of a list of books.
  private func replicate(_ context: ManagedObjectContext, where predicate: FetchPredicate? = nil) throws -> Replica {
    let controller = FetchedResultsController(
      fetchRequest: .books(where: predicate), managedObjectContext: context)
    try controller.performFetch()
    return Replica(controller)
  }

  private func seeded(_ titles: String = "BDFH") throws -> Stack {
    let stack = try Stack()
    try stack.seed { context in for title in titles { context.insertBook(String(title), year: 1900) } }
    return stack
  }

  @Test(arguments: Arrangement.all)
  func `a list inserts new objects, removes deleted ones, moves renamed ones and updates others`(
    arrangement: Arrangement
  ) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { context in for title in ["B", "D", "F", "H"] { context.insertBook(title, year: 1900) } }
    let context = chain.leaf
    try context.performAndWait {
      let replica = try replicate(context)
      let list = Array(try #require(replica.controller.fetchedObjects))
      let added = context.insertBook("C")
      context.delete(list[1])
      list[0][Book.title] = "I"
      list[2][Book.note] = "changed"
      context.processPendingChanges()
      #expect(replica.eventCount == 1)
      #expect(
        replica.reports.map(\.change) == [
          .delete(from: 1), .insert(at: 0), .move(from: 0, to: 3), .update(from: 2, to: 1),
        ])
      #expect(replica.reports.map(\.change.indexPath) == [1, nil, 0, 2])
      #expect(replica.reports.map(\.change.newIndexPath) == [nil, 0, 3, 1])
      #expect(replica.reports.map(\.object) == [list[1], added, list[0], list[2]])
      #expect(replica.objects.map(\.title) == ["C", "F", "H", "I"])
      #expect(Array(try #require(replica.controller.fetchedObjects)) == replica.objects)
    }
  }

  @Test func `a merge removes a deleted object from the list before its batch is loaded`() throws {
    let stack = try seeded()
    let context = stack.context()
    let worker = stack.context("worker")
    let saves = Journal<SaveNotification>()
    _ = worker.observeDidSave { [weak saves] in saves?.write($0) }
    try context.performAndWait {
      var request = FetchRequest.books()
      request.fetchBatchSize = 1
      let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
      try controller.performFetch()
      let delegate = ReportList()
      controller.delegate = delegate
      try worker.performAndWait {
        let books = try worker.fetch(.books())
        worker.delete(books[2])
        try worker.save()
      }
      let list = try #require(controller.fetchedObjects)
      #expect(list.loadedCount == 0)
      context.mergeChanges(fromContextDidSave: try #require(saves.entries.first))
      #expect(delegate.changes == [.delete(from: 2)])
      #expect(list.map(\.title) == ["B", "D", "H"])
    }
  }

  @Test func `a changed sort key that keeps the object's place is reported as an update`() throws {
    let stack = try seeded()
    let context = stack.context()
    try context.performAndWait {
      let replica = try replicate(context)
      let list = Array(try #require(replica.controller.fetchedObjects))
      list[1][Book.title] = "E"
      context.processPendingChanges()
      #expect(replica.reports.map(\.change) == [.update(from: 1, to: 1)])
      // Two objects change places, so that one moves past the other.
      list[1][Book.title] = "H"
      list[3][Book.title] = "E"
      context.processPendingChanges()
      #expect(replica.objects.map(\.title) == ["B", "E", "F", "H"])
      #expect(Array(try #require(replica.controller.fetchedObjects)) == replica.objects)
    }
  }

  @Test func `a list inserts objects that begin to match and removes those that cease`() throws {
    let stack = try seeded()
    let context = stack.context()
    try context.performAndWait {
      let replica = try replicate(context, where: .equal(Book.year, 1900))
      let all = try context.books()
      all[0][Book.year] = 2000
      context.insertBook("C", year: 2000)
      context.processPendingChanges()
      #expect(replica.reports.map(\.change) == [.delete(from: 0)])
      all[0][Book.year] = 1900
      context.processPendingChanges()
      #expect(replica.reports.map(\.change) == [.delete(from: 0), .insert(at: 0)])
    }
  }

  @Test func `changes to other objects and entities report no event`() throws {
    let stack = try seeded()
    let context = stack.context()
    try context.performAndWait {
      let replica = try replicate(context, where: .equal(Book.year, 1900))
      context.insertAuthor("Jane")
      context.insertBook("C", year: 2000)[Book.note] = "changed"
      context.processPendingChanges()
      #expect(replica.eventCount == 0)
    }
  }

  @Test func `a list follows a merge without SQL if its objects are realised`() throws {
    let stack = try seeded()
    let main = stack.mainContext()
    main.performAndWait { main.automaticallyMergesChangesFromParent = true }
    let replica = try main.performAndWait {
      let made = try replicate(main)
      for book in made.objects { _ = book.title }
      return made
    }
    let before = stack.statements.count
    try stack.seed { context in
      guard let books = try? context.books() else { return }
      context.delete(books[0])
      books[1][Book.title] = "Z"
      books[2][Book.note] = "changed"
      context.insertBook("G")
    }
    let seeding = stack.statements.count - before
    drain(main)
    #expect(stack.statements.count == before + seeding)
    try main.performAndWait {
      let list = Array(try #require(replica.controller.fetchedObjects))
      #expect(list.map(\.title) == ["F", "G", "H", "Z"] && list == replica.objects)
    }
  }

  @Test func `a merged insertion fires the new object and the probes of a binary search`() throws {
    let stack = try Stack()
    try stack.seed { context in for number in 0..<100 { context.insertBook("Book \(100 + 2 * number)") } }
    let main = stack.context("main")
    let replica = try main.performAndWait {
      main.automaticallyMergesChangesFromParent = true
      return try replicate(main)
    }
    let fired = try stack.count(.faultFired) {
      try stack.seed { $0.insertBook("Book 151") }
      drain(main)
    }
    #expect(fired == 1 + 7)
    #expect(replica.reports.map(\.change) == [.insert(at: 26)])
  }

  @Test func `a parent's list is updated within the child's save`() throws {
    let stack = try seeded()
    let chain = stack.chain(1)
    let replica = try chain.root.performAndWait { try replicate(chain.root) }
    try chain.leaf.performAndWait {
      chain.leaf.insertBook("A")
      chain.leaf.delete(try #require(try chain.leaf.book("H")))
      try chain.leaf.save()
    }
    chain.root.performAndWait { #expect(replica.objects.map(\.title) == ["A", "B", "D", "F"]) }
  }

  @Test func `after a reset the list is empty until it is fetched again`() throws {
    let stack = try seeded()
    let context = stack.context()
    try context.performAndWait {
      let replica = try replicate(context)
      context.insertBook("C")
      context.reset()
      #expect(replica.controller.fetchedObjects == nil && replica.eventCount == 0)
      context.insertBook("A")
      context.processPendingChanges()
      #expect(replica.controller.fetchedObjects == nil && replica.eventCount == 0)
      try replica.controller.performFetch()
      #expect(replica.controller.fetchedObjects?.map(\.title) == ["A", "B", "D", "F", "H"])
    }
  }

  @Test func `a save gives new objects of the list permanent IDs`() throws {
    let stack = try seeded()
    let context = stack.context()
    try context.performAndWait {
      let replica = try replicate(context)
      context.insertBook("C")
      try context.save()
      replica.clearReports()
      let list = try #require(replica.controller.fetchedObjects)
      #expect(list.objectIDs.allSatisfy { !$0.isTemporaryID })
      // The list finds the object under its new ID.
      context.delete(try #require(try context.book("C")))
      context.processPendingChanges()
      #expect(replica.reports.map(\.change) == [.delete(from: 1)])
    }
  }

  @Test func `a rollback reinserts deleted objects and removes new ones`() throws {
    let stack = try seeded()
    let context = stack.context()
    try context.performAndWait {
      let replica = try replicate(context)
      let list = Array(try #require(replica.controller.fetchedObjects))
      list[1][Book.title] = "X"
      context.processPendingChanges()
      context.delete(list[1])
      context.insertBook("C")
      context.processPendingChanges()
      context.rollback()
      #expect(replica.objects == list)
    }
  }

  @Test func `a batched list loads only the batches that a search probes`() throws {
    let stack = try Stack()
    try stack.seed { context in for number in 0..<100 { context.insertBook("Book \(100 + 2 * number)") } }
    let context = stack.context()
    try context.performAndWait {
      var request = FetchRequest.books()
      request.fetchBatchSize = 10
      let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: context)
      try controller.performFetch()
      let replica = Replica(controller)
      #expect(replica.objects.count == 100)
      try controller.performFetch()
      context.insertBook("Book 151")
      stack.expectStatements(3) { context.processPendingChanges() }
      #expect(replica.controller.fetchedObjects?.loadedCount == 31)
      #expect(replica.reports.map(\.change) == [.insert(at: 26)])
    }
  }

  @Test func `a binary search skips objects whose rows are deleted`() throws {
    let stack = try Stack()
    try stack.seed { context in for number in 0..<64 { context.insertBook("Book \(100 + 2 * number)") } }
    let main = stack.context("main")
    let replica = try main.performAndWait { try replicate(main) }
    try stack.seed { context in
      for book in (try? context.books().dropFirst(10).prefix(45)) ?? [] { context.delete(book) }
    }
    main.performAndWait {
      for number in [3, 17, 41, 99, 125] { main.insertBook("Book \(100 + number)") }
      main.processPendingChanges()
      let titles = replica.objects.filter { !$0.isDeleted }.map(\.title)
      #expect(titles == titles.sorted())
      #expect(replica.objects.count == 69)
    }
  }

  @Test func `a controller without a delegate keeps its list as fetched`() throws {
    let stack = try seeded()
    let context = stack.context()
    try context.performAndWait {
      let controller = FetchedResultsController(fetchRequest: .books(), managedObjectContext: context)
      try controller.performFetch()
      context.insertBook("A")
      context.processPendingChanges()
      #expect(controller.fetchedObjects?.count == 4)
    }
  }

  @Test func `a controller without a sort descriptor stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Stack().context()
      _ = FetchedResultsController(fetchRequest: FetchRequest(Book.entity), managedObjectContext: context)
    }
    try expectSentence("a fetched results controller of Book was made without a sort descriptor", from: result)
  }
}

/// Records the changes that a controller reports, without reading its list.
private final class ReportList: FetchedResultsControllerDelegate {
  private(set) var changes: [FetchedResultsChange] = []

  func controllerWillChangeContent(_ controller: FetchedResultsController) {}

  func controller(
    _ controller: FetchedResultsController, didChange object: ManagedObject, _ change: FetchedResultsChange
  ) {
    changes.append(change)
  }

  func controllerDidChangeContent(_ controller: FetchedResultsController) {}
}
