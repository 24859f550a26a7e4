import ContextEngine
import Foundation
import MachineCore
import MachineLive
import TestSupport
import Testing

// Tests of adding and removing stores, and of the IDs that distinguish them.

extension SeveralStoresTests {
  @Test func `objects of a removed store keep their values but cannot fire or be saved`() throws {
    let bench = try SeveralStores(SeveralStores.Setting.all[0])
    try bench.seed(4)
    try bench.leaf.performAndWait {
      let held = Array(try bench.leaf.fetch(notes()))
      #expect(texts(held).count == 4)
      try bench.coordinator.removePersistentStore(bench.second)
      #expect(texts(try bench.leaf.fetch(notes())) == ["note 0", "note 2"])
      #expect(texts(held)[1] == "note 1")
      let elsewhere = ManagedObjectContext(.privateQueue, coordinator: bench.coordinator, name: "elsewhere")
      elsewhere.performAndWait {
        let fault = elsewhere.object(with: ObjectID(entity: Desk.note.index, key: 99, store: 1))
        let error = #expect(throws: PersistenceError.self) { try fault.fulfillFault() }
        #expect(error?.code == .storeOpen)
      }
      held[1][Desk.text] = "changed"
      let error = #expect(throws: PersistenceError.self) { try bench.leaf.save() }
      #expect(error?.code == .storeOpen && error?.objectIDs == [held[1].objectID])
    }
    #expect(bench.coordinator.persistentStores.count == 1)
  }

  @Test func `stores are found by URL and by object ID`() throws {
    let bench = try SeveralStores(SeveralStores.Setting.all[1])
    try bench.seed(2)
    let coordinator = bench.coordinator
    #expect(coordinator.persistentStore(for: bench.first.url) === bench.first)
    #expect(coordinator.persistentStore(for: bench.second.url) === bench.second)
    #expect(coordinator.persistentStore(for: URL(fileURLWithPath: "/nowhere")) == nil)
    #expect(bench.first.metadata == ["NSStoreType": "SQLite", "NSStoreUUID": bench.first.identifier])
    #expect(bench.second.metadata == ["NSStoreType": "InMemory", "NSStoreUUID": bench.second.identifier])
    try bench.leaf.performAndWait {
      let objectIDs = try bench.leaf.fetchObjectIDs(notes())
      #expect(coordinator.persistentStore(of: objectIDs[0]) === bench.first)
      #expect(coordinator.persistentStore(of: objectIDs[1]) === bench.second)
      #expect(coordinator.persistentStore(of: bench.insertNote(3).objectID) == nil)
    }
  }

  @Test(arguments: SeveralStores.Setting.all)
  func `an object ID's URI names store, entity and key, and resolves to the ID`(setting: SeveralStores.Setting) throws {
    let bench = try SeveralStores(setting)
    try bench.seed(4)
    let coordinator = bench.coordinator
    try bench.leaf.performAndWait {
      let objectIDs = try bench.leaf.fetchObjectIDs(notes())
      let texts = objectIDs.map { coordinator.uriRepresentation(of: $0).absoluteString }
      #expect(texts[2] == "x-coredata://\(bench.first.identifier)/Note/p2")
      #expect(texts[3] == "x-coredata://\(bench.second.identifier)/Note/p2")
      for objectID in objectIDs + [bench.insertNote(9).objectID] {
        #expect(
          coordinator.managedObjectID(forURIRepresentation: coordinator.uriRepresentation(of: objectID)) == objectID)
      }
    }
    let strangers = [
      "x-coredata://\(UUID().uuidString)/Note/p1", "x-coredata://\(bench.first.identifier)/Nobody/p1",
      "x-coredata://\(bench.first.identifier)/Note/p0", "x-coredata://\(bench.first.identifier)/Note/q1",
      "x-coredata://\(bench.first.identifier)/Note", "https://\(bench.first.identifier)/Note/p1",
    ]
    for stranger in strangers {
      let url = try #require(URL(string: stranger))
      #expect(coordinator.managedObjectID(forURIRepresentation: url) == nil, "\(stranger)")
    }
  }

  // MARK: Misuse

  @Test func `adding a store twice or with another model stops the process`() async throws {
    let otherModel = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let machine = LiveMachine(ledger: WorkLedger())
      let coordinator = PersistentStoreCoordinator(
        machine: machine, store: InMemoryStore(machine, model: Library.model))
      coordinator.addPersistentStore(InMemoryStore(machine, model: ManagedObjectModel([.init("A", attributes: [])])))
    }
    try expectSentence("a coordinator of another model", from: otherModel)
    let twice = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let machine = LiveMachine(ledger: WorkLedger())
      let store = InMemoryStore(machine, model: Library.model)
      PersistentStoreCoordinator(machine: machine, store: store).addPersistentStore(store)
    }
    try expectSentence("twice", from: twice)
  }

  @Test func `assigning an object that has a store stops the process`() async throws {
    let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
      let stack = try Stack()
      let context = stack.context()
      try context.performAndWait {
        let book = context.insertBook("Emma")
        try context.save()
        context.assign(book, to: stack.store)
      }
    }
    try expectSentence("Book 1 was assigned to a store, but has been saved to one", from: result)
  }
}
