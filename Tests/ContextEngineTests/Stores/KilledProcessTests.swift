import ContextEngine
import Foundation
import MachineCore
import MachineLive
import SQLitePersistence
import TestSupport
import Testing

/// Processes that are killed while they save.
@Suite struct KilledProcessTests {
  /// The argument `statement` is the statement of the second save at which the process is killed: its BEGIN, some of
  /// its writes, its COMMIT.
  @Test(arguments: ["wal", "delete"], [1, 4, 5, 7, 9, 11, 12])
  func `a process killed during a save leaves the previous commit only`(
    journalMode: String, statement: Int
  ) async throws {
    let folder = try TemporaryFolder()
    await #expect(processExitsWith: .signal(SIGKILL)) { [path = folder.url.path as String, journalMode, statement] in
      let mode = try #require(SQLiteStoreConfiguration.JournalMode(rawValue: journalMode))
      let countdown = Guarded<Int?>(nil)
      let (_, coordinator) = try open(path + "/library.sqlite", mode) { _ in
        let isOver = countdown.withLock { count in
          guard let left = count else { return false }
          count = left - 1
          return left == 1
        }
        if isOver { kill(getpid(), SIGKILL) }
      }
      let context = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "context")
      try context.performAndWait {
        for number in 0..<4 { context.insertBook("first \(number)") }
        try context.save()
        for number in 0..<4 { context.insertBook("second \(number)") }
        for book in try context.books() where book.title.hasPrefix("first") {
          if book.title == "first 0" { context.delete(book) } else { book[Book.year] = 1815 }
        }
        countdown.withLock { $0 = statement }
        try context.save()
      }
    }
    // The killed process left its journal or its log, from which opening recovers the store.
    let mode = try #require(SQLiteStoreConfiguration.JournalMode(rawValue: journalMode))
    let (store, coordinator) = try open(folder.storePath, mode)
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "context")
    try context.performAndWait {
      let books = try context.books()
      #expect(books.map(\.title) == (0..<4).map { "first \($0)" })
      #expect(books.allSatisfy { $0[Book.year] == .null && $0.version == 1 })
      // Keys that the killed process reserved may be lost, but no key is used twice.
      let next = context.insertBook("next")
      try context.save()
      #expect(!books.map(\.objectID).contains(next.objectID))
      #expect(try context.titles().count == 5)
    }
    try store.close()
  }
}

private func open(
  _ path: String, _ journalMode: SQLiteStoreConfiguration.JournalMode,
  onStatement: (@Sendable (String) -> Void)? = nil
) throws -> (SQLiteStore, PersistentStoreCoordinator) {
  let machine = LiveMachine(ledger: WorkLedger())
  let store = try SQLiteStore(
    machine, model: Library.model,
    configuration: SQLiteStoreConfiguration(path: path, journalMode: journalMode, onStatement: onStatement))
  return (store, PersistentStoreCoordinator(machine: machine, store: store))
}
