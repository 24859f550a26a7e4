import ContextEngine
import TestSupport
import Testing

/// A controller that follows one change at a time, at every level.
///
/// Origin: FreeCoreData's suite of the controller (11 scenarios). Fetching, sections and places (1 to 3) are in
/// `FetchedResultsSectionTests`, together with new sections (5) and moves between them (8). Insertions, deletions and
/// updates (4, 6, 7) are in `FetchedResultsTests`.
@Suite(.onBothStores, .namingTheStore) struct FetchedResultsScenarioTests {
  /// Calls `body` with a list of the books of 1900 and later by year and title, in sections of a year. The store has
  /// Emma and Sanditon of 1900.
  private func follow(_ arrangement: Arrangement, _ body: (ManagedObjectContext, Replica) throws -> Void) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { context in for title in ["Emma", "Sanditon"] { context.insertBook(title, year: 1900) } }
    try chain.leaf.performAndWait {
      let controller = FetchedResultsController(
        fetchRequest: FetchRequest(
          Book.entity, predicate: .comparison(Book.year, .greaterOrEqual, 1900),
          sortDescriptors: [FetchSortDescriptor(Book.year), FetchSortDescriptor(Book.title)]),
        managedObjectContext: chain.leaf, sectionNameKeyPath: Book.year)
      try controller.performFetch()
      let replica = Replica(controller)
      try body(chain.leaf, replica)
      #expect(replica.sections.map(\.objects) == controller.sections?.map { $0.objects })
    }
  }

  /// Controller 9 and 10 of 11.
  @Test(arguments: Arrangement.all)
  func `an object that ceases to match has no index path until it matches again`(arrangement: Arrangement) throws {
    try follow(arrangement) { context, replica in
      let controller = replica.controller
      let emma = try #require(controller.fetchedObjects?.first)
      emma[Book.year] = 1815
      context.processPendingChanges()
      #expect(replica.reports.map(\.change) == [.delete(from: 0)] && replica.eventCount == 1)
      #expect(controller.indexPath(forObject: emma) == nil && controller.fetchedObjects?.count == 1)
      replica.clearReports()
      emma[Book.year] = 1900
      context.processPendingChanges()
      #expect(replica.reports.map(\.change) == [.insert(at: 0)] && replica.eventCount == 1)
      #expect(controller.indexPath(forObject: emma) == 0)
    }
  }

  /// Controller 11 of 11.
  @Test(arguments: Arrangement.all)
  func `changes outside the list are not reported`(arrangement: Arrangement) throws {
    try follow(arrangement) { context, replica in
      let other = context.insertBook("Persuasion", year: 1817)
      context.processPendingChanges()
      other[Book.note] = "changed"
      context.insertAuthor("Jane")
      context.processPendingChanges()
      context.delete(other)
      context.processPendingChanges()
      #expect(replica.eventCount == 0 && replica.controller.fetchedObjects?.count == 2)
    }
  }

  /// Controller 5 and 8 of 11, one after the other: an object moves into a new section, and the section is deleted when
  /// the object leaves it.
  @Test(arguments: Arrangement.all)
  func `an object moves into a new section, and the empty section is deleted`(arrangement: Arrangement) throws {
    try follow(arrangement) { context, replica in
      let sanditon = try #require(replica.controller.fetchedObjects?.last)
      sanditon[Book.year] = 1925
      context.processPendingChanges()
      #expect(replica.sectionReports.map(\.name) == ["1925"])
      #expect(replica.sectionReports.map(\.change) == [.insert(at: 1)])
      #expect(replica.reports.map(\.change) == [.move(from: 1, to: .init(item: 0, section: 1))])
      #expect(replica.controller.indexPath(forObject: sanditon) == FetchedIndexPath(item: 0, section: 1))
      replica.clearReports()
      sanditon[Book.year] = 1900
      context.processPendingChanges()
      #expect(replica.sectionReports.map(\.change) == [.delete(from: 1)])
      #expect(replica.reports.map(\.change) == [.move(from: .init(item: 0, section: 1), to: 1)])
    }
  }

  /// FreeCoreData notes at its fixture that a change of an unsaved object is not an update, so that its controller
  /// misses it. Here a context reports the changes of the event, so that a list shows the current values of unsaved
  /// objects.
  @Test(arguments: Arrangement.all)
  func `an unsaved object of the list is updated in place`(arrangement: Arrangement) throws {
    try follow(arrangement) { context, replica in
      let added = context.insertBook("Persuasion", year: 1900)
      context.processPendingChanges()
      replica.clearReports()
      added[Book.note] = "changed"
      context.processPendingChanges()
      #expect(replica.reports.map(\.change) == [.update(from: 1, to: 1)])
      #expect(context.insertedObjects == [added] && context.updatedObjects.isEmpty)
    }
  }
}
