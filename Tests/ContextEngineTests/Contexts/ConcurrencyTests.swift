import ContextEngine
import TestSupport
import Testing

/// Operations of several threads at the same time. These tests also run under the thread sanitizer.
@Suite struct ConcurrencyTests {
  @Test func `an object can be released on another thread during a look-up`() throws {
    let stack = try Stack(poolSize: 2)
    try stack.seed { for number in 0..<20 { $0.insertBook("Book \(number)") } }
    let worker = stack.context("worker")
    let main = stack.mainContext()
    main.performAndWait { main.automaticallyMergesChangesFromParent = true }
    // Each notification carries the worker's objects to main, where they are released, while the worker fetches them
    // again.
    for round in 0..<100 {
      try worker.performAndWait {
        for book in try worker.books() { book[Book.year] = .integer(Int64(round)) }
        if round % 10 == 0 { worker.insertBook("New \(round)") }
        try worker.save()
      }
    }
    drain(main)
    drain(worker)
    #expect(worker.registry.count == 0 && main.registry.count == 0)
    #expect(stack.coordinator.rowCache.entryCount == 0)
    let years = try stack.inStore { try $0.books().filter { $0[Book.year] == 99 }.count }
    #expect(years == 30)
  }

  @Test func `objects can be released on another thread`() throws {
    let stack = try Stack()
    try stack.seed { for number in 0..<50 { $0.insertBook("Book \(number)") } }
    let context = stack.context()
    let elsewhere = stack.machine.makeSerialQueue(label: "elsewhere")
    for _ in 0..<100 {
      try context.performAndWait {
        let books = Array(try context.books())
        for book in books { _ = book.title }
        elsewhere.async { _ = books.count }
      }
    }
    elsewhere.sync {}
    drain(context)
    #expect(context.registry.count == 0 && stack.coordinator.rowCache.entryCount == 0)
  }

  @Test(arguments: [1, 4])
  func `concurrent contexts lose no writes`(poolSize: Int) throws {
    let stack = try Stack(poolSize: poolSize)
    try stack.seed { for number in 0..<8 { $0.insertBook("Shared \(number)", year: 0) } }
    let failures = Journal<String>()
    let queues = (0..<4).map { stack.machine.makeSerialQueue(label: "thread \($0)") }
    for (index, queue) in queues.enumerated() {
      queue.async {
        let context = stack.context("worker \(index)")
        context.mergePolicy = .objectTrump
        for round in 0..<15 {
          do {
            try context.performAndWait {
              context.insertBook("Book \(index) \(round)")
              let shared = try #require(try context.book("Shared \(index * 2 + round % 2)"))
              shared[Book.year] = .integer(Int64(round))
              try context.save()
            }
          } catch {
            failures.write("\(error)")
          }
        }
      }
    }
    for queue in queues { queue.sync {} }
    #expect(failures.entries.isEmpty)
    #expect(try stack.storedTitles().count == 68)
    #expect(stack.coordinator.rowCache.entryCount == 0)
  }

  @Test func `children of one parent save concurrently`() throws {
    let stack = try Stack(poolSize: 2)
    let root = stack.context("root")
    let queues = (0..<4).map { stack.machine.makeSerialQueue(label: "thread \($0)") }
    for (index, queue) in queues.enumerated() {
      queue.async {
        let child = ManagedObjectContext(.privateQueue, parent: root, name: "child \(index)")
        for round in 0..<15 {
          child.performAndWait {
            child.insertBook("Book \(index) \(round)", author: child.insertAuthor("Author \(index) \(round)"))
            try? child.save()
          }
          if round % 5 == 4 { root.perform { try? root.save() } }
        }
      }
    }
    for queue in queues { queue.sync {} }
    try root.performAndWait { try root.save() }
    let authors = try stack.inStore { context in
      try context.books().filter { book in
        guard case .string(let name) = book.related(Book.author)?[Author.name] else { return false }
        return name.dropFirst(6) == book.title.dropFirst(4)
      }.count
    }
    #expect(authors == 60)
  }

  @Test func `a private child of a checked main context fetches, fires and saves`() throws {
    let stack = try Stack(checksConcurrency: true)
    try stack.seed { seeding in
      let author = seeding.insertAuthor("Author")
      seeding.insertBook("Book", author: author)
    }
    let main = stack.mainContext()
    let child = ManagedObjectContext(.privateQueue, parent: main, name: "child")
    child.ignoresBatchSizeBelowContext = false
    try child.performAndWait {
      var request = FetchRequest.books()
      request.fetchBatchSize = 1
      let book = try #require(try child.fetch(request).first)
      let author = try #require(book.related(Book.author))
      #expect(author.relatedObjects(Author.books).first === book)
      book[Book.note] = "changed"
      try child.save()
    }
    let notes = try main.performAndWait { try main.books().map { $0[Book.note] } }
    #expect(notes == ["changed"])
  }
}
