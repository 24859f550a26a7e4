import ContextEngine
import Foundation
import MachineCore
import TestSupport
import Testing

/// Remote-change notifications, which Core Data posts if history is tracked.
@Suite struct RemoteChangeTests {
  private func makeStack(on folder: TemporaryFolder? = nil) throws -> Stack {
    try Stack(poolSize: 2, on: folder, configure: { $0.tracksHistory = true })
  }

  /// A stream of remote changes, and the token that ends it.
  private struct Changes {
    let stream: AsyncStream<RemoteChange>
    let token: ObserverToken

    init(_ coordinator: PersistentStoreCoordinator, every interval: TimeSpan? = nil) throws {
      let (stream, continuation) = AsyncStream.makeStream(of: RemoteChange.self)
      self.stream = stream
      token = try coordinator.observeRemoteChanges(every: interval) { continuation.yield($0) }
    }

    /// Returns the first remote change whose token includes a transaction.
    func next(upTo number: Int64) async throws -> RemoteChange {
      for await change in stream where (change.historyToken.transactionNumbers[change.storeID] ?? 0) >= number {
        return change
      }
      throw CancellationError()
    }
  }

  @Test func `coordinators on one file are notified of every save, including their own`() async throws {
    let writer = try makeStack()
    let reader = try makeStack(on: writer.folder)
    let (heard, own) = try (Changes(reader.coordinator), Changes(writer.coordinator))
    let start = try reader.coordinator.currentPersistentHistoryToken()
    let context = writer.context()
    try context.performAndWait {
      context.insertBook("Emma")
      try context.save()
    }
    let change = try await heard.next(upTo: 1)
    #expect(change.storeID == reader.store.identifier)
    #expect(change.historyToken == (try reader.coordinator.currentPersistentHistoryToken()))
    #expect(try await own.next(upTo: 1) == change)
    try context.executeAndWait(BatchInsertRequest(Book.entity, objects: [["title": "Persuasion"]]))
    _ = try await heard.next(upTo: 2)
    // The notification leads to a merge of the history since the last token.
    let list = reader.context("list")
    let titles = try list.performAndWait {
      let journal = Journal<String>()
      _ = list.observeDidChange { change in for book in change.inserted { journal.write(book.title) } }
      for transaction in try reader.coordinator.execute(.fetchHistory(after: start)).transactions {
        try ManagedObjectContext.mergeChanges(
          fromRemoteContextSave: transaction.objectIDNotification(), into: [list])
      }
      return journal.entries
    }
    #expect(titles == ["Emma", "Persuasion"])
  }

  @Test func `observers are notified of saves into the store until they are cancelled`() async throws {
    let stack = try makeStack()
    let journal = Journal<Int64>()
    let observer = try stack.coordinator.observeRemoteChanges { change in
      journal.write(change.historyToken.transactionNumbers[change.storeID] ?? 0)
    }
    let sentinel = try Changes(stack.coordinator)
    let chain = stack.chain(1)
    try chain.leaf.performAndWait {
      chain.leaf.insertChapter("no title", of: chain.leaf.insertBook("Emma"))[Chapter.title] = .null
      #expect(throws: PersistenceError.self) { try chain.leaf.save() }
      chain.leaf.rollback()
      chain.leaf.insertBook("Emma")
      try chain.leaf.save()
    }
    try stack.seed { $0.insertBook("Persuasion") }
    _ = try await sentinel.next(upTo: 1)
    #expect(journal.entries == [1])
    observer.cancel()
    try stack.seed { $0.insertBook("Sanditon") }
    _ = try await sentinel.next(upTo: 2)
    #expect(journal.entries == [1])
  }

  @Test func `observing remote changes of a store without history throws`() throws {
    let stack = try Stack()
    let error = #expect(throws: PersistenceError.self) { try stack.coordinator.observeRemoteChanges { _ in } }
    #expect(error?.code == .unsupportedRequest)
  }

  @Test func `a write by another process is found by the next poll, with its author`() async throws {
    let stack = try makeStack()
    try stack.seed { $0.insertBook("Emma", year: 1815) }
    let heard = try Changes(stack.coordinator, every: .milliseconds(20))
    let context = stack.context()
    let book = try context.performAndWait {
      let book = try #require(try context.book("Emma"))
      #expect(book[Book.year] == 1815)
      return book
    }
    let start = try stack.coordinator.currentPersistentHistoryToken()
    let folder = stack.folder.url
    await #expect(processExitsWith: .success) { [folder = folder.path as String] in
      let other = try Stack(
        on: TemporaryFolder(borrowing: URL(fileURLWithPath: folder)),
        configure: {
          $0.tracksHistory = true
          $0.historyIdentity.processIdentifier = "widget"
        })
      let context = other.context("elsewhere")
      try context.performAndWait {
        context.transactionAuthor = "another process"
        try context.books()[0][Book.year] = 1816
        context.insertBook("Persuasion")
        try context.save()
      }
      try other.store.close()
    }
    let change = try await heard.next(upTo: 2)
    #expect(change.storeID == stack.store.identifier)
    let transactions = try stack.coordinator.execute(.fetchHistory(after: start)).transactions
    #expect(transactions.map(\.author) == ["another process"] && transactions[0].processID == "widget")
    try ManagedObjectContext.mergeChanges(
      fromRemoteContextSave: transactions[0].objectIDNotification(), into: [context])
    context.performAndWait { #expect(book[Book.year] == 1816) }
    #expect(try context.titlesAndWait() == ["Emma", "Persuasion"])
    heard.token.cancel()
  }

  @Test func `a write by another process is found without a poll by checkForRemoteChanges()`() async throws {
    let stack = try makeStack()
    let heard = try Changes(stack.coordinator)
    let folder = stack.folder.url
    await #expect(processExitsWith: .success) { [folder = folder.path as String] in
      let other = try Stack(
        on: TemporaryFolder(borrowing: URL(fileURLWithPath: folder)), configure: { $0.tracksHistory = true })
      try other.seed { $0.insertBook("Persuasion") }
      try other.store.close()
    }
    stack.coordinator.checkForRemoteChanges()
    let change = try await heard.next(upTo: 1)
    #expect(change.storeID == stack.store.identifier)
    #expect(try stack.coordinator.currentPersistentHistoryToken() == change.historyToken)
    heard.token.cancel()
  }
}
