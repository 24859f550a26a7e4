import ContextEngine
import TestSupport
import Testing

/// Uses of a context, an object, a fetched list or a controller off its queue, each in a separate process.
@Suite struct ConcurrencyCheckTests {
  private static let sentence =
    "context import, or an object of it, was used on the queue “other”; it belongs to the queue “import”"

  /// The objects to use: the context has realised `book` and has not realised `fault`.
  struct Scene {
    let context: ManagedObjectContext
    let book: ManagedObject
    let fault: ManagedObject
    let list: FetchedObjects
    let batches: FetchedObjects
    let controller: FetchedResultsController
  }

  /// Uses the context “import” and its objects on the queue “other”.
  static func touch(checksConcurrency: Bool = true, _ body: (Scene) throws -> Void) throws {
    let stack = try Stack(checksConcurrency: checksConcurrency)
    try stack.seed { context in for title in ["Emma", "Persuasion"] { context.insertBook(title) } }
    let context = stack.context("import")
    let other = stack.context("other")
    let scene = try context.performAndWait {
      var request = FetchRequest.books()
      let list = try context.fetch(request)
      try list[0].fulfillFault()
      request.fetchBatchSize = 1
      return Scene(
        context: context, book: list[0], fault: list[1], list: list, batches: try context.fetch(request),
        controller: FetchedResultsController(fetchRequest: .books(), managedObjectContext: context))
    }
    try other.performAndWait { try body(scene) }
  }

  /// The uses, each with its name.
  private static let uses: [(name: String, body: @Sendable (Scene) throws -> Void)] = [
    ("reading a realised object off its queue", { _ = $0.book[Book.title] }),
    ("firing a fault off its queue", { _ = $0.fault[Book.title] }),
    ("setting a property off its queue", { $0.book[Book.title] = "changed" }),
    ("following a relationship off its queue", { _ = $0.book.relatedObjects(Book.chapters) }),
    ("reading isDeleted off its queue", { _ = $0.book.isDeleted }),
    ("reading isFault off its queue", { _ = $0.fault.isFault }),
    ("validating an object off its queue", { try $0.book.validateForUpdate() }),
    ("fetching off the context's queue", { _ = try $0.context.fetch(.books()) }),
    ("inserting off the context's queue", { _ = $0.context.insert(Book.entity) }),
    ("deleting off the context's queue", { $0.context.delete($0.book) }),
    ("reading a context's changes off its queue", { _ = $0.context.hasChanges }),
    ("processing pending changes off the context's queue", { $0.context.processPendingChanges() }),
    ("saving off the context's queue", { try $0.context.save() }),
    ("resetting off the context's queue", { $0.context.reset() }),
    ("refreshing off the context's queue", { try $0.context.refresh($0.book, mergeChanges: true) }),
    ("undoing off the context's queue", { $0.context.undo() }),
    ("obtaining permanent IDs off the context's queue", { try $0.context.obtainPermanentIDs(for: []) }),
    ("counting a fetched list off its queue", { _ = $0.list.count }),
    ("reading an object of a fetched list off its queue", { _ = $0.list[0] }),
    ("loading a batch of a fetched list off its queue", { _ = $0.batches[1] }),
    ("fetching with a controller off its queue", { try $0.controller.performFetch() }),
    (
      "merging changes off the context's queue",
      { scene in
        let saves = Journal<SaveNotification>()
        _ = scene.context.observeDidSave { saves.write($0) }
        try scene.context.performAndWait {
          scene.book[Book.note] = "changed"
          try scene.context.save()
        }
        scene.context.mergeChanges(fromContextDidSave: saves.entries[0])
      }
    ),
  ]

  @Test(arguments: uses.map(\.name))
  func `a use off the queue stops the process`(name: String) async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) { [name] in
      for use in Self.uses where use.name == name { try Self.touch(use.body) }
    }
    try expectSentence(Self.sentence, from: result)
  }

  @Test func `objectID, entity and managedObjectContext can be read on any queue`() throws {
    try Self.touch { scene in
      #expect(!scene.book.objectID.isTemporaryID && scene.book.entity === Book.entity)
      #expect(scene.book.managedObjectContext === scene.context)
    }
  }

  @Test func `an unchecked context can be used on another queue`() throws {
    try Self.touch(checksConcurrency: false) { scene in
      #expect(scene.book.title == "Emma" && scene.fault.title == "Persuasion" && !scene.book.isDeleted)
      #expect(scene.list.count == 2 && scene.batches[1] === scene.fault)
      let titles = try scene.context.titles()
      #expect(titles == ["Emma", "Persuasion"])
    }
  }
}
