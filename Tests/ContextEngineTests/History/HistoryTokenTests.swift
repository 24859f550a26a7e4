import ContextEngine
import Foundation
import SQLitePersistence
import TestSupport
import Testing

/// Tests of the history token of a did-save, and of fetching history from its beginning.
@Suite struct HistoryTokenTests {
  private func makeStack(tracksHistory: Bool = true) throws -> Stack {
    try Stack(poolSize: 2, configure: { $0.tracksHistory = tracksHistory })
  }

  private func tokens(
    of context: ManagedObjectContext, during body: () throws -> Void
  ) rethrows -> [PersistentHistoryToken?] {
    let tokens = Journal<PersistentHistoryToken?>()
    let observers = [
      context.observeWillSave { #expect($0.historyToken == nil) },
      context.observeDidSave { tokens.write($0.historyToken) },
    ]
    defer { observers.forEach { $0.cancel() } }
    try body()
    return tokens.entries
  }

  @Test func `a did-save contains the token of its transaction`() throws {
    let stack = try makeStack()
    let context = stack.context()
    let tokens = try tokens(of: context) {
      try context.performAndWait {
        for title in ["Emma", "Persuasion", "Sanditon"] {
          context.insertBook(title)
          try context.save()
        }
        try context.save()
      }
    }
    #expect(tokens.count == 4 && tokens[3] == nil)
    for (index, token) in tokens.dropLast().enumerated() {
      let later = try stack.coordinator.execute(.fetchHistory(after: token)).transactions
      #expect(later.map(\.transactionNumber) == Array([1, 2, 3].dropFirst(index + 1)))
    }
    #expect(try stack.coordinator.currentPersistentHistoryToken() == tokens[2])
  }

  @Test func `a save into a parent or into a store without history has no token`() throws {
    let chain = try makeStack().chain(1)
    let pushed = try tokens(of: chain.leaf) {
      try chain.leaf.performAndWait {
        chain.leaf.insertBook("Emma")
        try chain.leaf.save()
      }
    }
    #expect(pushed == [nil])
    let context = try makeStack(tracksHistory: false).context()
    let saved = try tokens(of: context) {
      try context.performAndWait {
        context.insertBook("Emma")
        try context.save()
      }
    }
    #expect(saved == [nil])
  }

  @Test func `the token of a save into one store covers all stores`() throws {
    let folder = try TemporaryFolder()
    let stack = try Stack(on: folder, configure: { $0.tracksHistory = true })
    let second = try addSecondStore(to: stack, in: folder)
    let context = stack.context()
    func save(_ title: String, into store: any PersistentStore) throws {
      let book = context.insertBook(title)
      context.assign(book, to: store)
      try context.save()
    }
    let tokens = try tokens(of: context) {
      try context.performAndWait {
        try save("Emma", into: stack.store)
        try save("Persuasion", into: second)
        let emma = context.insertBook("Sanditon")
        context.assign(emma, to: stack.store)
        try save("Lady Susan", into: second)
      }
    }
    let remaining = try tokens.map { token in
      try stack.coordinator.execute(.fetchHistory(after: token)).transactions.count
    }
    #expect(remaining == [3, 2, 0])
  }

  @Test func `deleting history before a token keeps the history of stores added later`() throws {
    let folder = try TemporaryFolder()
    let stack = try Stack(on: folder, configure: { $0.tracksHistory = true })
    try stack.seed { $0.insertBook("Emma") }
    let token = try #require(try stack.coordinator.currentPersistentHistoryToken())
    let second = try addSecondStore(to: stack, in: folder)
    let context = stack.context()
    try context.performAndWait {
      for title in ["Persuasion", "Lady Susan"] {
        context.assign(context.insertBook(title), to: second)
        try context.save()
      }
    }
    var request = PersistentHistoryChangeRequest.deleteHistory(before: token)
    request.resultType = .count
    #expect(try stack.coordinator.execute(request) == .count(0))
    #expect(try stack.coordinator.execute(.fetchHistory(after: token)).transactions.count == 2)
  }

  /// Adds an empty store that keeps history.
  private func addSecondStore(to stack: Stack, in folder: TemporaryFolder) throws -> SQLiteStore {
    var configuration = SQLiteStoreConfiguration(path: folder.url.appendingPathComponent("second.sqlite").path)
    configuration.tracksHistory = true
    let second = try SQLiteStore(stack.machine, model: Library.model, configuration: configuration)
    stack.coordinator.addPersistentStore(second)
    return second
  }

  @Test func `a nil token fetches history from its beginning and deletes it to its end`() throws {
    let stack = try makeStack()
    try stack.seed { $0.insertBook("Emma") }
    let context = stack.context()
    try context.performAndWait {
      #expect(try context.execute(.fetchHistory(after: nil)).transactions.count == 1)
      let request = PersistentHistoryChangeRequest.fetchHistory(after: nil)
      #expect(try stack.coordinator.execute(request).transactions.count == 1)
      _ = try context.execute(.deleteHistory(before: nil))
      #expect(try context.execute(.fetchHistory(after: nil)).transactions.isEmpty)
    }
  }
}
