import ContextEngine
import TestSupport
import Testing

/// Notifications of changes and saves, as observed in tests that run on Apple's framework.
@Suite(.onBothStores, .namingTheStore) struct NotificationTests {
  /// The titles of the books in a notification's lists, by kind.
  struct Payload: Equatable, CustomStringConvertible {
    var inserted: [String] = []
    var updated: [String] = []
    var deleted: [String] = []
    var refreshed: [String] = []
    var invalidatedAll = false

    var description: String {
      "inserted \(inserted), updated \(updated), deleted \(deleted), refreshed \(refreshed)"
        + (invalidatedAll ? ", all invalidated" : "")
    }
  }

  /// A notification that a context posted: "will-save", "did-save" or "did-change", with its objects.
  struct Post: Equatable, CustomStringConvertible {
    var kind: String
    var payload: Payload
    var description: String { "\(kind): \(payload)" }
  }

  /// Records all notifications that a context posts.
  final class Listener: Sendable {
    let posts = Journal<Post>()
    let saves = Journal<SaveNotification>()
    private let tokens: [ObserverToken]

    init(_ context: ManagedObjectContext) {
      let titles = { @Sendable (objects: [ManagedObject]) in
        objects.filter { $0.entity === Book.entity }.map(\.title)
      }
      tokens = [
        context.observeWillSave { [posts] save in
          posts.write(
            Post(
              kind: "will-save",
              payload: Payload(
                inserted: titles(save.inserted), updated: titles(save.updated), deleted: titles(save.deleted))))
        },
        context.observeDidSave { [posts, saves] save in
          saves.write(save)
          posts.write(
            Post(
              kind: "did-save",
              payload: Payload(
                inserted: titles(save.inserted), updated: titles(save.updated), deleted: titles(save.deleted))))
        },
        context.observeDidChange { [posts] change in
          posts.write(
            Post(
              kind: "did-change",
              payload: Payload(
                inserted: titles(change.inserted), updated: titles(change.updated), deleted: titles(change.deleted),
                refreshed: titles(change.refreshed), invalidatedAll: change.invalidatedAll)))
        },
      ]
    }

    deinit {
      for token in tokens { token.cancel() }
    }
  }

  private func seeded(_ titles: [String] = ["Emma", "Persuasion", "Sanditon"]) throws -> Stack {
    let stack = try Stack()
    try stack.seed { context in for title in titles { context.insertBook(title) } }
    return stack
  }

  @Test func `a save posts did-change, will-save and did-save with the same objects`() throws {
    let stack = try seeded()
    let context = stack.context()
    let listener = Listener(context)
    try context.performAndWait {
      try #require(try context.book("Emma"))[Book.note] = "changed"
      context.delete(try #require(try context.book("Persuasion")))
      context.insertBook("Lady Susan")
      let dropped = context.insertBook("Dropped")
      context.delete(dropped)
      try context.save()
    }
    let payload = Payload(inserted: ["Lady Susan"], updated: ["Emma"], deleted: ["Persuasion"])
    #expect(
      listener.posts.entries == [
        Post(kind: "did-change", payload: payload), Post(kind: "will-save", payload: payload),
        Post(kind: "did-save", payload: payload),
      ])
    let save = try #require(listener.saves.entries.first)
    #expect(
      save.insertedIDs.map(\.key) == [4] && save.updatedIDs.map(\.key) == [1] && save.deletedIDs.map(\.key) == [2])
  }

  @Test func `a child's did-save carries temporary IDs`() throws {
    let stack = try Stack()
    let chain = stack.chain(1)
    let listeners = chain.contexts.map(Listener.init)
    chain.leaf.performAndWait { _ = chain.leaf.insertBook("Emma") }
    try chain.saveAll()
    let (root, child) = (listeners[0].saves.entries, listeners[1].saves.entries)
    #expect(child.map { $0.insertedIDs.map(\.isTemporaryID) } == [[true]])
    #expect(root.map { $0.insertedIDs.map(\.isTemporaryID) } == [[false]])
  }

  @Test func `a push posts the parent's did-change before the child's did-save`() throws {
    let stack = try seeded(["Emma"])
    let chain = stack.chain(1)
    let order = Journal<String>()
    let tokens = [
      chain.leaf.observeWillSave { _ in order.write("child will-save") },
      chain.leaf.observeDidSave { _ in order.write("child did-save") },
      chain.root.observeDidChange { change in
        order.write("parent did-change \(change.inserted.map(\.title)) \(change.updated.map(\.title))")
      },
    ]
    try chain.leaf.performAndWait {
      try #require(try chain.leaf.book("Emma"))[Book.note] = "changed"
      chain.leaf.insertBook("Persuasion")
      try chain.leaf.save()
    }
    #expect(
      order.entries == [
        "child will-save", "parent did-change [\"Persuasion\"] [\"Emma\"]", "child did-save",
      ])
    tokens.forEach { $0.cancel() }
  }

  @Test func `a parent's did-save combines its children's pushes`() throws {
    let stack = try seeded()
    let root = stack.context("root")
    let listener = Listener(root)
    let children = (0..<2).map { ManagedObjectContext(.privateQueue, parent: root, name: "child \($0)") }
    for (number, child) in children.enumerated() {
      try child.performAndWait {
        child.insertBook("New \(number)")
        try #require(try child.book("Emma"))[Book.note] = .string("changed by \(number)")
        if number == 1 { child.delete(try #require(try child.book("Persuasion"))) }
        try child.save()
      }
    }
    listener.posts.clear()
    try root.performAndWait { try root.save() }
    let payload = Payload(inserted: ["New 0", "New 1"], updated: ["Emma"], deleted: ["Persuasion"])
    #expect(
      listener.posts.entries == [Post(kind: "will-save", payload: payload), Post(kind: "did-save", payload: payload)])
    try children[0].performAndWait {
      children[0].insertBook("New 2")
      try children[0].save()
    }
    listener.posts.clear()
    try root.performAndWait { try root.save() }
    #expect(listener.posts.entries.last == Post(kind: "did-save", payload: Payload(inserted: ["New 2"])))
  }

  @Test func `an object whose to-many relationship changed is updated`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertAuthor("Jane") }
    let context = stack.context()
    let updated = Journal<[String]>()
    let token = context.observeDidSave { updated.write($0.updated.map(\.entity.name)) }
    try context.performAndWait {
      let jane = try #require(try context.fetch(FetchRequest(Author.entity)).first)
      context.insertBook("Emma", author: jane)
      try context.save()
    }
    #expect(updated.entries == [["Author"]])
    token.cancel()
  }

  @Test func `a merge reports inserted, refreshed and registered deleted objects`() throws {
    let stack = try seeded(["Emma", "Persuasion", "Sanditon", "The Watsons", "Unknown"])
    let main = stack.context("main")
    let worker = stack.context("worker")
    // Main has realised Emma, Sanditon and The Watsons (which is deleted later), has a fault of Persuasion, and has not
    // registered Unknown.
    let held = try main.performAndWait {
      let books = Array(try main.books().prefix(4))
      _ = books[0].title
      _ = books[2].title
      _ = books[3].title
      return books
    }
    let save = Journal<SaveNotification>()
    let token = worker.observeDidSave { save.write($0) }
    try worker.performAndWait {
      for title in ["Emma", "Persuasion", "Unknown"] { try #require(try worker.book(title))[Book.note] = "changed" }
      worker.delete(try #require(try worker.book("The Watsons")))
      worker.insertBook("Lady Susan")
      try worker.save()
    }
    token.cancel()
    let listener = Listener(main)
    let statements = stack.statements {
      main.performAndWait { main.mergeChanges(fromContextDidSave: save.entries[0]) }
    }
    // The listener reads the note of the new book from the row cache.
    #expect(statements.isEmpty)
    #expect(
      listener.posts.entries == [
        Post(
          kind: "did-change", payload: Payload(inserted: ["Lady Susan"], deleted: ["The Watsons"], refreshed: ["Emma"]))
      ])
    main.performAndWait {
      #expect(held[0][Book.note] == "changed")
      #expect(held[1].isFault)
      #expect(held[3].isDeleted)
      #expect(!main.hasChanges)
    }
    withExtendedLifetime(held) {}
  }

  @Test func `a refresh reports refreshed objects, and a rollback also inserted and deleted ones`() throws {
    let stack = try seeded()
    let context = stack.context()
    let listener = Listener(context)
    try context.performAndWait {
      let emma = try #require(try context.book("Emma"))
      _ = emma.title
      try context.refresh(emma, mergeChanges: true)
      context.processPendingChanges()
      emma[Book.note] = "changed"
      context.delete(try #require(try context.book("Sanditon")))
      context.insertBook("Lady Susan")
      context.processPendingChanges()
      context.rollback()
    }
    #expect(
      listener.posts.entries.map(\.payload) == [
        Payload(refreshed: ["Emma"]),
        Payload(inserted: ["Lady Susan"], updated: ["Emma"], deleted: ["Sanditon"]),
        Payload(inserted: ["Sanditon"], deleted: ["Lady Susan"], refreshed: ["Emma"]),
      ])
  }

  @Test func `changes discarded in their own event are reported as refreshed`() throws {
    let stack = try seeded()
    let context = stack.context()
    let listener = Listener(context)
    try context.performAndWait {
      try #require(try context.book("Emma"))[Book.note] = "changed"
      context.delete(try #require(try context.book("Sanditon")))
      context.insertBook("Lady Susan")
      context.rollback()
    }
    #expect(listener.posts.entries.map(\.payload) == [Payload(refreshed: ["Emma", "Sanditon"])])
  }

  @Test func `a reset posts invalidatedAll without the pending changes`() throws {
    let stack = try seeded(["Emma", "Persuasion"])
    let context = stack.context()
    context.propagatesDeletesAtEndOfEvent = true
    let listener = Listener(context)
    try context.performAndWait {
      context.insertBook("Sanditon")
      try #require(try context.book("Emma"))[Book.note] = "changed"
      context.delete(try #require(try context.book("Persuasion")))
      context.reset()
      context.processPendingChanges()
      #expect(!context.hasChanges)
    }
    #expect(listener.posts.entries.map(\.payload) == [Payload(invalidatedAll: true)])
  }

  @Test func `an object changed and refreshed in one event is reported as updated`() throws {
    let stack = try seeded(["Emma"])
    let context = stack.context()
    let listener = Listener(context)
    try context.performAndWait {
      let emma = try #require(try context.book("Emma"))
      emma[Book.note] = "changed"
      try context.refresh(emma, mergeChanges: true)
      context.processPendingChanges()
    }
    #expect(listener.posts.entries.map(\.payload) == [Payload(updated: ["Emma"])])
  }

  @Test func `a merge posts posted, begun and ended`() throws {
    let stack = try seeded(["Emma"])
    let main = stack.context("main")
    main.performAndWait { main.automaticallyMergesChangesFromParent = true }
    let stages = Journal<MergeNotification.Stage>()
    let token = main.observeMerges { stages.write($0.stage) }
    try stack.seed { $0.insertBook("Persuasion") }
    drain(main)
    #expect(stages.entries == [.posted, .begun, .ended])
    token.cancel()
  }
}
