import ContextEngine
import Foundation
import MachineCore
import MachineLive
import TestSupport
import Testing

/// Several stores on one coordinator: the stores of new objects, the results of fetches and the writes of saves.
///
/// The tests follow Core Data's documentation of `addPersistentStore(ofType:configurationName:at:options:)` and
/// `assign(_:to:)`, which also says that a save is not atomic across stores.
@Suite struct SeveralStoresTests {
  func notes(_ predicate: ContextEngine.FetchPredicate? = nil, descending: Bool = false) -> FetchRequest {
    FetchRequest(
      Desk.note, predicate: predicate, sortDescriptors: [FetchSortDescriptor(Desk.rank, isAscending: !descending)])
  }

  func texts(_ objects: some Sequence<ManagedObject>) -> [String] {
    objects.map { if case .string(let text) = $0[Desk.text] { text } else { "" } }
  }

  // MARK: New objects

  @Test(arguments: SeveralStores.Setting.all)
  func `a new object is saved into its assigned store or the first suitable one`(
    setting: SeveralStores.Setting
  ) throws {
    let bench = try SeveralStores(setting)
    bench.leaf.performAndWait {
      bench.insertNote(1)
      bench.insertNote(2, into: bench.second)
      bench.insertNote(3, into: bench.first)
      _ = bench.leaf.insert(Desk.entry)
    }
    try bench.saveAll()
    #expect(try bench.texts(in: bench.first) == ["note 1", "note 3"])
    #expect(try bench.texts(in: bench.second) == ["note 2"])
    let entries = StoreFetchRequest(entity: Desk.entry, predicate: nil, sortDescriptors: [])
    #expect(try bench.first.fetchObjectIDs(entries).isEmpty && bench.second.fetchObjectIDs(entries).count == 1)
  }

  @Test func `saving an object whose entity is in no store throws and writes nothing`() throws {
    let bench = try SeveralStores(SeveralStores.Setting.all[0])
    let coordinator = PersistentStoreCoordinator(machine: bench.machine, model: Desk.model)
    coordinator.addPersistentStore(bench.first, configuration: "User")
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "context")
    context.performAndWait {
      _ = context.insert(Desk.note)
      let entry = context.insert(Desk.entry)
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .storeAssignment && error?.objectIDs == [entry.objectID])
      #expect(context.insertedObjects.count == 2)
    }
    #expect(try bench.texts(in: bench.first).isEmpty)
  }

  @Test func `fetches are empty and saves throw if a coordinator has no store`() throws {
    let machine = LiveMachine(ledger: WorkLedger())
    let coordinator = PersistentStoreCoordinator(machine: machine, model: Desk.model)
    let context = ManagedObjectContext(.privateQueue, coordinator: coordinator, name: "context")
    let store = InMemoryStore(machine, model: Desk.model)
    try context.performAndWait {
      let found = try context.fetch(notes())
      #expect(found.isEmpty)
      _ = context.insert(Desk.note)
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .storeAssignment)
      coordinator.addPersistentStore(store)
      try context.save()
    }
    #expect(
      try store.fetchObjectIDs(StoreFetchRequest(entity: Desk.note, predicate: nil, sortDescriptors: [])).count == 1)
  }

  // MARK: Fetching

  @Test(arguments: SeveralStores.Setting.all)
  func `a fetch sorts objects of all stores and unsaved objects together`(setting: SeveralStores.Setting) throws {
    let bench = try SeveralStores(setting)
    try bench.seed(9)
    try bench.leaf.performAndWait {
      let all = texts(try bench.leaf.fetch(notes()))
      #expect(all == (0..<9).map { "note \($0)" })
      let descending = texts(try bench.leaf.fetch(notes(.comparison(Desk.rank, .less, 5), descending: true)))
      #expect(descending == (0..<5).reversed().map { "note \($0)" })
      var request = notes()
      request.propertiesToFetch = [Desk.text]
      #expect(texts(try bench.leaf.fetch(request)) == all)
      bench.insertNote(20)
      let third = try #require(try bench.leaf.fetch(notes(.equal(Desk.rank, 3))).first)
      third[Desk.rank] = 30
      let changed = texts(try bench.leaf.fetch(notes()))
      #expect(changed == [0, 1, 2, 4, 5, 6, 7, 8, 20, 3].map { "note \($0)" })
      let objectIDs = try bench.leaf.fetchObjectIDs(notes())
      #expect(texts(objectIDs.map(bench.leaf.object)) == changed)
    }
  }

  @Test func `a batched fetch loads each batch from the stores of its rows`() throws {
    let bench = try SeveralStores(SeveralStores.Setting.all[0])
    try bench.seed(25)
    try bench.leaf.performAndWait {
      var request = notes()
      request.fetchBatchSize = 10
      let list = try bench.leaf.fetch(request)
      #expect(list.loadedCount == 0)
      #expect(texts(list[10..<13]) == ["note 10", "note 11", "note 12"])
      #expect(list.loadedCount == 10)
      #expect(texts(list) == (0..<25).map { "note \($0)" })
    }
  }

  @Test(arguments: SeveralStores.Setting.all)
  func `equal keys in two stores are two objects with separate values and relationships`(
    setting: SeveralStores.Setting
  ) throws {
    let bench = try SeveralStores(setting)
    bench.leaf.performAndWait {
      for (index, store) in [bench.first, bench.second].enumerated() {
        let folder = bench.leaf.insert(Desk.folder)
        bench.leaf.assign(folder, to: store)
        for number in 0..<2 { bench.insertNote(index * 10 + number, into: store).relate(folder, at: Desk.inFolder) }
      }
    }
    try bench.saveAll()
    for context in bench.contexts { context.performAndWait { context.reset() } }
    try bench.leaf.performAndWait {
      let folders = Array(try bench.leaf.fetch(FetchRequest(Desk.folder)))
      #expect(Set(folders.map(\.objectID)).count == 2 && Set(folders.map(\.objectID.rowKey)) == [1])
      for folder in folders {
        let own = folder.relatedObjects(Desk.notes)
        #expect(own.count == 2 && own.allSatisfy { $0.related(Desk.inFolder) === folder })
        #expect(own.allSatisfy { $0.objectID.store == folder.objectID.store })
        let found = try bench.leaf.fetch(notes(.equal(Desk.inFolder, .object(folder.objectID))))
        #expect(Array(found) == own)
      }
      #expect(texts(folders.flatMap { $0.relatedObjects(Desk.notes) }) == ["note 0", "note 1", "note 10", "note 11"])
      bench.leaf.delete(folders[1])
    }
    try bench.saveAll()
    #expect(try bench.texts(in: bench.first) == ["note 0", "note 1"])
    #expect(try bench.texts(in: bench.second).isEmpty)
  }

  // MARK: Saving

  @Test(arguments: SeveralStores.Setting.all)
  func `one save writes objects of both stores, and other contexts merge it`(setting: SeveralStores.Setting) throws {
    let bench = try SeveralStores(setting)
    try bench.seed(4)
    let peer = ManagedObjectContext(.privateQueue, coordinator: bench.coordinator, name: "peer")
    peer.automaticallyMergesChangesFromParent = true
    let held = try peer.performAndWait { () throws in
      let held = Array(try peer.fetch(notes()))
      for note in held { _ = note[Desk.text] }
      return held
    }
    try bench.leaf.performAndWait {
      for note in try bench.leaf.fetch(notes(.comparison(Desk.rank, .greater, 1))) { note[Desk.text] = "changed" }
      for note in try bench.leaf.fetch(notes(.comparison(Desk.rank, .less, 2))) { bench.leaf.delete(note) }
    }
    try bench.saveAll()
    drain(peer)
    peer.performAndWait {
      #expect(held.map(\.isDeleted) == [true, true, false, false])
      #expect(texts(held[2...]) == ["changed", "changed"] && held[2...].allSatisfy { $0.version == 2 })
    }
    #expect(try bench.texts(in: bench.first) == ["changed"] && bench.texts(in: bench.second) == ["changed"])
  }

  @Test func `a reference to an object of another store fails the save and writes nothing`() throws {
    let bench = try SeveralStores(SeveralStores.Setting.all[0])
    bench.leaf.performAndWait {
      let folder = bench.leaf.insert(Desk.folder)
      bench.leaf.assign(folder, to: bench.second)
      let note = bench.insertNote(1)
      note.relate(folder, at: Desk.inFolder)
      let error = #expect(throws: PersistenceError.self) { try bench.leaf.save() }
      #expect(error?.code == .storeAssignment && error?.objectIDs.map(\.entityIndex) == [Desk.note.index])
      #expect(note.isInserted && folder.isInserted && note.objectID.isTemporaryID)
    }
    #expect(try bench.texts(in: bench.first).isEmpty)
    #expect(throws: Never.self) {
      try bench.leaf.performAndWait {
        bench.leaf.assign(bench.leaf.insertedObjects[1], to: bench.second)
        try bench.leaf.save()
      }
    }
    #expect(try bench.texts(in: bench.second) == ["note 1"])
  }

  @Test(arguments: SeveralStores.Setting.all.filter { $0.depth == 0 }, [0, 1])
  func `a conflict in one store prevents writes to every store until its resolution`(
    setting: SeveralStores.Setting, conflicting: Int
  ) throws {
    let bench = try SeveralStores(setting)
    try bench.seed(2)
    let context = bench.leaf
    try context.performAndWait {
      let held = Array(try context.fetch(notes()))
      for note in held { note[Desk.text] = "ours" }
      bench.insertNote(7)
      // Another writer changes the store without the coordinator.
      let store = [bench.first, bench.second][conflicting]
      let row = try #require(try store.row(for: held[conflicting].objectID.local))
      var values = row.values
      values[Desk.rank.slot] = 50
      var changes = StoreChanges()
      changes.updates = [
        .init(
          objectID: held[conflicting].objectID.local, row: Row(version: 2, values: values),
          slots: SlotSet(Desk.rank.slot), baseVersion: 1)
      ]
      _ = try store.save(changes)
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .managedObjectMerge)
      #expect(error?.conflicts.map(\.objectID) == [held[conflicting].objectID])
    }
    let untouched = try bench.texts(in: bench.first) + bench.texts(in: bench.second)
    #expect(untouched == ["note 0", "note 1"])
    try context.performAndWait {
      context.mergePolicy = .objectTrump
      try context.save()
      #expect(texts(try context.fetch(notes())) == ["ours", "note 7", "ours"])
    }
    #expect(try bench.texts(in: bench.second) == ["ours"])
    #expect(Set(try bench.texts(in: bench.first)) == ["ours", "note 7"])
  }

  @Test(arguments: [0, 1])
  func `an error in one store prevents writes to the others`(failing: Int) throws {
    for setting in SeveralStores.Setting.all where setting.depth == 0 {
      let bench = try SeveralStores(setting)
      try bench.leaf.performAndWait {
        bench.insertNote(1, into: bench.first)
        bench.insertNote(2, into: bench.second)
        try [bench.first, bench.second][failing].close()
        let error = #expect(throws: PersistenceError.self) { try bench.leaf.save() }
        #expect(error?.code == .storeOpen)
        #expect(bench.leaf.insertedObjects.count == 2)
      }
      #expect(try bench.texts(in: [bench.second, bench.first][failing]).isEmpty)
    }
  }
}
