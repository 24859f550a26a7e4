import ContextEngine
import TestSupport
import Testing

/// Entities that inherit from each other, in one table. Every operation keeps the entity of each object.
@Suite(.onBothStores, .namingTheStore) struct InheritanceTests {
  /// Returns a new stack with one saved animal of each kind, and contexts of the arrangement over it.
  private static func zoo(_ arrangement: Arrangement) throws -> (Stack, Chain) {
    let stack = try Stack(poolSize: arrangement.poolSize, model: Zoo.model)
    try stack.seed { context in
      let pool = context.insert(Zoo.enclosure)
      pool[pool.entity.path("title")] = "Pool"
      let aviary = context.insert(Zoo.enclosure)
      aviary[aviary.entity.path("title")] = "Aviary"
      let bear = context.insertAnimal(Zoo.mammal, "Bear")
      let orca = context.insertAnimal(Zoo.whale, "Orca")
      let owl = context.insertAnimal(Zoo.bird, "Owl")
      owl[Zoo.wingspan] = .double(1.4)
      orca[Zoo.whaleCall] = "Eee"
      orca[Zoo.legs] = 0
      for animal in [bear, orca] { animal.relate(pool, at: Zoo.home) }
      owl.relate(aviary, at: Zoo.home)
      orca.relate(bear, at: Zoo.mother)
      let keeper = context.insert(Zoo.keeper)
      keeper[keeper.entity.path("name")] = "Kim"
      bear.relate(keeper, at: Zoo.keptBy)
      orca.relate(keeper, at: Zoo.keptBy)
    }
    return (stack, stack.chain(arrangement.depth, mainLevel: arrangement.mainLevel))
  }

  @Test(arguments: Arrangement.all)
  func `a fetch of an entity includes subentities, each object with its own entity`(_ arrangement: Arrangement) throws {
    let (_, chain) = try Self.zoo(arrangement)
    let context = chain.leaf
    try context.performAndWait { () throws in
      #expect(try context.animals() == ["Mammal Bear", "Whale Orca", "Bird Owl"])
      #expect(try context.animals(Zoo.mammal) == ["Mammal Bear", "Whale Orca"])
      #expect(try context.animals(Zoo.whale) == ["Whale Orca"])
      #expect(try context.animals(Zoo.bird) == ["Bird Owl"])
    }
  }

  @Test(arguments: Arrangement.all)
  func `a fetch without subentities returns objects of the entity only`(_ arrangement: Arrangement) throws {
    let (_, chain) = try Self.zoo(arrangement)
    let context = chain.leaf
    try context.performAndWait { () throws in
      #expect(try context.animals(includesSubentities: false) == [])
      #expect(try context.animals(Zoo.mammal, includesSubentities: false) == ["Mammal Bear"])
      #expect(try context.animals(Zoo.whale, includesSubentities: false) == ["Whale Orca"])
    }
  }

  @Test(arguments: Arrangement.all)
  func `batched fetches and fetches of IDs keep each object's entity`(_ arrangement: Arrangement) throws {
    let (_, chain) = try Self.zoo(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      #expect(try context.animals(batchSize: 2) == ["Mammal Bear", "Whale Orca", "Bird Owl"])
      #expect(try context.animals(Zoo.mammal, includesSubentities: false, batchSize: 2) == ["Mammal Bear"])
      let request = FetchRequest(Zoo.animal, sortDescriptors: [FetchSortDescriptor(Zoo.name)])
      let objects = try context.fetchObjectIDs(request).map(context.object(with:))
      #expect(objects.map(\.entity.name) == ["Mammal", "Whale", "Bird"])
    }
  }

  @Test(arguments: Arrangement.all)
  func `a fetch of an entity loads the properties of its subentities`(_ arrangement: Arrangement) throws {
    let (stack, chain) = try Self.zoo(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      let animals = try context.fetch(FetchRequest(Zoo.animal, sortDescriptors: [FetchSortDescriptor(Zoo.name)]))
      stack.expectStatements(0) {
        #expect(animals[0][Zoo.legs] == 4)
        #expect(animals[1][Zoo.legs] == 0)
        #expect(animals[1][Zoo.whaleCall] == "Eee")
        #expect(animals[2][Zoo.wingspan] == .double(1.4))
        #expect(animals[2]["call"] == .null)
      }
    }
  }

  @Test(arguments: Arrangement.all)
  func `predicates on inherited and subentity properties match rows and unsaved objects`(
    _ arrangement: Arrangement
  ) throws {
    let (_, chain) = try Self.zoo(arrangement)
    let context = chain.leaf
    try context.performAndWait { () throws in
      context.insertAnimal(Zoo.whale, "Beluga")[Zoo.legs] = 0
      context.insertAnimal(Zoo.bird, "Bat, some say")
      let early = FetchPredicate.comparison(Zoo.name, .less, "C")
      #expect(
        try context.animals(where: early) == ["Bird Bat, some say", "Mammal Bear", "Whale Beluga"].sortedByName())
      #expect(try context.animals(Zoo.mammal, where: early) == ["Mammal Bear", "Whale Beluga"])
      #expect(try context.animals(Zoo.mammal, where: .equal(Zoo.legs, 0)) == ["Whale Beluga", "Whale Orca"])
      #expect(
        try context.animals(Zoo.mammal, where: .equal(Zoo.legs, 0), includesSubentities: false) == [])
    }
  }

  @Test(arguments: Arrangement.all)
  func `a fetch of a superentity includes unsaved changes and excludes unsaved deletions`(
    _ arrangement: Arrangement
  ) throws {
    let (_, chain) = try Self.zoo(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      context.delete(try #require(try context.animal("Owl")))
      try #require(try context.animal("Orca"))[Zoo.name] = "Ahab's"
      #expect(try context.animals() == ["Whale Ahab's", "Mammal Bear"])
      #expect(try context.animals(Zoo.mammal) == ["Whale Ahab's", "Mammal Bear"])
    }
  }

  @Test(arguments: Arrangement.all)
  func `a to-one relationship leads to an object of a subentity`(_ arrangement: Arrangement) throws {
    let (_, chain) = try Self.zoo(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      let orca = try #require(try context.animal("Orca"))
      let bear = try #require(orca.related(Zoo.mother))
      #expect(bear.kindAndName == "Mammal Bear")
      let owl = try #require(try context.animal("Owl"))
      owl.relate(orca, at: Zoo.mother)
      try chain.saveAll()
    }
    let other = Chain(contexts: chain.contexts)
    try other.leaf.performAndWait {
      other.leaf.reset()
      let owl = try #require(try other.leaf.animal("Owl"))
      #expect(owl.related(Zoo.mother)?.kindAndName == "Whale Orca")
    }
  }

  @Test(arguments: Arrangement.all)
  func `a to-many relationship leads to objects of different subentities`(_ arrangement: Arrangement) throws {
    let (_, chain) = try Self.zoo(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      let bear = try #require(try context.animal("Bear"))
      let pool = try #require(bear.related(Zoo.home))
      #expect(pool.relatedObjects(Zoo.animals).map(\.kindAndName) == ["Mammal Bear", "Whale Orca"])
      #expect(bear.relatedObjects(Zoo.children).map(\.kindAndName) == ["Whale Orca"])
      let keeper = try #require(bear.related(Zoo.keptBy))
      #expect(keeper.relatedObjects(Zoo.charges).map(\.kindAndName) == ["Mammal Bear", "Whale Orca"])
    }
  }

  @Test(arguments: Arrangement.all)
  func `deleting cascades to objects of every subentity of the destination`(_ arrangement: Arrangement) throws {
    let (stack, chain) = try Self.zoo(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      let pool = try #require(try context.animal("Bear")?.related(Zoo.home))
      context.delete(pool)
      #expect(try context.animals() == ["Bird Owl"])
    }
    try chain.saveAll()
    #expect(try stack.inStore { try $0.animals() } == ["Bird Owl"])
  }

  @Test(arguments: Arrangement.all)
  func `keys are unique within a family of entities and follow insertion order`(_ arrangement: Arrangement) throws {
    let stack = try Stack(poolSize: arrangement.poolSize, model: Zoo.model)
    let chain = stack.chain(arrangement.depth, mainLevel: arrangement.mainLevel)
    let context = chain.leaf
    context.performAndWait {
      for (index, entity) in [Zoo.whale, Zoo.bird, Zoo.mammal, Zoo.whale, Zoo.bird].enumerated() {
        context.insertAnimal(entity, "\(index)")
      }
      _ = context.insert(Zoo.keeper)
    }
    try chain.saveAll()
    try stack.inStore { reading in
      let found = try reading.fetch(FetchRequest(Zoo.animal, sortDescriptors: [FetchSortDescriptor(Zoo.name)]))
      #expect(found.map(\.objectID.key) == [1, 2, 3, 4, 5])
      #expect(found.map(\.entity.name) == ["Whale", "Bird", "Mammal", "Whale", "Bird"])
    }
  }

  @Test(arguments: Arrangement.all)
  func `a merge inserts, updates and deletes objects of subentities`(_ arrangement: Arrangement) throws {
    let (stack, chain) = try Self.zoo(arrangement)
    let receiver = chain.root
    let worker = stack.context("worker")
    let saves = Journal<SaveNotification>()
    let observation = worker.observeDidSave { saves.write($0) }
    defer { observation.cancel() }
    let held = try receiver.performAndWait { try receiver.fetch(FetchRequest(Zoo.animal)).map { $0 } }
    receiver.performAndWait { for animal in held { _ = animal[Zoo.name] } }
    try worker.performAndWait {
      worker.delete(try #require(try worker.animal("Owl")))
      try #require(try worker.animal("Orca"))[Zoo.whaleCall] = "Ooo"
      worker.insertAnimal(Zoo.bird, "Emu")
      try worker.save()
    }
    try receiver.performAndWait {
      let changes = Journal<ChangeNotification>()
      let observation = receiver.observeDidChange { changes.write($0) }
      defer { observation.cancel() }
      receiver.mergeChanges(fromContextDidSave: saves.entries[0])
      let change = try #require(changes.entries.first)
      #expect(change.inserted.map(\.kindAndName) == ["Bird Emu"])
      #expect(change.refreshed.map(\.kindAndName) == ["Whale Orca"])
      #expect(change.refreshed.first?[Zoo.whaleCall] == "Ooo")
      #expect(change.deleted.map(\.entity.name) == ["Bird"])
    }
  }

  @Test(arguments: Arrangement.all)
  func `a controller of an entity follows objects of its subentities`(_ arrangement: Arrangement) throws {
    let (_, chain) = try Self.zoo(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      let all = Listing(try context.controller(of: Zoo.animal))
      let mammals = Listing(try context.controller(of: Zoo.mammal))
      let bears = Listing(try context.controller(of: Zoo.mammal, includesSubentities: false))
      context.insertAnimal(Zoo.whale, "Beluga")
      context.insertAnimal(Zoo.bird, "Auk")
      context.delete(try #require(try context.animal("Orca")))
      context.processPendingChanges()
      #expect(all.names == ["Bird Auk", "Mammal Bear", "Whale Beluga", "Bird Owl"])
      #expect(mammals.names == ["Mammal Bear", "Whale Beluga"])
      #expect(bears.names == ["Mammal Bear"])
    }
  }

  @Test(arguments: Arrangement.all)
  func `a fault with another entity than its row's finds no row`(_ arrangement: Arrangement) throws {
    let (_, chain) = try Self.zoo(arrangement)
    let context = chain.leaf
    try context.performAndWait {
      let orca = try #require(try context.animal("Orca"))
      let wrong = context.object(with: ObjectID(entity: Zoo.bird.index, key: orca.objectID.key))
      context.shouldDeleteInaccessibleFaults = false
      for ancestor in chain.contexts { ancestor.shouldDeleteInaccessibleFaults = false }
      let error = #expect(throws: PersistenceError.self) { try wrong.fulfillFault() }
      #expect(error?.code == .referentialIntegrity)
    }
  }

  @Test(arguments: Arrangement.all)
  func `an inherited mandatory property is validated`(_ arrangement: Arrangement) throws {
    let (_, chain) = try Self.zoo(arrangement)
    let context = chain.leaf
    context.performAndWait {
      let whale = context.insert(Zoo.whale)
      let error = #expect(throws: PersistenceError.self) { try context.save() }
      #expect(error?.code == .validationMissingMandatoryProperty)
      #expect(error?.objectIDs == [whale.objectID])
    }
  }
}

extension [String] {
  /// Returns the descriptions of animals in the order of their names.
  fileprivate func sortedByName() -> [String] {
    sorted { $0.drop { $0 != " " } < $1.drop { $0 != " " } }
  }
}

extension ManagedObjectContext {
  fileprivate func controller(
    of entity: EntityDescription, includesSubentities: Bool = true
  ) throws(PersistenceError) -> FetchedResultsController {
    var request = FetchRequest(entity, sortDescriptors: [FetchSortDescriptor(Zoo.name)])
    request.includesSubentities = includesSubentities
    let controller = FetchedResultsController(fetchRequest: request, managedObjectContext: self)
    try controller.performFetch()
    return controller
  }
}

/// A controller with a delegate that lets it follow its context.
private final class Listing: FetchedResultsControllerDelegate {
  private let controller: FetchedResultsController

  init(_ controller: FetchedResultsController) {
    self.controller = controller
    controller.delegate = self
  }

  var names: [String] { controller.fetchedObjects.map { $0.map(\.kindAndName) } ?? [] }

  func controllerWillChangeContent(_ controller: FetchedResultsController) {}
  func controller(
    _ controller: FetchedResultsController, didChange object: ManagedObject, _ change: FetchedResultsChange
  ) {}
  func controllerDidChangeContent(_ controller: FetchedResultsController) {}
}
