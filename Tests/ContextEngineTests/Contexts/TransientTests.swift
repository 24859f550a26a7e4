import ContextEngine
import TestSupport
import Testing

/// Attributes that are kept in memory only.
@Suite(.onBothStores, .namingTheStore) struct TransientTests {
  /// Returns a new stack with a saved car.
  private static func garage(_ arrangement: Arrangement) throws -> (Stack, Chain) {
    let stack = try Stack(poolSize: arrangement.poolSize, model: Garage.model)
    try stack.seed { context in
      let car = context.insert(Garage.car)
      car[Garage.plate] = "A 1"
      car[Garage.speed] = 30
    }
    return (stack, stack.chain(arrangement.depth, mainLevel: arrangement.mainLevel))
  }

  private static func onlyCar(_ context: ManagedObjectContext) throws -> ManagedObject {
    try #require(try context.fetch(FetchRequest(Garage.car)).first)
  }

  @Test(arguments: Arrangement.all)
  func `transient values of a saved object are absent from other contexts`(_ arrangement: Arrangement) throws {
    let (_, chain) = try Self.garage(arrangement)
    try chain.leaf.performAndWait {
      let car = try Self.onlyCar(chain.leaf)
      #expect(car[Garage.plate] == "A 1")
      #expect(car[Garage.speed] == 0)
    }
  }

  @Test(arguments: Arrangement.all)
  func `changedValues and committedValues exclude transient attributes`(_ arrangement: Arrangement) throws {
    let (_, chain) = try Self.garage(arrangement)
    try chain.leaf.performAndWait {
      let car = try Self.onlyCar(chain.leaf)
      car[Garage.speed] = 50
      #expect(car.hasChanges && !car.hasPersistentChangedValues)
      #expect(car.changedValues().isEmpty && car.changedValuesForCurrentEvent().isEmpty)
      car[Garage.plate] = "B 2"
      #expect(car.hasPersistentChangedValues && car.changedValues() == ["plate": "B 2"])
      #expect(car.changedValuesForCurrentEvent() == ["plate": "A 1"])
      #expect(car.committedValues() == ["plate": "A 1", "maker": .null])
      #expect(car.committedValues(forKeys: ["speed", "plate"]) == ["plate": "A 1"])
    }
  }

  @Test func `hasPersistentChangedValues is false in willSave if only transient values changed`() throws {
    let calls = Journal<Bool>()
    var callbacks = EntityCallbacks()
    callbacks.willSave = { car in
      calls.write(car.hasPersistentChangedValues)
      if car.hasPersistentChangedValues { car["speed"] = 0 }
    }
    let model = Garage.make(callbacks: callbacks)
    let stack = try Stack(model: model)
    try stack.seed { $0.insert(model.entity("Car"))["plate"] = "A 1" }
    calls.clear()
    let context = stack.context()
    try context.performAndWait {
      let car = try #require(try context.fetch(FetchRequest(model.entity("Car"))).first)
      car["speed"] = 7
      try context.save()
      #expect(car["speed"] == 7 && !car.hasChanges)
    }
    #expect(calls.entries == [false])
  }

  @Test(arguments: Arrangement.all)
  func `a saved object keeps its transient values`(_ arrangement: Arrangement) throws {
    let (stack, chain) = try Self.garage(arrangement)
    let context = chain.leaf
    let car = try context.performAndWait {
      let car = try Self.onlyCar(context)
      car[Garage.speed] = 50
      car[Garage.plate] = "B 2"
      return car
    }
    try chain.saveAll()
    context.performAndWait {
      #expect(car[Garage.speed] == 50 && car[Garage.plate] == "B 2" && !car.hasChanges)
    }
    let reading = stack.context()
    try reading.performAndWait {
      let other = try Self.onlyCar(reading)
      #expect(other[Garage.speed] == 0 && other[Garage.plate] == "B 2" && other.version == 2)
    }
  }

  @Test(arguments: Arrangement.all)
  func `saving transient changes only writes no rows`(_ arrangement: Arrangement) throws {
    let (stack, chain) = try Self.garage(arrangement)
    let context = chain.leaf
    let car = try context.performAndWait {
      let car = try Self.onlyCar(context)
      car[Garage.speed] = 50
      #expect(car.hasChanges && context.hasChanges)
      return car
    }
    let written = try stack.count(.rowWritten) { try chain.saveAll() }
    #expect(written == 0)
    context.performAndWait { #expect(car[Garage.speed] == 50 && car.version == 1 && !car.hasChanges) }
  }

  @Test func `a merge and a refresh keep transient values`() throws {
    let (stack, chain) = try Self.garage(Arrangement(depth: 0, poolSize: 1))
    let context = chain.leaf
    let worker = stack.context("worker")
    let saves = Journal<SaveNotification>()
    let observation = worker.observeDidSave { saves.write($0) }
    defer { observation.cancel() }
    try context.performAndWait {
      let car = try Self.onlyCar(context)
      car[Garage.speed] = 50
      try context.save()
      try worker.performAndWait {
        try Self.onlyCar(worker)[Garage.plate] = "C 3"
        try worker.save()
      }
      context.mergeChanges(fromContextDidSave: saves.entries[0])
      #expect(car[Garage.plate] == "C 3" && car[Garage.speed] == 50 && car.version == 2)
      try context.refresh(car, mergeChanges: true)
      #expect(car[Garage.speed] == 50)
      try context.refresh(car, mergeChanges: false)
      #expect(car[Garage.speed] == 0)
    }
  }
}
