import ContextEngine
import Testing

/// Relationships whose members are of several entities that inherit from one.
@Suite(.onBothStores, .namingTheStore) struct InheritedRelationshipTests {
  /// A shelf has things in order. Things have labels, and a label may be on any thing.
  private enum Store {
    static let model = ManagedObjectModel([
      .init(
        "Thing", attributes: [.init("name", .string)],
        relationships: [
          .init("shelf", to: "Shelf", inverse: "things"),
          .init("labels", to: "Label", inverse: "things", isToMany: true),
        ], isAbstract: true),
      .init("Tool", attributes: [.init("weight", .double)], superentity: "Thing"),
      .init(
        "Toy", attributes: [.init("age", .integer64)],
        relationships: [.init("shelves", to: "Shelf", inverse: "toys", isToMany: true)], superentity: "Thing"),
      .init("Ball", attributes: [], superentity: "Toy"),
      .init(
        "Shelf", attributes: [.init("name", .string)],
        relationships: [
          .init("things", to: "Thing", inverse: "shelf", isToMany: true, isOrdered: true),
          .init("toys", to: "Toy", inverse: "shelves", isToMany: true, isOrdered: true),
        ]),
      .init(
        "Label", attributes: [.init("name", .string)],
        relationships: [.init("things", to: "Thing", inverse: "labels", isToMany: true)]),
    ])

    static let shelf = model.entity("Shelf")
    static let label = model.entity("Label")
    static let things = shelf.path("things")
    static let toys = shelf.path("toys")
    static let labelled = label.path("things")
    static let labels = model.entity("Thing").path("labels")
    static let shelves = model.entity("Toy").path("shelves")
  }

  private func entities(_ object: ManagedObject, _ path: PropertyPath) -> [String] {
    object.relatedObjects(path).map { "\($0.entity.name) \($0.name)" }
  }

  @Test(arguments: Arrangement.all)
  func `members keep their entities in every kind of to-many relationship`(arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Store.model)
    let context = chain.leaf
    context.performAndWait {
      let shelf = context.insert(Store.shelf, named: "shelf")
      let label = context.insert(Store.label, named: "label")
      for (entity, name) in [("Toy", "bear"), ("Tool", "saw"), ("Ball", "red"), ("Tool", "axe")] {
        let thing = context.insert(Store.model.entity(entity), named: name)
        shelf.insert(thing, into: Store.things, at: 0)
        thing.add(label, to: Store.labels)
        if entity != "Tool" { shelf.insert(thing, into: Store.toys, at: 0) }
      }
    }
    try chain.saveAll()
    let check = { (context: ManagedObjectContext) in
      let shelf = try context.named("shelf", Store.shelf)
      #expect(entities(shelf, Store.things) == ["Tool axe", "Ball red", "Tool saw", "Toy bear"])
      #expect(entities(shelf, Store.toys) == ["Ball red", "Toy bear"])
      let label = try context.named("label", Store.label)
      #expect(Set(entities(label, Store.labelled)) == ["Toy bear", "Tool saw", "Ball red", "Tool axe"])
      let ball = shelf.relatedObjects(Store.toys)[0]
      #expect(ball.names(Store.shelves) == ["shelf"] && ball.names(Store.labels) == ["label"])
    }
    try stack.inStore(check)
    for level in chain.contexts { try level.performAndWait { try check(level) } }
    try context.performAndWait {
      let shelf = try context.named("shelf", Store.shelf)
      shelf.moveObjects(of: Store.toys, at: [1], to: 0)
      context.delete(shelf.relatedObjects(Store.things)[2])
    }
    try chain.saveAll()
    try stack.inStore { context in
      let shelf = try context.named("shelf", Store.shelf)
      #expect(entities(shelf, Store.toys) == ["Toy bear", "Ball red"])
      #expect(entities(shelf, Store.things) == ["Tool axe", "Ball red", "Toy bear"])
    }
  }

  @Test func `one SELECT reads the members of many objects with their entities`() throws {
    let stack = try Stack(model: Store.model)
    try stack.seed { context in
      for number in 0..<3 {
        let shelf = context.insert(Store.shelf, named: "\(number)")
        for entity in ["Tool", "Ball"] {
          shelf.insert(context.insert(Store.model.entity(entity), named: "\(number)"), into: Store.things, at: 0)
        }
      }
    }
    let read = try stack.store.objectIDs(
      relatedBy: Store.shelf.toManys[Store.things.slot],
      to: [3, 1, 9].map { ObjectID(entity: Store.shelf.index, key: $0) })
    #expect(
      read.map { $0.map { Store.model.entities[$0.entityIndex].name } } == [["Ball", "Tool"], ["Ball", "Tool"], []])
    #expect(read.map { $0.map(\.key) } == [[6, 5], [2, 1], []])
  }
}
