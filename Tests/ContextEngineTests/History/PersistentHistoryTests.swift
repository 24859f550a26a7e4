import ContextEngine
import Foundation
import SQLitePersistence
import TestSupport
import Testing

/// Persistent history, as Core Data documents it and as its files show it.
@Suite struct PersistentHistoryTests {
  func makeStack(on folder: TemporaryFolder? = nil, epoch: Double = 700_000_000) throws -> Stack {
    try Stack(
      poolSize: 2, on: folder,
      configure: {
        $0.tracksHistory = true
        $0.historyIdentity = HistoryIdentity(
          bundleIdentifier: "org.example.app", processIdentifier: "main", epoch: epoch)
      })
  }

  private func history(
    _ stack: Stack, after token: PersistentHistoryToken? = nil
  ) throws -> [PersistentHistoryTransaction] {
    try stack.coordinator.execute(.fetchHistory(after: token)).transactions
  }

  /// Writes three transactions: two books inserted, one changed, the other deleted.
  @discardableResult
  func writeThree(_ stack: Stack, _ context: ManagedObjectContext) throws -> [ObjectID] {
    try context.performAndWait {
      let books = [context.insertBook("Emma", year: 1815), context.insertBook("Persuasion", year: 1817)]
      try context.save()
      books[0][Book.year] = 1816
      books[0][Book.note] = "corrected"
      try context.save()
      context.delete(books[1])
      try context.save()
      return books.map(\.objectID)
    }
  }

  @Test(arguments: 0...2)
  func `each save into the store adds one transaction with its changes`(depth: Int) throws {
    let stack = try makeStack()
    let chain = stack.chain(depth)
    chain.root.performAndWait { chain.root.transactionAuthor = "importer" }
    chain.leaf.performAndWait {
      chain.leaf.insertBook("Emma", year: 1815)
      chain.leaf.insertAuthor("Jane")
    }
    try chain.saveAll()
    try chain.leaf.performAndWait {
      let book = try #require(try chain.leaf.book("Emma"))
      book[Book.year] = 1816
      book[Book.isRead] = .boolean(true)
    }
    try chain.saveAll()
    try chain.leaf.performAndWait { chain.leaf.delete(try #require(try chain.leaf.book("Emma"))) }
    try chain.saveAll()
    let transactions = try history(stack)
    #expect(transactions.map(\.transactionNumber) == [1, 2, 3])
    #expect(transactions.allSatisfy { $0.author == "importer" && $0.contextName == "root" })
    #expect(transactions.allSatisfy { $0.bundleID == "org.example.app" && $0.processID == "main" })
    #expect(transactions.allSatisfy { $0.storeID == stack.store.identifier && $0.timestamp >= 700_000_000 })
    let changes = transactions.compactMap(\.changes)
    #expect(changes.map { $0.map(\.changeType) } == [[.insert, .insert], [.update], [.delete]])
    #expect(changes.map { $0.map(\.changedObjectID.entityName) } == [["Author", "Book"], ["Book"], ["Book"]])
    #expect(changes[1][0].updatedProperties == ["year", "isRead"])
    #expect(changes.flatMap(\.self).map(\.changeID) == [1, 2, 3, 4])
  }

  @Test func `empty saves, failed saves and saves into a parent add no transaction`() throws {
    let stack = try makeStack()
    let chain = stack.chain(1)
    try chain.leaf.performAndWait {
      try chain.leaf.save()
      chain.leaf.insertBook("Emma")
      try chain.leaf.save()
    }
    #expect(try history(stack).isEmpty)
    try chain.saveAll()
    #expect(try history(stack).count == 1)
    // Two contexts change one row. The second save fails, and its history is rolled back too.
    let contexts = (0..<2).map { stack.context("\($0)") }
    let books = try contexts.map { context in
      try context.performAndWait {
        let book = try #require(try context.book("Emma"))
        book[Book.note] = .string(context.name)
        return book
      }
    }
    try contexts[0].performAndWait { try contexts[0].save() }
    contexts[1].performAndWait { _ = #expect(throws: PersistenceError.self) { try contexts[1].save() } }
    #expect(try history(stack).count == 2 && books.count == 2)
  }

  @Test func `a batch request adds a transaction`() throws {
    let stack = try makeStack()
    let context = stack.context("batches")
    try context.executeAndWait(BatchInsertRequest(Book.entity, objects: [["title": "1"], ["title": "2"]]))
    try context.executeAndWait(
      BatchUpdateRequest(
        Book.entity, predicate: .equal(Book.title, "2"),
        propertiesToUpdate: [Book.note: .constant("x"), Book.year: .constant(1)]))
    try context.executeAndWait(BatchDeleteRequest(FetchRequest(Book.entity)))
    // The second request matches no rows, so it writes no transaction.
    try context.executeAndWait(BatchDeleteRequest(FetchRequest(Book.entity)))
    let changes = try history(stack).compactMap(\.changes)
    #expect(changes.map { $0.map(\.changeType) } == [[.insert, .insert], [.update], [.delete, .delete]])
    #expect(changes[1][0].updatedProperties == ["year", "note"])
    #expect(try history(stack).allSatisfy { $0.contextName == "batches" })
  }

  @Test func `a tombstone contains the preserved values of a deleted row`() throws {
    let folder = try TemporaryFolder()
    let model = ManagedObjectModel([
      .init(
        "Note",
        attributes: [
          .init("text", .string), .init("externalID", .string, preservesValueInHistoryOnDeletion: true),
          .init("stamp", .integer64, preservesValueInHistoryOnDeletion: true),
        ]), .init("Plain", attributes: [.init("text", .string)]),
    ])
    let stack = try Stack(model: model, on: folder, configure: { $0.tracksHistory = true })
    let context = stack.context()
    try context.performAndWait {
      let notes = (1...3).map { number in
        let note = context.insert(model.entity("Note"))
        note["text"] = "gone for good"
        note["externalID"] = .string("remote \(number)")
        note["stamp"] = .integer(Int64(number))
        return note
      }
      let plain = context.insert(model.entity("Plain"))
      try context.save()
      context.delete(notes[0])
      context.delete(plain)
      try context.save()
      _ = try context.execute(BatchDeleteRequest(objectIDs: [notes[1].objectID]))
    }
    let changes = try history(stack).compactMap(\.changes)
    #expect(changes[0].allSatisfy { $0.tombstone == nil })
    #expect(changes[1].map(\.tombstone) == [["externalID": "remote 1", "stamp": 1], [:]])
    #expect(changes[2].map(\.tombstone) == [["externalID": "remote 2", "stamp": 2]])
  }

  @Test func `history is fetched after a token, a date or a transaction, and by author`() throws {
    let stack = try makeStack()
    let context = stack.context("first")
    context.performAndWait { context.transactionAuthor = "one" }
    let start = try #require(try stack.coordinator.currentPersistentHistoryToken())
    try writeThree(stack, context)
    let all = try history(stack, after: start)
    #expect(try all.count == 3 && all == history(stack))
    #expect(try history(stack, after: all[1].token).map(\.transactionNumber) == [3])
    let later = try stack.coordinator.execute(.fetchHistory(after: all[0])).transactions
    #expect(later.map(\.transactionNumber) == [2, 3])
    let byTime = try stack.coordinator.execute(.fetchHistory(afterTimestamp: all[0].timestamp)).transactions
    #expect(byTime.map(\.transactionNumber) == [2, 3])
    let end = try #require(try stack.coordinator.currentPersistentHistoryToken())
    #expect(try history(stack, after: end).isEmpty && end.isLater(than: start) && !start.isLater(than: end))

    let other = stack.context("second")
    try other.performAndWait {
      other.insertBook("Sanditon")
      try other.save()
    }
    func numbers(_ filter: PersistentHistoryFilter) throws -> [Int64] {
      var request = PersistentHistoryChangeRequest.fetchHistory(after: nil)
      request.filter = filter
      return try stack.coordinator.execute(request).transactions.map(\.transactionNumber)
    }
    #expect(try numbers(.equal(.author, "one")) == [1, 2, 3])
    #expect(try numbers(.not(.equal(.author, "one"))) == [4])
    #expect(try numbers(.equal(.author, nil)) == [4])
    #expect(try numbers(.or([.equal(.contextName, "second"), .equal(.author, "nobody")])) == [4])
    #expect(try numbers(.and([.equal(.bundleID, "org.example.app"), .equal(.processID, "main")])) == [1, 2, 3, 4])
  }

  @Test func `a history request returns the requested result type`() throws {
    let stack = try makeStack()
    let books = try writeThree(stack, stack.context())
    func result(_ type: PersistentHistoryChangeRequest.ResultType) throws -> PersistentHistoryResult {
      var request = PersistentHistoryChangeRequest.fetchHistory(after: nil)
      request.resultType = type
      return try stack.coordinator.execute(request)
    }
    let whole = try history(stack)
    #expect(try result(.statusOnly) == .status(true))
    #expect(try result(.count) == .count(3))
    #expect(try result(.objectIDs) == .objectIDs(books))
    #expect(try result(.changesOnly) == .changes(whole.flatMap { $0.changes ?? [] }))
    #expect(try result(.transactionsAndChanges) == .transactions(whole))
    let transactions = try result(.transactionsOnly).transactions
    #expect(transactions.map(\.transactionNumber) == [1, 2, 3] && transactions.allSatisfy { $0.changes == nil })
  }

  @Test func `history before a time is deleted`() throws {
    let stack = try makeStack()
    try writeThree(stack, stack.context())
    let all = try history(stack)
    var request = PersistentHistoryChangeRequest.deleteHistory(beforeTimestamp: all[2].timestamp)
    request.resultType = .count
    #expect(try stack.coordinator.execute(request) == .count(2))
    #expect(try history(stack) == [all[2]])
  }

  @Test func `purged history is deleted, and an older token throws historyTokenExpired`() throws {
    let stack = try makeStack()
    try writeThree(stack, stack.context())
    let all = try history(stack)
    var request = PersistentHistoryChangeRequest.deleteHistory(before: all[1])
    request.resultType = .count
    #expect(try stack.coordinator.execute(request) == .count(1))
    #expect(try history(stack) == Array(all.dropFirst()))
    // The token marks transaction 1, and transaction 2 still exists.
    #expect(try history(stack, after: all[0].token).count == 2)
    #expect(try stack.coordinator.execute(.deleteHistory(before: all[2].token)) == .status(true))
    let error = #expect(throws: PersistenceError.self) { try history(stack, after: all[0].token) }
    #expect(error?.code == .historyTokenExpired)
    #expect(try stack.coordinator.execute(.deleteHistory(before: nil)) == .status(true))
    #expect(try history(stack).isEmpty)
    #expect(try history(stack, after: all[2].token).isEmpty)
    #expect(throws: PersistenceError.self) { try history(stack, after: all[1].token) }
    let foreign = PersistentHistoryToken(["another": 1])
    #expect(throws: PersistenceError.self) { try history(stack, after: foreign) }
    #expect(try PlainReader(stack).rows("SELECT COUNT(*) FROM ACHANGE") == [["0"]])
    // The numbers of transactions continue.
    try stack.seed { $0.insertBook("Sanditon") }
    #expect(try history(stack, after: all[2].token).map(\.transactionNumber) == [4])
  }

  @Test func `a history token round-trips through JSON`() throws {
    let stack = try makeStack()
    try writeThree(stack, stack.context())
    let token = try #require(try history(stack).first?.token)
    let read = try JSONDecoder().decode(PersistentHistoryToken.self, from: JSONEncoder().encode(token))
    #expect(read == token)
    #expect(try history(stack, after: read).count == 2)
  }

  @Test(arguments: Arrangement.all)
  func `merging a transaction updates contexts of another coordinator`(_ arrangement: Arrangement) throws {
    let writer = try makeStack()
    try writer.seed { for number in 1...2 { $0.insertBook("\(number)", year: 1800) } }
    let reader = try Stack(poolSize: arrangement.poolSize, on: writer.folder)
    let chain = reader.chain(arrangement.depth, mainLevel: arrangement.mainLevel)
    let held = try chain.leaf.performAndWait {
      let books = try chain.leaf.books()
      for book in books { _ = book.title }
      return books
    }
    let start = try reader.coordinator.currentPersistentHistoryToken()
    let context = writer.context()
    try context.performAndWait {
      let books = try context.books()
      books[0][Book.year] = 1900
      context.delete(books[1])
      context.insertBook("3")
      try context.save()
    }
    for transaction in try history(reader, after: start) {
      try ManagedObjectContext.mergeChanges(
        fromRemoteContextSave: transaction.objectIDNotification(), into: chain.contexts)
    }
    chain.leaf.performAndWait {
      #expect(held[0][Book.year] == 1900 && held[0].version == 2 && held[1].isDeleted)
    }
    #expect(try chain.leaf.titlesAndWait() == ["1", "3"])
  }

  @Test func `a store opened without history throws on requests, and one with history keeps recording`() throws {
    let plain = try Stack()
    try plain.seed { $0.insertBook("Emma") }
    #expect(try plain.coordinator.currentPersistentHistoryToken() == nil)
    let error = #expect(throws: PersistenceError.self) { try history(plain) }
    #expect(error?.code == .unsupportedRequest)
    #expect(try PlainReader(plain).rows("SELECT name FROM sqlite_master WHERE name LIKE 'A%'").isEmpty)
    try plain.store.close()
    // The store tracks history from this point.
    let tracking = try makeStack(on: plain.folder)
    try tracking.seed { $0.insertBook("Persuasion") }
    #expect(try history(tracking).count == 1)
    try tracking.store.close()
    let again = try Stack(on: plain.folder)
    try again.seed { $0.insertBook("Sanditon") }
    #expect(try history(again).count == 2)
  }
}
