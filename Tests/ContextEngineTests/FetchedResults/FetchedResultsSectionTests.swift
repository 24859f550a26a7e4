import ContextEngine
import TestSupport
import Testing

/// Sections of a fetched results controller and their index.
///
/// The tests follow the header comments of `NSFetchedResultsController` and FreeCoreData's suite of it: fetching,
/// inserting, deleting, moving, updating and sections, as the delegate receives them.
@Suite(.onBothStores, .namingTheStore) struct FetchedResultsSectionTests: ListsByYear {
  // MARK: Sections

  @Test(arguments: Arrangement.all, [0, 2])
  func `a list with unsaved objects is divided into sections by its first sort key`(
    arrangement: Arrangement, batchSize: Int
  ) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { context in
      for (title, year) in [("B", 1900), ("D", 1900), ("C", 1920)] { context.insertBook(title, year: Int64(year)) }
    }
    let context = chain.leaf
    try context.performAndWait {
      context.ignoresBatchSizeBelowContext = false
      context.insertBook("A", year: 1910)
      context.insertBook("F")
      try #require(try context.book("D"))[Book.year] = 1920
      var request = Self.byYear
      request.fetchBatchSize = batchSize
      let controller = try controller(context, request)
      #expect(controller.sections?.map(\.name) == ["", "1900", "1910", "1920"])
      #expect(controller.sections?.map(\.numberOfObjects) == [1, 1, 1, 2])
      #expect(titles(controller) == [["F"], ["B"], ["A"], ["C", "D"]])
      let last = FetchedIndexPath(item: 1, section: 3)
      let book = controller.object(at: last)
      #expect(book.title == "D" && controller.indexPath(forObject: book) == last)
    }
  }

  @Test func `sections is nil before a fetch, and one unnamed section without a key path`() throws {
    let stack = try seeded()
    let context = stack.context()
    try context.performAndWait {
      let controller = FetchedResultsController(fetchRequest: .books(), managedObjectContext: context)
      #expect(controller.sections == nil)
      try controller.performFetch()
      #expect(controller.sections?.map(\.name) == [""] && controller.sections?[0].numberOfObjects == 6)
      #expect(controller.object(at: 2).title == "C" && controller.sectionIndexTitles.isEmpty)
      context.reset()
      #expect(controller.sections == nil)
      try controller.performFetch()
      #expect(controller.sections?[0].numberOfObjects == 6)
    }
  }

  @Test func `section names are read without firing faults, by at most one more SELECT`() throws {
    let stack = try seeded()
    let context = stack.context()
    try context.performAndWait {
      // The rows are in the row cache.
      try stack.expectStatements(1) { _ = try controller(context) }
      #expect(stack.ledger.count(.faultFired) == 0)
      context.reset()
      var request = Self.byYear
      request.fetchBatchSize = 2
      try stack.expectStatements(2) {
        let controller = try controller(context, request)
        #expect(controller.sections?.count == 3 && controller.fetchedObjects?.loadedCount == 0)
      }
    }
  }

  @Test(arguments: Arrangement.all)
  func `inserted and deleted sections are reported before their objects`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { context in
      for (title, year) in [("B", 1900), ("D", 1900), ("A", 1910), ("C", 1920)] {
        context.insertBook(title, year: Int64(year))
      }
    }
    let context = chain.leaf
    try context.performAndWait {
      let replica = Replica(try controller(context))
      let list = Array(try #require(replica.controller.fetchedObjects))
      let added = context.insertBook("X", year: 1905)
      context.delete(list[2])
      list[0][Book.year] = 1930
      list[3][Book.note] = "changed"
      context.processPendingChanges()
      #expect(replica.sectionReports.map(\.name) == ["1910", "1905", "1930"])
      #expect(replica.sectionReports.map(\.change) == [.delete(from: 1), .insert(at: 1), .insert(at: 3)])
      #expect(replica.reports.map(\.object) == [list[2], added, list[0], list[3]])
      #expect(
        replica.reports.map(\.change) == [
          .delete(from: .init(item: 0, section: 1)), .insert(at: .init(item: 0, section: 1)),
          .move(from: .init(item: 0, section: 0), to: .init(item: 0, section: 3)),
          .update(from: .init(item: 0, section: 2), to: .init(item: 0, section: 2)),
        ])
      #expect(titles(replica.controller) == [["D"], ["X"], ["C"], ["B"]])
      #expect(replica.sections.map(\.objects) == replica.controller.sections?.map(\.objects))
    }
  }

  @Test func `an object between the same neighbours is moved if its section changes`() throws {
    let stack = try seeded()
    let context = stack.context()
    try context.performAndWait {
      let replica = Replica(try controller(context))
      let alone = try #require(try context.book("A"))
      alone[Book.year] = 1912
      context.processPendingChanges()
      #expect(replica.sectionReports.map(\.change) == [.delete(from: 1), .insert(at: 1)])
      let place = FetchedIndexPath(item: 0, section: 1)
      #expect(replica.reports.map(\.change) == [.move(from: place, to: place)])
      try #require(try context.book("D"))[Book.year] = 1912
      context.processPendingChanges()
      #expect(replica.sectionReports.count == 2)
      #expect(titles(replica.controller) == [["B"], ["A", "D"], ["C", "E", "G"]])
    }
  }

  @Test func `merges and pushes insert and delete sections`() throws {
    let stack = try seeded()
    let main = stack.context("main")
    main.performAndWait { main.automaticallyMergesChangesFromParent = true }
    let replica = try main.performAndWait {
      let made = Replica(try controller(main))
      for book in made.objects { _ = book.title }
      return made
    }
    let child = ManagedObjectContext(.privateQueue, parent: main, name: "child")
    try child.performAndWait {
      child.insertBook("H", year: 1930)
      try child.save()
    }
    try stack.seed { context in
      for book in (try? context.books(where: .equal(Book.year, 1920))) ?? [] { context.delete(book) }
      context.insertBook("Z", year: 1940)
    }
    drain(main)
    main.performAndWait {
      #expect(titles(replica.controller) == [["B", "D"], ["A"], ["H"], ["Z"]])
      #expect(replica.sections.map(\.name) == ["1900", "1910", "1930", "1940"])
    }
  }

  @Test func `a fetch throws if the sort order splits a section`() throws {
    let stack = try seeded()
    let context = stack.context()
    context.performAndWait {
      let controller = FetchedResultsController(
        fetchRequest: .books(), managedObjectContext: context, sectionNameKeyPath: Book.title,
        sectionName: { $0 == "A" || $0 == "C" ? "first" : "others" })
      let error = #expect(throws: PersistenceError.self) { try controller.performFetch() }
      #expect(error?.code == .sectionsOutOfOrder && error?.message.contains("object 2") == true)
      #expect(controller.fetchedObjects == nil && controller.sections == nil)
    }
  }

  // MARK: The index

  /// A delegate that returns the titles of sections in the index.
  private final class Namer: FetchedResultsControllerDelegate {
    func controller(
      _ controller: FetchedResultsController, sectionIndexTitleForSectionName name: String
    ) -> String? { name < "C" ? "A to B" : nil }
  }

  @Test func `each index title is unique and leads to its first section`() throws {
    let stack = try Stack()
    try stack.seed { context in for title in ["apple", "avocado", "banana", "cherry"] { context.insertBook(title) } }
    let context = stack.context()
    try context.performAndWait {
      let controller = FetchedResultsController(
        fetchRequest: .books(), managedObjectContext: context, sectionNameKeyPath: Book.title)
      try controller.performFetch()
      #expect(controller.sections?.map(\.indexTitle) == ["A", "A", "B", "C"])
      #expect(controller.sectionIndexTitles == ["A", "B", "C"])
      #expect(controller.section(forSectionIndexTitle: "B", at: 1) == 2)
      #expect(controller.section(forSectionIndexTitle: "C", at: 2) == 3)
      let capitals = FetchedResultsController(
        fetchRequest: .books(), managedObjectContext: context, sectionNameKeyPath: Book.title,
        sectionName: { if case .string(let title) = $0 { title.prefix(1).uppercased() } else { "" } })
      try capitals.performFetch()
      #expect(capitals.sections?.map(\.name) == ["A", "B", "C"])
      let namer = Namer()
      capitals.delegate = namer
      #expect(capitals.sectionIndexTitles == ["A to B", "C"])
      #expect(capitals.section(forSectionIndexTitle: "C", at: 1) == 2)
    }
  }

  // MARK: Misuse

  @Test func `a sectionNameKeyPath that differs from the first sort key stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Stack().context()
      _ = FetchedResultsController(
        fetchRequest: .books(), managedObjectContext: context, sectionNameKeyPath: Book.year)
    }
    try expectSentence("with sections by year, but sorts by title first", from: result)
  }

  @Test func `an index path outside the list stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Stack().context()
      try context.performAndWait {
        let controller = FetchedResultsController(fetchRequest: .books(), managedObjectContext: context)
        try controller.performFetch()
        _ = controller.object(at: 0)
      }
    }
    try expectSentence("has no object at [0, 0]", from: result)
  }
}
