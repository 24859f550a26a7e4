import ContextEngine
import MachineCore
import TestSupport
import Testing

@Suite struct PerformingTests {
  @Test func `performAndWait runs on the caller's thread, or on main for the main context`() {
    do {
      let stack = try Stack()
      let context = stack.context()
      let main = stack.mainContext()
      #expect(context.performAndWait { !stack.machine.mainQueue.isCurrent })
      #expect(main.performAndWait { stack.machine.mainQueue.isCurrent })
      // A private context's block that main waits for runs on the main thread too.
      #expect(main.performAndWait { context.performAndWait { stack.machine.mainQueue.isCurrent } })
    } catch {
      Issue.record(error)
    }
  }

  @Test func `processPendingChanges ends an event within performAndWait`() throws {
    let stack = try Stack()
    let context = stack.context()
    let manager = ContextUndoManager()
    let changes = Journal<Int>()
    let token = context.observeDidChange { changes.write($0.inserted.count) }
    context.performAndWait {
      context.undoManager = manager
      for title in ["Emma", "Persuasion"] { context.insertBook(title) }
      #expect(changes.count == 0)
      context.processPendingChanges()
      #expect(changes.entries == [2])
      context.insertBook("Sanditon")
      context.processPendingChanges()
      #expect(changes.entries == [2, 1])
      context.event { _ = context.insertBook("Lady Susan") }
      #expect(changes.entries == [2, 1, 1])
      // An undo reverts all changes up to the end of a block: here all insertions so far.
      context.undo()
      #expect(context.insertedObjects.isEmpty)
      context.event { _ = context.insertBook("Emma") }
      context.event { _ = context.insertBook("Sanditon") }
      context.undo()
      #expect(context.insertedObjects.map(\.title) == ["Emma"])
    }
    token.cancel()
  }

  @Test func `a nested performAndWait of the same context runs at once`() throws {
    let stack = try Stack()
    let context = stack.context()
    let journal = Journal<String>()
    context.performAndWait {
      journal.write("outer begins")
      context.performAndWait { journal.write("inner") }
      journal.write("outer ends")
    }
    #expect(journal.entries == ["outer begins", "inner", "outer ends"])
  }

  @Test func `a nested perform runs after its block, in the order of the calls`() throws {
    let stack = try Stack()
    let context = stack.context()
    let journal = Journal<Int>()
    context.performAndWait {
      context.perform {
        journal.write(2)
        context.perform { journal.write(4) }
      }
      context.perform { journal.write(3) }
      journal.write(1)
    }
    drain(context)
    drain(context)
    #expect(journal.entries == [1, 2, 3, 4])
  }

  @Test func `performAndWait returns its body's result and rethrows its error`() throws {
    struct Refusal: Error, Equatable {
      var number: Int
    }
    let context = try Stack().context()
    #expect(context.performAndWait { 7 } == 7)
    let error = #expect(throws: Refusal.self) {
      try context.performAndWait { () throws(Refusal) in throw Refusal(number: 3) }
    }
    #expect(error == Refusal(number: 3))
  }

  @Test func `perform posts did-change at its end, and performAndWait at the next event`() throws {
    let stack = try Stack()
    let context = stack.context()
    let titles = Journal<[String]>()
    let token = context.observeDidChange { change in titles.write(change.inserted.map(\.title)) }
    context.perform {
      context.insertBook("Emma")
      context.insertBook("Persuasion")
    }
    drain(context)
    #expect(titles.entries == [["Emma", "Persuasion"]])
    context.performAndWait { _ = context.insertBook("Sanditon") }
    #expect(titles.count == 1)
    context.perform {}
    drain(context)
    #expect(titles.entries.last == ["Sanditon"])
    context.performAndWait {
      context.insertBook("Lady Susan")
      context.processPendingChanges()
    }
    #expect(titles.entries.last == ["Lady Susan"])
    try context.performAndWait {
      context.insertBook("The Watsons")
      try context.save()
    }
    #expect(titles.entries.last == ["The Watsons"] && titles.count == 4)
    context.perform {}
    drain(context)
    #expect(titles.count == 4)
    token.cancel()
    context.perform { _ = context.insertBook("Unheard") }
    drain(context)
    #expect(titles.count == 4)
  }

  @Test func `perform and performAndWait are counted separately`() throws {
    let stack = try Stack()
    let context = stack.context()
    let performs = stack.count(.perform) {
      context.perform {}
      drain(context)
    }
    let waits = stack.count(.performAndWait) { context.performAndWait { context.performAndWait {} } }
    #expect(performs == 1 && waits == 2)
    #expect(stack.ledger.count(.contextMade) == 1)
  }

  @Test func `perform retains its context until the block has run`() throws {
    let stack = try Stack()
    let journal = Journal<Bool>()
    weak var gone: ManagedObjectContext?
    do {
      let context = stack.context()
      gone = context
      context.perform { [weak context] in journal.write(context != nil) }
      drain(context)
    }
    #expect(journal.entries == [true])
    // The block releases the last reference on the queue's thread.
    while gone != nil { stack.machine.wait(until: stack.machine.now + .microseconds(50)) }
  }

  @Test func `a main context below a private root runs its SQL on the main thread`() throws {
    let threads = Journal<Bool>()
    let machine = Journal<any SerialQueue>()
    let stack = try Stack(onStatement: { _ in
      for queue in machine.entries { threads.write(queue.isCurrent) }
    })
    machine.write(stack.machine.mainQueue)
    let root = stack.context("root")
    let main = ManagedObjectContext(.mainQueue, parent: root, name: "main")
    let worker = ManagedObjectContext(.privateQueue, parent: main, name: "worker")
    try worker.performAndWait { _ = try worker.titles() }
    #expect(threads.entries == [true])
    threads.clear()
    let child = ManagedObjectContext(.privateQueue, parent: root, name: "child")
    try child.performAndWait { _ = try child.titles() }
    #expect(threads.entries == [false])
  }

  @Test func `using a checked context off its queue stops the process and names both queues`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack(checksConcurrency: true)
      let context = stack.context("import")
      let other = stack.context("other")
      let book = context.performAndWait { context.insertBook("Emma") }
      other.performAndWait { _ = book.title }
    }
    try expectSentence("was used on the queue “other”; it belongs to the queue “import”", from: result)
  }

  @Test func `using a checked context on no queue stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let context = try Stack(checksConcurrency: true).context("import")
      _ = context.insertBook("Emma")
    }
    try expectSentence(
      "context import, or an object of it, was used on no context's queue; it belongs to the queue “import”",
      from: result)
  }

  @Test func `a checked stack works if contexts are used on their queues`() throws {
    let stack = try Stack(checksConcurrency: true)
    let chain = stack.chain(2)
    let book = chain.leaf.performAndWait { chain.leaf.insertBook("Emma", author: chain.leaf.insertAuthor("Jane")) }
    try chain.saveAll()
    try chain.leaf.performAndWait {
      #expect(book.title == "Emma" && book.title == "Emma")
      chain.leaf.delete(try #require(try chain.leaf.book("Emma")))
    }
    try chain.saveAll()
    #expect(try stack.storedTitles().isEmpty)
  }
}
