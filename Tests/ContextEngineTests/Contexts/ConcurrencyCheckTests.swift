import ContextEngine
import MachineCore
import TestSupport
import Testing

/// Every touch of a context, an object, a fetched list or a controller off its queue, each in a process of its own.
@Suite struct ConcurrencyCheckTests {
  private static let sentence =
    "context import, or an object of it, was used on the queue “other”; it belongs to the queue “import”"

  /// What there is to touch, with a book that the context has realised and one that it has not.
  struct Scene {
    let context: ManagedObjectContext
    let book: ManagedObject
    let fault: ManagedObject
    let list: FetchedObjects
    let batches: FetchedObjects
    let controller: FetchedResultsController
  }

  /// Touches things of the context “import” on the queue “other”.
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

  private func expectTrap(_ result: ExitTest.Result?, sourceLocation: SourceLocation = #_sourceLocation) throws {
    try expectSentence(Self.sentence, from: result, sourceLocation: sourceLocation)
  }

  @Test func `reading a realised object off its queue stops the process`() async throws {
    try expectTrap(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Self.touch { _ = $0.book[Book.title] }
      })
  }

  @Test func `firing a fault off its queue stops the process`() async throws {
    try expectTrap(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Self.touch { _ = $0.fault[Book.title] }
      })
  }

  @Test func `setting a property off its queue stops the process`() async throws {
    try expectTrap(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Self.touch { $0.book[Book.title] = "changed" }
      })
  }

  @Test func `following a relationship off its queue stops the process`() async throws {
    try expectTrap(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Self.touch { _ = $0.book.relatedObjects(Book.chapters) }
      })
  }

  @Test func `reading isDeleted off its queue stops the process`() async throws {
    try expectTrap(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Self.touch { _ = $0.book.isDeleted }
      })
  }

  @Test func `reading isFault off its queue stops the process`() async throws {
    try expectTrap(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Self.touch { _ = $0.fault.isFault }
      })
  }

  @Test func `validating an object off its queue stops the process`() async throws {
    try expectTrap(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Self.touch { try $0.book.validateForUpdate() }
      })
  }

  @Test func `fetching off the context's queue stops the process`() async throws {
    try expectTrap(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Self.touch { _ = try $0.context.fetch(.books()) }
      })
  }

  @Test func `inserting off the context's queue stops the process`() async throws {
    try expectTrap(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Self.touch { _ = $0.context.insert(Book.entity) }
      })
  }

  @Test func `deleting off the context's queue stops the process`() async throws {
    try expectTrap(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Self.touch { $0.context.delete($0.book) }
      })
  }

  @Test func `reading a context's changes off its queue stops the process`() async throws {
    try expectTrap(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Self.touch { _ = $0.context.hasChanges }
      })
  }

  @Test func `processing pending changes off the context's queue stops the process`() async throws {
    try expectTrap(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Self.touch { $0.context.processPendingChanges() }
      })
  }

  @Test func `saving off the context's queue stops the process`() async throws {
    try expectTrap(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Self.touch { try $0.context.save() }
      })
  }

  @Test func `resetting off the context's queue stops the process`() async throws {
    try expectTrap(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Self.touch { $0.context.reset() }
      })
  }

  @Test func `refreshing off the context's queue stops the process`() async throws {
    try expectTrap(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Self.touch { try $0.context.refresh($0.book, mergeChanges: true) }
      })
  }

  @Test func `undoing off the context's queue stops the process`() async throws {
    try expectTrap(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Self.touch { $0.context.undo() }
      })
  }

  @Test func `obtaining permanent IDs off the context's queue stops the process`() async throws {
    try expectTrap(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Self.touch { try $0.context.obtainPermanentIDs(for: []) }
      })
  }

  @Test func `counting a fetched list off its queue stops the process`() async throws {
    try expectTrap(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Self.touch { _ = $0.list.count }
      })
  }

  @Test func `reading an object of a fetched list off its queue stops the process`() async throws {
    try expectTrap(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Self.touch { _ = $0.list[0] }
      })
  }

  @Test func `loading a batch of a fetched list off its queue stops the process`() async throws {
    try expectTrap(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Self.touch { _ = $0.batches[1] }
      })
  }

  @Test func `fetching with a controller off its queue stops the process`() async throws {
    try expectTrap(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Self.touch { try $0.controller.performFetch() }
      })
  }

  @Test func `merging changes off the context's queue stops the process`() async throws {
    try expectTrap(
      await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
        try Self.touch { scene in
          let saves = Journal<SaveNotification>()
          _ = scene.context.observeDidSave { saves.write($0) }
          try scene.context.performAndWait {
            scene.book[Book.note] = "changed"
            try scene.context.save()
          }
          scene.context.mergeChanges(fromContextDidSave: saves.entries[0])
        }
      })
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
