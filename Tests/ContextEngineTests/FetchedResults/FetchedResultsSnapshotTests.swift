import ContextEngine
import TestSupport
import Testing

/// Snapshots, differences and the cache of a fetched results controller, after the header comments of
/// `NSFetchedResultsController`.
@Suite(.onBothStores, .namingTheStore) struct FetchedResultsSnapshotTests: ListsByYear {
  /// Keeps every snapshot and difference, and traps if anything else is reported.
  private final class Recorder: FetchedResultsControllerDelegate {
    var reporting: FetchedResultsReporting
    private(set) var snapshots: [FetchedResultsSnapshot] = []
    private(set) var differences: [CollectionDifference<ObjectID>] = []
    private(set) var otherCount = 0

    init(_ reporting: FetchedResultsReporting) { self.reporting = reporting }

    func controller(_ controller: FetchedResultsController, didChangeContentWith snapshot: FetchedResultsSnapshot) {
      snapshots.append(snapshot)
    }

    func controller(
      _ controller: FetchedResultsController, didChangeContentWith difference: CollectionDifference<ObjectID>
    ) {
      differences.append(difference)
    }

    func controllerWillChangeContent(_ controller: FetchedResultsController) { otherCount += 1 }
    func controllerDidChangeContent(_ controller: FetchedResultsController) { otherCount += 1 }
    func controller(
      _ controller: FetchedResultsController, didChange object: ManagedObject, _ change: FetchedResultsChange
    ) { otherCount += 1 }
  }

  @Test func `a snapshot delegate gets a snapshot after each fetch and each event`() throws {
    let stack = try seeded()
    let context = stack.context()
    try context.performAndWait {
      let controller = FetchedResultsController(
        fetchRequest: Self.byYear, managedObjectContext: context, sectionNameKeyPath: Book.year)
      let recorder = Recorder(.snapshot)
      controller.delegate = recorder
      try controller.performFetch()
      let objectIDs = try #require(controller.fetchedObjects?.objectIDs)
      #expect(recorder.snapshots.map(\.sectionIdentifiers) == [["1900", "1910", "1920"]])
      #expect(recorder.snapshots[0].itemIdentifiers == objectIDs && recorder.snapshots[0].numberOfItems == 6)
      let list = Array(try #require(controller.fetchedObjects))
      list[0][Book.note] = "changed"
      list[5][Book.year] = 1910
      context.delete(list[1])
      context.processPendingChanges()
      #expect(recorder.snapshots.count == 2 && recorder.otherCount == 0)
      let last = recorder.snapshots[1]
      #expect(last.itemIdentifiers(inSection: "1910") == [objectIDs[2], objectIDs[5]])
      #expect(last.itemIdentifiers(inSection: "1999").isEmpty)
      #expect(Set(last.reloadedItemIdentifiers) == [objectIDs[0], objectIDs[5]])
    }
  }

  @Test func `a difference delegate gets the differences between the old and new lists`() throws {
    let stack = try seeded()
    let context = stack.context()
    try context.performAndWait {
      let controller = FetchedResultsController(fetchRequest: .books(), managedObjectContext: context)
      let recorder = Recorder(.difference)
      controller.delegate = recorder
      try controller.performFetch()
      #expect(recorder.differences.isEmpty)
      var replayed = try #require(controller.fetchedObjects?.objectIDs)
      let list = Array(try #require(controller.fetchedObjects))
      list[0][Book.title] = "F"
      list[3][Book.note] = "changed"
      context.delete(list[4])
      context.insertBook("Z")
      context.processPendingChanges()
      let difference = try #require(recorder.differences.first)
      replayed = try #require(replayed.applying(difference))
      #expect(replayed == controller.fetchedObjects?.objectIDs)
      #expect(difference.removals.count == 2 && difference.insertions.count == 2 && recorder.otherCount == 0)
    }
  }

  @Test func `a delegate that reports nothing keeps the list as fetched`() throws {
    let stack = try seeded()
    let context = stack.context()
    try context.performAndWait {
      let controller = try controller(context)
      let recorder = Recorder(.nothing)
      controller.delegate = recorder
      context.insertBook("Z", year: 2000)
      context.processPendingChanges()
      #expect(controller.fetchedObjects?.count == 6 && recorder.otherCount == 0)
      try controller.performFetch()
      recorder.reporting = .changes
      context.insertBook("Y", year: 2000)
      context.processPendingChanges()
      #expect(titles(controller).last == ["Y", "Z"] && recorder.otherCount == 3)
    }
  }

  // MARK: The cache

  @Test(arguments: [0, 2])
  func `a cached list is reused while the store is unchanged`(batchSize: Int) throws {
    let stack = try seeded()
    var request = Self.byYear
    request.fetchBatchSize = batchSize
    let context = stack.context()
    let fetched = try context.performAndWait { try titles(controller(context, request, cacheName: "years")) }
    context.performAndWait { context.reset() }
    let next = stack.context("next")
    try next.performAndWait {
      try stack.expectStatements(0) {
        let again = try controller(next, request, cacheName: "years")
        #expect(again.sections?.map(\.name) == ["1900", "1910", "1920"])
      }
      let again = try controller(next, request, cacheName: "years")
      stack.expectStatements(batchSize == 0 ? 1 : 3) { #expect(titles(again) == fetched) }
    }
  }

  @Test func `a cached list is refetched after a write, a deletion or another request`() throws {
    let stack = try seeded()
    let context = stack.context()
    try context.performAndWait {
      func count(_ request: FetchRequest = Self.byYear) throws -> Int {
        try controller(context, request, cacheName: "years").fetchedObjects?.count ?? 0
      }
      #expect(try count() == 6)
      try stack.seed { $0.insertBook("Z", year: 1950) }
      #expect(try count() == 7)
      try Stack(on: stack.folder).seed { $0.insertBook("Y", year: 1950) }
      #expect(try count() == 8)
      var request = Self.byYear
      request.predicate = .equal(Book.year, 1950)
      #expect(try count(request) == 2)
      #expect(try count() == 8)
      let unsaved = context.insertBook("X", year: 1950)
      #expect(try count() == 9)
      context.delete(unsaved)
      #expect(try count() == 8)
      let cached = try stack.statements(during: { _ = try count() }).count
      FetchedResultsController.deleteCache(withName: "years", of: stack.coordinator)
      let fresh = try stack.statements(during: { _ = try count() }).count
      #expect(cached == 0 && fresh > 0)
    }
  }

  // MARK: Misuse

  @Test func `reporting differences of a list with sections stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Stack().context()
      try context.performAndWait {
        let controller = FetchedResultsController(
          fetchRequest: Self.byYear, managedObjectContext: context, sectionNameKeyPath: Book.year)
        let recorder = Recorder(.difference)
        controller.delegate = recorder
        try controller.performFetch()
        context.insertBook("A", year: 1900)
        context.processPendingChanges()
      }
    }
    try expectSentence("requests differences, which lists with sections do not have", from: result)
  }
}
