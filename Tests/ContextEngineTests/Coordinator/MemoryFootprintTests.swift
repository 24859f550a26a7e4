import ContextEngine
import TestSupport
import Testing

/// Tests of the running count of bytes: its parts, its return to zero and its peak.
@Suite(.onBothStores, .namingTheStore) struct MemoryFootprintTests {
  private static let longTitle = "A title of more than fifteen bytes"

  private func seeded(_ count: Int = 10) throws -> Stack {
    let stack = try Stack()
    try stack.seed { context in
      let author = context.insertAuthor("Jane Austen, of Steventon in Hampshire")
      for number in 0..<count { context.insertBook("\(Self.longTitle) \(number)", year: 1, author: author) }
    }
    return stack
  }

  private func current(_ stack: Stack) -> Int { stack.coordinator.footprint.figures.currentBytes }

  /// The current bytes, the peak and the sum of the added bytes.
  private func figures(_ stack: Stack) -> [Int] {
    let figures = stack.coordinator.footprint.figures
    return [figures.currentBytes, figures.peakBytes, figures.addedBytes]
  }

  // MARK: Sizes

  @Test func `modelled sizes equal the sizes of the engine's types`() {
    #expect(ModelledSize.row == 16 + MemoryLayout<RowStorage.Header>.size)
    #expect(ModelledSize.slot == MemoryLayout<UInt64>.size + MemoryLayout<UInt16>.size)
    // Three quarters of a table's slots are taken, each with a key and a word.
    #expect(ModelledSize.cacheEntry == (8 + MemoryLayout<RowCacheEntry?>.size) * 4 / 3)
    #expect(ModelledSize.objectID == MemoryLayout<ObjectID>.stride)
    #expect(ModelledSize.toMany == MemoryLayout<ToManyState>.stride)
  }

  @Test(arguments: [("fifteen bytes..", 15), ("ÄÖÜäöüßé", 16), ("", 0)])
  func `the size of a string is its count of UTF-8 bytes`(string: String, payload: Int) {
    #expect(ModelledSize.payload(of: .string(string)) == payload)
  }

  @Test func `a row shared by the cache and several snapshots counts once`() throws {
    let stack = try seeded(1)
    let chain = stack.chain(2)
    let objectID = try #require(try stack.inStore { try $0.fetchObjectIDs(.books()) }.first)
    let contexts = chain.contexts + [stack.context("beside")]
    let held = contexts.map { context in
      context.performAndWait {
        let book = context.object(with: objectID)
        _ = book.title
        return book
      }
    }
    let row = try #require(held[0].snapshot)
    #expect(held.allSatisfy { $0.snapshot === row })
    #expect(current(stack) == 4 * 117 + 21 + Recount.bytes(of: row))
    withExtendedLifetime(contexts) {}
  }

  // MARK: Back to zero

  /// An operation on the objects of a context before the context releases them.
  enum Fate: CaseIterable, Sendable {
    case leftAlone, saved, rolledBack, refreshed, reset, contextDropped
  }

  @Test(arguments: Fate.allCases, 0...2)
  func `the footprint is zero after all objects and contexts are released`(fate: Fate, depth: Int) throws {
    let stack = try seeded()
    #expect(current(stack) == 0)
    do {
      let chain = stack.chain(depth)
      let leaf = chain.leaf
      try leaf.performAndWait {
        let books = try leaf.books()
        let author = try #require(books[0].related(Book.author))
        #expect(author.relatedObjects(Author.books).count == 10)
        if fate != .leftAlone {
          for book in books.prefix(4) { book[Book.note] = .string(Self.longTitle) }
          leaf.delete(books[5])
          let new = leaf.insertBook("new: \(Self.longTitle)", author: author)
          leaf.insertChapter("first", of: new)
        }
        leaf.processPendingChanges()
        switch fate {
        case .leftAlone, .contextDropped: break
        case .saved: try leaf.save()
        case .rolledBack: leaf.rollback()
        case .refreshed:
          for (index, book) in books.enumerated() { try leaf.refresh(book, mergeChanges: index % 2 == 0) }
          leaf.processPendingChanges()
          leaf.rollback()
        case .reset: leaf.reset()
        }
      }
      if fate == .saved { try chain.saveAll() }
      for context in chain.contexts { drain(context) }
      #expect(current(stack) == Recount.bytes(chain.contexts, stack.coordinator))
      #expect((current(stack) == 0) == (fate != .contextDropped))
    }
    #expect(current(stack) == 0)
  }

  @Test func `merged deletions leave no footprint even if the objects are retained`() throws {
    let stack = try seeded()
    let main = stack.context("main")
    let worker = stack.context("worker")
    let held = try main.performAndWait { try main.books().map { ($0, $0.title) } }
    let token = worker.observeDidSave { save in
      main.performAndWait { main.mergeChanges(fromContextDidSave: save) }
    }
    try worker.performAndWait {
      for book in try worker.books() { worker.delete(book) }
      try worker.save()
    }
    drain(worker)
    drain(main)
    #expect(current(stack) == 0)
    main.performAndWait { #expect(held.allSatisfy { $0.0.isDeleted && $0.0.title == $0.1 }) }
    #expect(current(stack) == 0)
    token.cancel()
  }

  @Test func `the footprint excludes objects without a context`() throws {
    let stack = try seeded()
    var held: [ManagedObject] = []
    do {
      let context = stack.context()
      held = try context.performAndWait { Array(try context.books()) }
      #expect(current(stack) > held.count * 117)
    }
    #expect(current(stack) == 0 && held.count == 10)
    held = []
    #expect(current(stack) == 0)
  }

  @Test func `concurrent contexts leave no footprint`() throws {
    let stack = try Stack(poolSize: 4)
    try stack.seed { context in for number in 0..<200 { context.insertBook("\(Self.longTitle) \(number)") } }
    let root = stack.context("root")
    let contexts =
      [root, ManagedObjectContext(.privateQueue, parent: root, name: "child")] + (0..<2).map { stack.context("\($0)") }
    let failures = Journal<String>()
    for context in contexts {
      context.mergePolicy = .objectTrump
      for round in 0..<10 {
        context.perform {
          do {
            for book in try context.books().prefix(50) { book[Book.note] = .string("\(Self.longTitle) \(round)") }
            context.insertBook("\(context.name) \(round)")
            try context.save()
          } catch {
            failures.write("\(error)")
          }
        }
      }
    }
    for context in contexts { drain(context) }
    try root.performAndWait { try root.save() }
    for context in contexts { drain(context) }
    #expect(failures.entries == [])
    #expect(current(stack) == 0)
    #expect(Recount.bytes(contexts, stack.coordinator) == 0)
  }

  // MARK: Peak and sum

  @Test func `the peak within a block is recorded`() throws {
    let stack = try seeded()
    let context = stack.context()
    stack.coordinator.footprint.restart()
    var rowBytes = 0
    try context.performAndWait {
      for book in try context.books() {
        _ = book.title
        rowBytes += try Recount.bytes(of: #require(book.snapshot))
      }
    }
    let expected = 10 * (117 + 21) + rowBytes
    #expect(figures(stack) == [0, expected, expected])
  }

  @Test func `discarded changes count in the peak and the sum`() throws {
    let stack = try seeded(1)
    let context = stack.context()
    let book = try context.performAndWait { try #require(try context.books().first) }
    context.performAndWait { _ = book.title }
    let before = stack.coordinator.footprint.restart()
    context.performAndWait {
      for _ in 0..<3 {
        book[Book.note] = .string(Self.longTitle)
        context.rollback()
      }
    }
    // A change takes a row of seven slots with two strings, and an entry among the changes.
    let change = 32 + 7 * 10 + 36 + 34 + 16
    let figures = stack.coordinator.footprint.figures
    #expect(figures.currentBytes == before && figures.peakBytes == before + change)
    #expect(figures.addedBytes == 3 * change)
    withExtendedLifetime(book) {}
  }

  @Test func `the footprint of a fixed scenario is constant`() throws {
    let stack = try seeded()
    let chain = stack.chain(1)
    let beside = stack.context("beside")
    let held = try beside.performAndWait { try Array(beside.books().prefix(5)) }
    beside.performAndWait { for book in held { _ = book.title } }
    stack.coordinator.footprint.restart()
    let token = chain.root.observeDidSave { save in
      beside.performAndWait { beside.mergeChanges(fromContextDidSave: save) }
    }
    for round in 0..<5 {
      try chain.leaf.performAndWait {
        let books = try chain.leaf.books()
        for book in books { book[Book.note] = .string("\(Self.longTitle), round \(round)") }
        chain.leaf.delete(books[5 + round])
        for number in 0..<20 { chain.leaf.insertBook("Z \(round) \(number)", author: books[0].related(Book.author)) }
        try chain.leaf.save()
      }
      try chain.root.performAndWait { try chain.root.save() }
    }
    token.cancel()
    #expect(current(stack) == Recount.bytes(chain.contexts + [beside], stack.coordinator))
    // The figures are the same in debug and release builds and with any hash seed. They are lower on a store in memory,
    // which returns the rows that it has instead of reading new ones.
    #expect(figures(stack) == (stack.hasSQL ? [1_595, 60_919, 333_419] : [1_595, 60_014, 329_109]))
    withExtendedLifetime(held) {}
  }
}
