import ContextEngine
import TestSupport
import Testing

/// Tests of the contents of notifications, and of the thread and the time at which they are posted.
///
/// Origin: CoreDataPlus's tests of notification payloads (19 scenarios), observed on Apple's framework. Refreshing
/// everything (6) is in `RefreshingTests`, will-save and did-save (10 to 12) and a child's temporary IDs (18) in
/// `NotificationTests`, remote changes after saves and batch requests (15, 16) in `RemoteChangeTests`. Notifications
/// about the stores of a coordinator (19) have no equivalent here.
@Suite(.onBothStores, .namingTheStore) struct NotificationScenarioTests {
  /// The number of objects of each kind in a did-change, and the thread that posted it.
  private struct Change: Equatable, CustomStringConvertible {
    var inserted = 0
    var updated = 0
    var deleted = 0
    var refreshed = 0
    var invalidatedAll = false

    var description: String {
      "\(inserted) inserted, \(updated) updated, \(deleted) deleted, \(refreshed) refreshed"
        + (invalidatedAll ? ", all invalidated" : "")
    }

    init(inserted: Int = 0, updated: Int = 0, deleted: Int = 0, refreshed: Int = 0, invalidatedAll: Bool = false) {
      (self.inserted, self.updated, self.deleted) = (inserted, updated, deleted)
      (self.refreshed, self.invalidatedAll) = (refreshed, invalidatedAll)
    }

    init(_ change: ChangeNotification) {
      self.init(
        inserted: change.inserted.count, updated: change.updated.count, deleted: change.deleted.count,
        refreshed: change.refreshed.count, invalidatedAll: change.invalidatedAll)
    }
  }

  private func changes(_ context: ManagedObjectContext, during body: () throws -> Void) rethrows -> [Change] {
    let journal = Journal<Change>()
    let token = context.observeDidChange { journal.write(Change($0)) }
    defer { token.cancel() }
    try body()
    return journal.entries
  }

  /// Payloads 1 of 19.
  @Test(arguments: Arrangement.all)
  func `an insertion is reported after processing, and a reset as invalidatedAll`(arrangement: Arrangement) throws {
    let (_, chain) = try arrangement.makeStack()
    let context = chain.leaf
    let heard = changes(context) {
      context.performAndWait {
        context.insertBook("Emma")
        context.processPendingChanges()
      }
      context.performAndWait { context.reset() }
    }
    #expect(heard == [Change(inserted: 1), Change(invalidatedAll: true)])
  }

  /// Payloads 2, 3 and 5 of 19: changes that are processed inside `performAndWait` are reported on the caller's thread,
  /// and changes that `perform` processes at its end on a thread of the context's queue. A property set twice is one
  /// insertion.
  @Test func `did-change is posted on the thread that processes the changes`() throws {
    let stack = try Stack()
    let (main, context) = (stack.mainContext(), stack.context())
    let isOnMain = Journal<Bool>()
    let machine = stack.machine
    let token = context.observeDidChange { change in
      #expect(change.inserted.count == 1 && change.context === context)
      isOnMain.write(machine.mainQueue.isCurrent)
    }
    main.performAndWait {
      context.performAndWait {
        context.insertBook("Emma")[Book.title] = "Emma, a novel"
        context.processPendingChanges()
      }
    }
    #expect(isOnMain.entries == [true])
    main.performAndWait { context.perform { context.insertBook("Persuasion")[Book.title] = "changed" } }
    drain(context)
    #expect(isOnMain.entries == [true, false])
    token.cancel()
  }

  /// Payloads 4 of 19: one block inserts a hundred pairs of related objects.
  @Test(arguments: Arrangement.all)
  func `200 objects inserted in one event are reported once`(arrangement: Arrangement) throws {
    let (_, chain) = try arrangement.makeStack()
    let context = chain.leaf
    let heard = changes(context) {
      context.performAndWait {
        for number in 0..<100 {
          context.insertBook("Book \(number)", author: context.insertAuthor("Author \(number)"))
        }
        #expect(context.hasChanges)
        context.processPendingChanges()
      }
    }
    #expect(heard == [Change(inserted: 200)])
  }

  /// Payloads 7 of 19: the second context does not use the object that the first one inserts and deletes.
  @Test func `automatic merging reports insertions and ignores deletions of unregistered objects`() throws {
    let stack = try Stack()
    let context = stack.context()
    context.performAndWait { context.automaticallyMergesChangesFromParent = true }
    let heard = try changes(context) {
      try stack.seed { $0.insertBook("Emma") }
      drain(context)
      // The context releases the fault that the merge made at the end of its block.
      drain(context)
      try stack.seed { context in for book in (try? context.books()) ?? [] { context.delete(book) } }
      drain(context)
    }
    #expect(heard == [Change(inserted: 1)])
  }

  /// Payloads 8 of 19.
  @Test func `a merged object is refreshed by others' saves and updated by its own changes`() throws {
    let stack = try Stack()
    let context = stack.context()
    context.performAndWait { context.automaticallyMergesChangesFromParent = true }
    let held = Journal<ManagedObject>()
    let token = context.observeDidChange { change in
      for book in change.inserted {
        _ = book.title
        held.write(book)
      }
    }
    let heard = try changes(context) {
      try stack.seed { $0.insertBook("Emma") }
      drain(context)
      try stack.seed { context in (try? context.book("Emma"))??[Book.note] = "theirs" }
      drain(context)
      try context.performAndWait {
        let book = try #require(try context.book("Emma"))
        #expect(held.entries == [book])
        book[Book.year] = 1815
        try context.save()
      }
      drain(context)
    }
    #expect(heard == [Change(inserted: 1), Change(refreshed: 1), Change(updated: 1)])
    token.cancel()
  }

  /// Payloads 9 of 19: two of ten objects are retained and realised. Other contexts change the third, delete the sixth
  /// and change the second.
  @Test func `automatic merging reports changes to retained realised objects only`() throws {
    let stack = try Stack()
    try stack.seed { context in for number in 0..<10 { context.insertBook("Book \(number)") } }
    let context = stack.context()
    let held = try context.performAndWait {
      context.automaticallyMergesChangesFromParent = true
      let books = Array(try context.books(where: .isIn(Book.title, ["Book 1", "Book 2"])))
      for book in books { try book.fulfillFault() }
      return books
    }
    let heard = try changes(context) {
      for (number, isDeletion) in [(3, false), (6, true), (2, false)] {
        try stack.seed { context in
          guard let book = (try? context.book("Book \(number)")) ?? nil else { return }
          if isDeletion { context.delete(book) } else { book[Book.note] = "changed" }
        }
        drain(context)
      }
    }
    #expect(held.count == 2 && heard == [Change(refreshed: 1)])
  }

  /// Payloads 13 of 19: two children of one context save four times in all, and then their parent saves.
  @Test(arguments: [0, 1])
  func `each push posts a did-change in the parent, and the parent's did-save combines them`(depth: Int) throws {
    let stack = try Stack()
    try stack.seed { context in for title in ["Emma", "Persuasion"] { context.insertBook(title) } }
    let parent = stack.chain(depth).leaf
    let children = (0..<2).map { ManagedObjectContext(.privateQueue, parent: parent, name: "child \($0)") }
    let saves = Journal<[Int]>()
    let token = parent.observeDidSave { saves.write([$0.inserted.count, $0.updated.count, $0.deleted.count]) }
    let push = { (child: ManagedObjectContext, change: () throws -> Void) in
      try child.performAndWait {
        try change()
        try child.save()
      }
    }
    let heard = try changes(parent) {
      try push(children[0]) { for title in ["Sanditon", "Lady Susan"] { children[0].insertBook(title) } }
      try push(children[0]) {
        let emma = try #require(try children[0].book("Emma"))
        emma[Book.year] = 1815
        emma[Book.note] = "changed"
      }
      try push(children[0]) { children[0].delete(try #require(try children[0].book("Persuasion"))) }
      try push(children[1]) { children[1].insertBook("The Watsons") }
      try parent.performAndWait { try parent.save() }
    }
    #expect(heard == [Change(inserted: 2), Change(updated: 1), Change(deleted: 1), Change(inserted: 1)])
    #expect(saves.entries == [[3, 1, 1]])
    token.cancel()
  }

  /// Payloads 14 of 19: an observer of one entity, or of an entity and its subentities, selects the objects itself.
  @Test(arguments: Arrangement.all)
  func `a did-change lists objects of their own entities`(arrangement: Arrangement) throws {
    let (_, chain) = try arrangement.makeStack(model: Zoo.model)
    let context = chain.leaf
    let names = Journal<[String]>()
    let token = context.observeDidChange { change in
      let mammals = change.inserted.filter { $0.entity.isKind(of: Zoo.mammal) }
      names.write(mammals.map(\.entity.name))
      names.write(mammals.filter { $0.entity === Zoo.mammal }.map(\.entity.name))
    }
    context.perform {
      context.insertAnimal(Zoo.whale, "Orca")
      context.insertAnimal(Zoo.mammal, "Bear")
      context.insertAnimal(Zoo.bird, "Owl")
    }
    drain(context)
    #expect(names.entries == [["Whale", "Mammal"], ["Mammal"]])
    token.cancel()
  }

  /// Payloads 11 and 17 of 19. Core Data's did-save carries the token of the generation that the context has advanced
  /// to. Here a pinned context takes the next generation when it reads again (`DivergencesFromCoreData.md`).
  @Test(arguments: [true, false])
  func `a did-save has permanent IDs and no generation until the next read`(isPinned: Bool) throws {
    let context = try Stack().context()
    let saves = Journal<[Bool]>()
    let token = context.observeDidSave { save in
      #expect(save.context.queryGenerationToken == nil)
      saves.write(save.insertedIDs.map(\.isTemporaryID))
    }
    try context.performAndWait {
      if isPinned { try context.setQueryGeneration(from: .current) }
      for title in ["Emma", "Persuasion"] { context.insertBook(title) }
      try context.save()
      _ = try context.titles()
      let generation = context.queryGenerationToken
      // Generations require a file with a write-ahead log.
      #expect((generation != nil && generation != .current) == (isPinned && StoreKind.current == .sqlite))
    }
    #expect(saves.entries == [[false, false]])
    token.cancel()
  }
}
