import ContextEngine
import Dispatch
import MachineCore
import MachineLive
import SQLitePersistence
import TestSupport
import Testing

@Suite struct CoordinatorTests {
  /// A gate that stops the thread that runs a certain statement until the gate is opened.
  final class Gate: Sendable {
    private let prefix: String
    private let closed = Guarded(true)
    private let reached = DispatchSemaphore(value: 0)
    private let opened = DispatchSemaphore(value: 0)

    init(at prefix: String) {
      self.prefix = prefix
    }

    /// Stops the calling thread if the statement has the prefix and the gate is closed. The store calls it with each
    /// statement.
    func pass(_ sql: String) {
      guard sql.hasPrefix(prefix), closed.withLock({ $0 }) else { return }
      reached.signal()
      opened.wait()
    }

    /// Blocks until a thread waits at the gate.
    func waitForArrival() {
      reached.wait()
    }

    func open() {
      closed.withLock { $0 = false }
      opened.signal()
    }
  }

  private func waitForLine(of count: Int, at stack: Stack) throws {
    let lock = try #require(stack.coordinator.writerLock as? LiveLock)
    while lock.waitingCount < count { stack.machine.wait(until: stack.machine.now + .microseconds(50)) }
  }

  @Test func `with one connection a fetch waits for another fetch`() throws {
    let gate = Gate(at: "SELECT 0, t0.Z_PK")
    let stack = try Stack(poolSize: 1, onStatement: { gate.pass($0) })
    let contexts = (0..<2).map { stack.context("context \($0)") }
    let before = stack.statements.count
    contexts[0].perform { _ = try? contexts[0].books() }
    gate.waitForArrival()
    contexts[1].perform { _ = try? contexts[1].books() }
    try waitForLine(of: 1, at: stack)
    #expect(stack.statements.count == before + 1)
    gate.open()
    for context in contexts { drain(context) }
    #expect(stack.statements.count == before + 2)
  }

  @Test func `with four connections readers see committed rows while a writer writes`() throws {
    let gate = Gate(at: "INSERT INTO ZBOOK")
    let stack = try Stack(poolSize: 4, onStatement: { gate.pass($0) })
    let writer = stack.context("writer")
    writer.perform {
      writer.insertBook("Emma")
      try? writer.save()
    }
    gate.waitForArrival()
    for number in 0..<4 {
      let reader = stack.context("reader \(number)")
      let titles = try reader.performAndWait { try reader.titles() }
      #expect(titles.isEmpty)
    }
    gate.open()
    drain(writer)
    #expect(try stack.storedTitles() == ["Emma"])
  }

  @Test(arguments: [1, 4])
  func `writers take turns in the order of their requests`(poolSize: Int) throws {
    let gate = Gate(at: "INSERT INTO ZBOOK")
    let stack = try Stack(poolSize: poolSize, onStatement: { gate.pass($0) })
    let writers = (0..<5).map { stack.context("writer \($0)") }
    let order = Journal<Int>()
    for (number, writer) in writers.enumerated() {
      writer.perform {
        writer.insertBook("Book \(number)")
        try? writer.save()
        order.write(number)
      }
      if number == 0 { gate.waitForArrival() } else { try waitForLine(of: number, at: stack) }
    }
    gate.open()
    for writer in writers { drain(writer) }
    let keys = try stack.inStore { try $0.books().map(\.objectID.key) }
    #expect(keys == [1, 2, 3, 4, 5])
    #expect(order.entries.sorted() == [0, 1, 2, 3, 4])
  }

  @Test(arguments: SQLiteStoreConfiguration.JournalMode.allCases, [1, 4])
  func `saved rows are read back in every journal mode`(
    journalMode: SQLiteStoreConfiguration.JournalMode, poolSize: Int
  ) throws {
    let stack = try Stack(poolSize: poolSize, journalMode: journalMode)
    let context = stack.context()
    try context.performAndWait {
      for number in 0..<20 { context.insertBook("Book \(10 + number)") }
      try context.save()
      for book in try context.books().prefix(5) { context.delete(book) }
      try context.save()
    }
    let titles = try stack.storedTitles()
    #expect(titles == (15..<30).map { "Book \($0)" })
  }

  @Test func `a context reads rows that another context cached without a statement`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma") }
    let (first, second) = (stack.context("first"), stack.context("second"))
    let held = try first.performAndWait { try first.books() }
    stack.expectStatements(0) {
      second.performAndWait { #expect(second.object(with: held[0].objectID).title == "Emma") }
    }
  }

  @Test func `a save updates the row cache for other contexts`() throws {
    let stack = try Stack()
    try stack.seed { $0.insertBook("Emma", year: 1815) }
    let (first, second) = (stack.context("first"), stack.context("second"))
    let held = try first.performAndWait {
      let book = try #require(try first.books().first)
      #expect(book[Book.year] == 1815)
      return book
    }
    try second.performAndWait {
      try #require(try second.books().first)[Book.year] = 1816
      try second.save()
    }
    try first.performAndWait {
      #expect(held[Book.year] == 1815)
      try stack.expectStatements(0) { try first.refresh(held, mergeChanges: true) }
      #expect(held[Book.year] == 1816 && held.version == 2)
    }
  }

  @Test func `the row cache keeps the newest row of an object`() throws {
    let stack = try Stack()
    let cache = stack.coordinator.rowCache
    let objectID = ObjectID(entity: Book.entity.index, key: 1)
    let rows = (1...3).map { Row(version: Int64($0), values: []) }
    cache.enter([(objectID, rows[0])])
    #expect(cache.row(for: objectID) == nil)
    cache.register(objectID)
    cache.enter([(objectID, rows[1])])
    cache.enter([(objectID, rows[0])])
    #expect(cache.row(for: objectID) === rows[1])
    cache.enter([(objectID, rows[2])])
    #expect(cache.row(for: objectID) === rows[2])
    cache.remove([objectID])
    #expect(cache.row(for: objectID) == nil && cache.entryCount == 1)
    cache.unregister([objectID])
    #expect(cache.entryCount == 0)
  }

  @Test func `saves of a coordinator are numbered from one, equally in will-save and did-save`() throws {
    let stack = try Stack()
    let numbers = Journal<Int>()
    var tokens: [ObserverToken] = []
    for name in ["first", "second"] {
      let context = stack.context(name)
      tokens += [
        context.observeWillSave { numbers.write($0.number) }, context.observeDidSave { numbers.write($0.number) },
      ]
      try context.performAndWait {
        context.insertBook("Emma")
        try context.save()
      }
    }
    #expect(numbers.entries == [1, 1, 2, 2])
    tokens.forEach { $0.cancel() }
  }
}
