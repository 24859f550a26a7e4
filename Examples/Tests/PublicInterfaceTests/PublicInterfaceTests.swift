import ContextEngine
import Foundation
import MachineCore
import MachineLive
import SQLitePersistence
import Testing

/// The features that the engine's documentation lists. As in another package, only public declarations are visible.
@Suite struct PublicInterfaceTests {
  @Test func `a store in memory`() throws {
    let machine = LiveMachine(ledger: WorkLedger())
    let store = InMemoryStore(machine, model: Shelf.model)
    let coordinator = PersistentStoreCoordinator(machine: machine, inMemoryStore: store)
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "context")
    try context.performAndWait {
      context.insertBook("Emma")
      try context.save()
      context.reset()
      #expect(try context.titles() == ["Emma"])
    }
    try store.close()
    let error = context.performAndWait { #expect(throws: PersistenceError.self) { try context.titles() } }
    #expect(error?.code == .storeOpen)
  }

  @Test func `several stores, one of them added later and removed again`() throws {
    let stack = try Stack()
    let memory = InMemoryStore(stack.machine, model: Shelf.model)
    stack.coordinator.addPersistentStore(memory, configuration: "Cloud")
    let context = stack.context()
    try context.performAndWait {
      context.assign(context.insertBook("Emma"), to: memory)
      context.assign(context.insertBook("Persuasion"), to: stack.store)
      try context.save()
      #expect(try context.titles() == ["Emma", "Persuasion"])
      context.reset()
    }
    try stack.coordinator.removePersistentStore(memory)
    #expect(try context.performAndWait { try context.titles() } == ["Persuasion"])
    try stack.coordinator.removePersistentStore(stack.store)
    #expect(try context.performAndWait { try context.titles() } == [])
  }

  @Test func `a coordinator without a store gets its first one`() throws {
    let machine = LiveMachine(ledger: WorkLedger())
    let folder = try Folder()
    let coordinator = PersistentStoreCoordinator(machine: machine, model: Shelf.model)
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "context")
    let error = context.performAndWait {
      context.insertBook("Emma")
      return #expect(throws: PersistenceError.self) { try context.save() }
    }
    #expect(error?.code == .storeAssignment)
    let configuration = SQLiteStoreConfiguration(path: folder.url.appendingPathComponent("shelf.sqlite").path)
    coordinator.addPersistentStore(try SQLiteStore(machine, model: Shelf.model, configuration: configuration))
    try context.performAndWait {
      try context.save()
      #expect(try context.titles() == ["Emma"])
    }
  }

  @Test func `history names the writer, and can be deleted`() throws {
    let stack = try Stack()
    let context = stack.context("editor")
    context.performAndWait { context.transactionAuthor = "app" }
    try context.performAndWait {
      context.insertBook("Emma")
      try context.save()
    }
    let start: PersistentHistoryToken? = nil
    let transactions = try stack.coordinator.execute(.fetchHistory(after: start)).transactions
    #expect(transactions.map(\.author) == ["app"] && transactions.map(\.contextName) == ["editor"])
    #expect(transactions.map(\.bundleID) == ["org.example.shelf"] && transactions.map(\.processID) == ["app"])
    #expect(transactions[0].changes?.map(\.changeType) == [.insert])
    _ = try stack.coordinator.execute(.deleteHistory(before: start))
    #expect(try stack.coordinator.execute(.fetchHistory(after: start)).transactions.isEmpty)
  }

  @Test func `remote changes are observed`() async throws {
    let stack = try Stack()
    let (stream, continuation) = AsyncStream.makeStream(of: RemoteChange.self)
    let token = try stack.coordinator.observeRemoteChanges { continuation.yield($0) }
    let context = stack.context()
    try context.performAndWait {
      context.insertBook("Emma")
      try context.save()
    }
    let change = await stream.first { _ in true }
    #expect(change?.storeID == stack.store.identifier)
    token.cancel()
  }

  @Test func `batch requests insert, update and delete, and their IDs are merged`() throws {
    let stack = try Stack()
    let context = stack.context()
    try context.performAndWait {
      var insertion = BatchInsertRequest(
        Shelf.book, objects: [["title": .string("Emma")], ["title": .string("Persuasion")]])
      insertion.resultType = .objectIDs
      let inserted = try context.execute(insertion).objectIDs
      try ManagedObjectContext.mergeChanges(fromRemoteContextSave: [.inserted: inserted], into: [context])
      var update = BatchUpdateRequest(Shelf.book, propertiesToUpdate: [Shelf.rating: .constant(.integer(3))])
      update.resultType = .count
      #expect(try context.execute(update).count == 2)
      var deletion = BatchDeleteRequest(FetchRequest(Shelf.book, predicate: .equal(Shelf.title, .string("Emma"))))
      deletion.resultType = .count
      #expect(try context.execute(deletion).count == 1)
      #expect(try context.titles() == ["Persuasion"])
    }
  }

  @Test func `a context pinned to a query generation reads one moment`() throws {
    let stack = try Stack()
    let (reader, writer) = (stack.context("reader"), stack.context("writer"))
    try reader.performAndWait {
      try reader.setQueryGeneration(from: .current)
      #expect(try reader.titles() == [])
    }
    try writer.performAndWait {
      writer.insertBook("Emma")
      try writer.save()
    }
    try reader.performAndWait {
      #expect(try reader.titles() == [])
      try reader.setQueryGeneration(from: nil)
      #expect(try reader.titles() == ["Emma"])
    }
  }

  @Test func `merge policies settle a constraint conflict`() throws {
    let stack = try Stack()
    let (first, second) = (stack.context("first"), stack.context("second"))
    try first.performAndWait {
      first.insertBook("Emma")
      try first.save()
    }
    try second.performAndWait {
      second.insertBook("Emma").setInteger(5, at: Shelf.rating)
      let error = #expect(throws: PersistenceError.self) { try second.save() }
      #expect(error?.constraintConflicts.count == 1)
      second.mergePolicy = .objectTrump
      try second.save()
      #expect(try second.count(for: FetchRequest(Shelf.book)) == 1)
    }
  }

  @Test func `changes are undone and redone`() throws {
    let stack = try Stack()
    let context = stack.context()
    try context.performAndWait {
      context.undoManager = ContextUndoManager()
      context.insertBook("Emma")
      context.undo()
      let undone = try context.titles()
      context.redo()
      let redone = try context.titles()
      #expect(undone == [] && redone == ["Emma"])
      #expect(context.undoManager?.canUndo == true)
    }
  }

  @Test func `derived, transformable, external and validated attributes`() throws {
    let stack = try Stack()
    let context = stack.context()
    let cover = Data(repeating: 7, count: 100)
    try context.performAndWait {
      let book = context.insertBook("E")
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.failures.map(\.propertyName) == ["title"])
      book.setString("Emma", at: Shelf.title)
      book["cover"] = .binary(cover)
      book["colour"] = .transformable(TransformableValue("blue"))
      try context.save()
      #expect(book["initial"] == .string("emma"))
      try context.refreshAllObjects()
      #expect(book["cover"] == .binary(cover))
      #expect(book["colour"] == .transformable(TransformableValue("blue")))
    }
  }
}
