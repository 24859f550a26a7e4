import ContextEngine
import TestSupport
import Testing

/// Tests of the values that changed objects had before the event, as observers and delegates read them.
///
/// Older pages of Apple's documentation of `changedValuesForCurrentEvent()` say that it returns old values, and tests
/// that run on Apple's framework assert that.
@Suite struct EventValuesTests {
  /// Writes the result of `changedValuesForCurrentEvent()` for each of some objects of a did-change.
  private static func observe(
    _ context: ManagedObjectContext, _ journal: Journal<[String: Value]>,
    _ objects: @escaping @Sendable (ChangeNotification) -> [ManagedObject]
  ) -> ObserverToken {
    context.observeDidChange { change in
      for object in objects(change) { journal.write(object.changedValuesForCurrentEvent()) }
    }
  }

  @Test(arguments: Arrangement.all)
  func `changedValuesForCurrentEvent in did-change contains the values before the event`(
    arrangement: Arrangement
  ) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { $0.insertBook("Emma", year: 1815) }
    let context = chain.leaf
    let journal = Journal<[String: Value]>()
    let token = Self.observe(context, journal) { $0.updated }
    try context.performAndWait {
      let emma = try #require(try context.book("Emma"))
      emma[Book.title] = "A"
      emma[Book.title] = "B"
      context.processPendingChanges()
      #expect(emma.changedValuesForCurrentEvent().isEmpty)
      // This event begins with unsaved changes.
      emma[Book.title] = "C"
      emma[Book.year] = 1816
      context.processPendingChanges()
      // A save ends this event.
      emma[Book.year] = 1817
      try context.save()
      emma[Book.year] = 1818
      context.processPendingChanges()
    }
    token.cancel()
    #expect(journal.entries == [["title": "Emma"], ["title": "B", "year": 1815], ["year": 1816], ["year": 1817]])
  }

  @Test(arguments: Arrangement.all)
  func `changedValuesForCurrentEvent in a delegate has the values before the event`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack()
    try stack.seed { for title in ["B", "D"] { $0.insertBook(title) } }
    let context = chain.leaf
    try context.performAndWait {
      let controller = FetchedResultsController(fetchRequest: .books(), managedObjectContext: context)
      try controller.performFetch()
      let delegate = OldTitles()
      controller.delegate = delegate
      let book = try #require(try context.book("B"))
      book[Book.title] = "E"
      context.processPendingChanges()
      book[Book.title] = "A"
      context.processPendingChanges()
      #expect(delegate.titles == ["B", "E"])
    }
  }

  private final class OldTitles: FetchedResultsControllerDelegate {
    private(set) var titles: [Value?] = []

    func controller(
      _ controller: FetchedResultsController, didChange object: ManagedObject, _ change: FetchedResultsChange
    ) {
      titles.append(object.changedValuesForCurrentEvent()["title"])
    }
  }

  @Test func `changedValuesForCurrentEvent is null for new objects and old values for deleted ones`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma", year: 1815) }
    let context = stack.context()
    let journal = Journal<[String: Value]>()
    let token = Self.observe(context, journal) { $0.inserted + $0.updated + $0.deleted }
    try context.performAndWait {
      let added = context.insertBook("Sanditon")
      let emma = try #require(try context.book("Emma"))
      #expect(added.changedValuesForCurrentEvent() == ["title": .null])
      emma[Book.year] = 1816
      context.delete(emma)
      #expect(emma.changedValuesForCurrentEvent() == ["year": 1815])
      context.processPendingChanges()
      added[Book.title] = "The Brothers"
      context.processPendingChanges()
    }
    token.cancel()
    #expect(journal.entries == [["title": .null], ["year": 1815], ["title": "Sanditon"]])
  }

  @Test func `changes made by a did-change observer belong to the next event`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma", year: 1815) }
    let context = stack.context()
    let journal = Journal<[String: Value]>()
    let token = context.observeDidChange { change in
      for book in change.updated {
        if book[Book.year] != 1 { book[Book.year] = 1 }
        journal.write(book.changedValuesForCurrentEvent())
      }
    }
    try context.performAndWait {
      let emma = try #require(try context.book("Emma"))
      emma[Book.title] = "A"
      context.processPendingChanges()
      #expect(emma.changedValuesForCurrentEvent() == ["year": 1815])
      context.processPendingChanges()
    }
    token.cancel()
    #expect(journal.entries == [["title": "Emma"], ["year": 1815]])
  }

  @Test func `changedValuesForCurrentEvent excludes merged changes and includes pushed ones`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma", year: 1815) }
    let (context, child) = (stack.chain(1).root, stack.context("worker"))
    let below = ManagedObjectContext(.privateQueue, parent: context, name: "below")
    let journal = Journal<[String: Value]>()
    let token = Self.observe(context, journal) { $0.refreshed + $0.updated }
    let emma = try context.performAndWait { () throws -> ManagedObject in
      context.automaticallyMergesChangesFromParent = true
      let emma = try #require(try context.book("Emma"))
      #expect(emma.title == "Emma")
      return emma
    }
    try child.performAndWait {
      try #require(try child.book("Emma"))[Book.note] = "merged"
      try child.save()
    }
    context.performAndWait { #expect(emma[Book.note] == "merged") }
    for year in [1816, 1817] as [Int64] {
      try below.performAndWait {
        try #require(try below.book("Emma"))[Book.year] = .integer(year)
        try below.save()
      }
    }
    token.cancel()
    #expect(journal.entries == [[:], ["year": 1815], ["year": 1816]])
  }
}
