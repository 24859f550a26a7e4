import ContextEngine
import TestSupport
import Testing

/// Tests of the lists of a did-merge.
///
/// A test that runs on Apple's framework merges a save with one new and two changed objects, and finds one inserted,
/// two updated and two refreshed ones.
@Suite(.onBothStores, .namingTheStore) struct MergedChangesTests {
  /// The titles of a merge's objects, by kind.
  struct Merged: Equatable {
    var inserted: [String] = []
    var updated: [String] = []
    var deleted: [String] = []
    var refreshed: [String] = []
  }

  private static func observe(
    _ context: ManagedObjectContext, _ titles: @escaping @Sendable (ObjectID) -> String, _ journal: Journal<Merged>
  ) -> ObserverToken {
    context.observeDidMerge { merge in
      #expect(merge.context === context)
      journal.write(
        Merged(
          inserted: merge.insertedIDs.map(titles), updated: merge.updatedIDs.map(titles),
          deleted: merge.deletedIDs.map(titles), refreshed: merge.refreshedIDs.map(titles)))
    }
  }

  private static func titles(of stack: Stack) throws -> @Sendable (ObjectID) -> String {
    let books = try stack.inStore { try $0.books().map { ($0.objectID, $0.title) } }
    let names = Dictionary(uniqueKeysWithValues: books)
    return { names[$0] ?? "new" }
  }

  @Test(arguments: [false, true])
  func `a did-merge lists inserted, updated, deleted and refreshed objects`(isAutomatic: Bool) throws {
    let stack = try Stack()
    try stack.seed { for title in ["fault", "gone", "gone elsewhere", "read", "unknown"] { $0.insertBook(title) } }
    let titles = try Self.titles(of: stack)
    let (main, worker) = (stack.context("main"), stack.context("worker"))
    let journal = Journal<Merged>()
    let token = Self.observe(main, titles, journal)
    let held = try main.performAndWait {
      main.automaticallyMergesChangesFromParent = isAutomatic
      let held = try ["fault", "gone", "read"].map { try #require(try main.book($0)) }
      for book in held { try main.refresh(book, mergeChanges: false) }
      try held[2].fulfillFault()
      return held
    }
    let saves = Journal<SaveNotification>()
    let saving = worker.observeDidSave { saves.write($0) }
    try worker.performAndWait {
      for title in ["fault", "read", "unknown"] { try #require(try worker.book(title))[Book.note] = "changed" }
      for title in ["gone", "gone elsewhere"] { worker.delete(try #require(try worker.book(title))) }
      worker.insertBook("new")
      try worker.save()
    }
    saving.cancel()
    if isAutomatic {
      drain(main)
    } else {
      let save = try #require(saves.entries.first)
      main.performAndWait { main.mergeChanges(fromContextDidSave: save) }
    }
    token.cancel()
    #expect(
      journal.entries == [
        Merged(inserted: ["new"], updated: ["fault", "read"], deleted: ["gone"], refreshed: ["read"])
      ])
    #expect(held.count == 3)
    #expect(stack.ledger.count(.mergeBegun) == 1 && stack.ledger.count(.notificationMerged) == (isAutomatic ? 0 : 1))
  }

  @Test func `merging an updated ID without a row lists the object as deleted`() throws {
    let stack = try Stack()
    try stack.seed { for title in ["gone", "read"] { $0.insertBook(title) } }
    let titles = try Self.titles(of: stack)
    let main = stack.context("main")
    let journal = Journal<Merged>()
    let token = Self.observe(main, titles, journal)
    let held = try main.performAndWait {
      let held = try main.books()
      for book in held { try book.fulfillFault() }
      return held
    }
    try stack.seed { $0.delete(try #require(try $0.book("gone"))) }
    // An earlier transaction is merged after a later one has deleted its row.
    try ManagedObjectContext.mergeChanges(fromRemoteContextSave: [.updated: held.map(\.objectID)], into: [main])
    token.cancel()
    #expect(journal.entries == [Merged(updated: ["read"], deleted: ["gone"], refreshed: ["read"])])
    #expect(main.performAndWait { held.map(\.isDeleted) } == [true, false])
  }

  @Test func `a merge posts did-change before did-merge`() throws {
    let stack = try Stack()
    let main = stack.context("main")
    let order = Journal<String>()
    let tokens = [
      main.observeDidChange { _ in order.write("did-change") }, main.observeDidMerge { _ in order.write("did-merge") },
    ]
    main.performAndWait { main.automaticallyMergesChangesFromParent = true }
    try stack.seed { $0.insertBook("Emma") }
    drain(main)
    tokens.forEach { $0.cancel() }
    #expect(order.entries == ["did-change", "did-merge"])
  }
}
