import ContextEngine
import MachineCore
import TestSupport
import Testing

/// The counted work of one fixed scenario. The counts are the same in debug and release builds, even though the
/// optimiser ends the lives of objects at different points.
@Suite struct CounterTests {
  /// A worker imports in units, main merges and shows a list, and a child of main edits.
  ///
  /// - Returns: the number of objects of each context after each unit; main's last is the number of cached rows.
  private func run(_ stack: Stack) throws -> (main: [Int], worker: [Int]) {
    let main = stack.context("main")
    let worker = stack.context("worker")
    let editor = ManagedObjectContext(.privateQueue, parent: main, name: "editor")
    worker.mergePolicy = .objectTrump
    main.mergePolicy = .objectTrump
    let replica = try main.performAndWait {
      main.automaticallyMergesChangesFromParent = true
      let controller = FetchedResultsController(fetchRequest: .books(), managedObjectContext: main)
      try controller.performFetch()
      return Replica(controller)
    }
    var registered: (main: [Int], worker: [Int]) = ([], [])
    for unit in 0..<6 {
      try worker.performAndWait { try importUnit(unit, worker) }
      // The next block collects the objects that the merge released.
      drain(main)
      drain(worker)
      main.performAndWait { for book in replica.objects.prefix(10) { _ = book.title } }
      try editor.performAndWait {
        try #require(try editor.books().first)[Book.note] = .string("edit \(unit)")
        try editor.save()
      }
      try main.performAndWait { try main.save() }
      registered.main.append(main.registry.count)
      registered.worker.append(worker.registry.count)
    }
    registered.main.append(stack.coordinator.rowCache.rowCount)
    return registered
  }

  /// Finds or creates twenty books, ten of which the last unit created, and deletes one.
  private func importUnit(_ unit: Int, _ worker: ManagedObjectContext) throws {
    let author = try worker.fetch(FetchRequest(Author.entity)).first ?? worker.insertAuthor("Jane")
    let years = (unit * 10..<unit * 10 + 20).map { Value.integer(Int64($0)) }
    var known: [Value: ManagedObject] = [:]
    for book in try worker.books(where: .isIn(Book.year, years)) { known[book[Book.year]] = book }
    for year in years {
      let book = known[year] ?? worker.insert(Book.entity)
      if known[year] == nil {
        book[Book.year] = year
        book.relate(author, at: Book.author)
      }
      book[Book.title] = .string("Book \(year) \(unit)")
    }
    if let first = known[years[0]] { worker.delete(first) }
    try worker.save()
  }

  @Test func `the work of a fixed scenario is constant`() throws {
    let stack = try Stack()
    let registered = try run(stack)
    #expect(registered.main == [20, 29, 38, 47, 56, 65, 65])
    #expect(registered.worker == [0, 0, 0, 0, 0, 0])
    let expected: [(Work.Kind, Int)] = [
      (.saveBegun, 18), (.commit, 18), (.statementRun, 206), (.rowStepped, 310), (.rowWritten, 132),
      (.objectRegistered, 452), (.faultFired, 131), (.propertySet, 197), (.relationshipSet, 70),
      (.objectPushed, 6),
      (.insertionMerged, 71), (.changeMergedUnregistered, 5), (.changeMergedFault, 0), (.changeMergedRealised, 50),
      (.conflict, 0),
      (.controllerChange, 126), (.notificationPosted, 60),
    ]
    for (kind, count) in expected { #expect(stack.ledger.count(kind) == count, "\(kind)") }
  }
}
