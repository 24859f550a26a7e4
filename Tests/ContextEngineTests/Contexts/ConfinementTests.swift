import ContextEngine
import TestSupport
import Testing

/// Contexts without a queue, which Core Data had before it introduced queues.
@Suite struct ConfinementTests {
  private func context(_ stack: Stack, _ name: String = "confined") -> ManagedObjectContext {
    ManagedObjectContext(.confinement, coordinator: stack.coordinator, name: name)
  }

  @Test(arguments: [false, true])
  func `a confined context is used directly on its thread`(checksConcurrency: Bool) throws {
    let stack = try Stack(checksConcurrency: checksConcurrency)
    let confined = context(stack)
    let book = confined.insertBook("Emma", author: confined.insertAuthor("Jane"))
    try confined.save()
    #expect(!book.objectID.isTemporaryID && !confined.hasChanges)
    book[Book.note] = "changed"
    confined.delete(try #require(book.related(Book.author)))
    try confined.save()
    #expect(try confined.titles() == ["Emma"] && book.version == 2)
    #expect(try stack.storedTitles() == ["Emma"])
  }

  @Test func `unretained objects are unregistered after an event or processPendingChanges`() throws {
    let stack = try Stack()
    try stack.seed { context in for number in 0..<3 { context.insertBook("book \(number)") } }
    let confined = context(stack)
    #expect(try confined.books().count == 3)
    confined.processPendingChanges()
    #expect(confined.registeredObjects.isEmpty && stack.coordinator.rowCache.entryCount == 0)
    try confined.event {
      _ = try confined.books()
      #expect(confined.registeredObjects.count == 3)
    }
    #expect(confined.registeredObjects.isEmpty && stack.coordinator.rowCache.entryCount == 0)
  }

  @Test func `a confined context merges another's save by hand`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma") }
    let first = context(stack, "first")
    let second = context(stack, "second")
    let emma = try #require(try first.book("Emma"))
    #expect(emma.title == "Emma")
    _ = second.observeDidSave { save in first.mergeChanges(fromContextDidSave: save) }
    try #require(try second.book("Emma"))[Book.title] = "Emma, a novel"
    second.insertBook("Persuasion")
    try second.save()
    #expect(emma.title == "Emma, a novel")
    #expect(try first.titles() == ["Emma, a novel", "Persuasion"])
  }

  @Test func `a confined context may be the child of a context with a queue`() throws {
    let stack = try Stack(checksConcurrency: true)
    for parent in [stack.context("parent"), stack.mainContext()] {
      let child = ManagedObjectContext(.confinement, parent: parent, name: "child")
      child.insertBook("of \(parent.name)")
      try child.save()
      #expect(try stack.storedTitles().contains("of \(parent.name)") == false)
      try parent.performAndWait { try parent.save() }
    }
    #expect(try stack.storedTitles() == ["of main", "of parent"])
  }

  @Test func `a context confined to a queue is usable on any thread of the queue`() throws {
    let stack = try Stack(checksConcurrency: true)
    let queue = stack.machine.makeSerialQueue(label: "network")
    let confined = ManagedObjectContext(confinedTo: queue, coordinator: stack.coordinator, name: "confined")
    for number in 0..<20 {
      let journal = Journal<Int>()
      queue.async {
        confined.event { _ = confined.insertBook("book \(number)") }
        journal.write(number)
      }
      queue.sync {}
      #expect(journal.count == 1)
    }
    try queue.sync { try confined.event { try confined.save() } }
    #expect(try stack.storedTitles().count == 20)
  }

  @Test func `perform, performAndWait and child contexts of a confined context stop the process`() async throws {
    var result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try ConfinementTests().context(Stack()).perform {}
    }
    try expectSentence("perform was called on context confined, which is confined to a thread", from: result)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try ConfinementTests().context(Stack()).performAndWait {}
    }
    try expectSentence("performAndWait was called on context confined, which is confined to a thread", from: result)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let confined = try ConfinementTests().context(Stack())
      _ = ManagedObjectContext(.privateQueue, parent: confined, name: "child")
    }
    try expectSentence("context confined is confined to a thread and cannot be the parent of child", from: result)
    result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      try ConfinementTests().context(Stack()).automaticallyMergesChangesFromParent = true
    }
    try expectSentence("context confined is confined to a thread and cannot merge automatically", from: result)
  }

  @Test func `using a checked confined context on another thread stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(checksConcurrency: true)
      let confined = ConfinementTests().context(stack)
      let book = confined.insertBook("Emma")
      stack.mainContext().performAndWait { _ = book.title }
    }
    try expectSentence("context confined, or an object of it, was used on the queue “", from: result)
    try expectSentence("it is confined to the thread or queue that used it first", from: result)
  }
}
