import ContextEngine
import Foundation
import Testing

/// Values that a transformer cannot convert to bytes.
@Suite(.onBothStores, .namingTheStore) struct TransformerFailureTests {
  private enum Place {
    static let model = ManagedObjectModel([
      .init(
        "Place",
        attributes: [
          .init("name", .string, isOptional: false),
          .init("point", .transformable, valueTransformer: PointTransformer()),
          .init("other", .transformable, valueTransformer: PointTransformer()),
        ])
    ])
    static let entity = model.entity("Place")
    static let name = entity.path("name")
    static let point = entity.path("point")
    static let other = entity.path("other")
  }

  /// Converts between a text of digits and its number.
  private struct PointTransformer: ContextEngine.ValueTransformer {
    var name: String { "digits" }

    func transformedValue(_ value: any Hashable & Sendable) -> Data? {
      (value as? String).flatMap(Int.init).map { Data("\($0)".utf8) }
    }

    func reverseTransformedValue(_ data: Data) -> (any Hashable & Sendable)? { String(decoding: data, as: UTF8.self) }
  }

  private func value(_ text: String) -> Value { .transformable(TransformableValue(text)) }

  @Test(arguments: Arrangement.all)
  func `a value that its transformer cannot encode fails the save`(_ arrangement: Arrangement) throws {
    let (stack, chain) = try arrangement.makeStack(model: Place.model)
    let context = chain.leaf
    let place = context.performAndWait {
      let place = context.insert(Place.entity)
      place[Place.point] = value("no digits")
      place[Place.other] = value("12")
      // The object keeps the value, so that the user can see it and the error can report it.
      #expect(place[Place.point] == value("no digits") && place[Place.other] == value("12"))
      return place
    }
    let error = #expect(throws: PersistenceError.self) { try context.performAndWait { try context.save() } }
    #expect(error?.code == .validationMultipleErrors)
    #expect(error?.failures.map(\.code) == [.validationMissingMandatoryProperty, .managedObjectValidation])
    #expect(error?.failures.map(\.propertyName) == ["name", "point"])
    #expect(error?.failures.last?.value == value("no digits"))
    context.performAndWait {
      #expect(context.hasChanges)
      place[Place.name] = "here"
    }
    let single = #expect(throws: PersistenceError.self) { try context.performAndWait { try context.save() } }
    #expect(single?.code == .managedObjectValidation && single?.failures.count == 1)
    context.performAndWait { place[Place.point] = value("7") }
    try chain.saveAll()
    try stack.inStore { reading in
      let found = try #require(try reading.fetch(FetchRequest(Place.entity)).first)
      #expect(found[Place.point] == value("7") && found[Place.other] == value("12"))
    }
  }

  @Test func `a value that cannot be encoded can be validated, undone and rolled back`() throws {
    let stack = try Stack(model: Place.model)
    try stack.seed { context in
      let place = context.insert(Place.entity)
      place[Place.name] = "here"
      place[Place.point] = value("1")
    }
    let context = stack.context()
    try context.performAndWait {
      let manager = ContextUndoManager()
      context.undoManager = manager
      let place = try #require(try context.fetch(FetchRequest(Place.entity)).first)
      var asked = value("nothing")
      let error = #expect(throws: PersistenceError.self) { try place.validateValue(&asked, at: Place.point) }
      #expect(error?.code == .managedObjectValidation)
      place[Place.point] = value("nothing")
      #expect(place.changedValues() == ["point": value("nothing")])
      context.processPendingChanges()
      manager.undo()
      #expect(place[Place.point] == value("1"))
      manager.redo()
      #expect(place[Place.point] == value("nothing"))
      context.rollback()
      #expect(place[Place.point] == value("1") && !context.hasChanges)
    }
  }

  @Test func `a batch insert of a value that cannot be encoded throws and writes nothing`() throws {
    let stack = try Stack(model: Place.model)
    guard stack.hasSQL else { return }
    let context = stack.context()
    let request = BatchInsertRequest(Place.entity, objects: [["name": "a"], ["name": "b", "point": value("nothing")]])
    let error = #expect(throws: PersistenceError.self) {
      try context.performAndWait { _ = try context.execute(request) }
    }
    #expect(error?.code == .managedObjectValidation)
    let count = try stack.inStore { try $0.count(for: FetchRequest(Place.entity)) }
    #expect(count == 0)
  }
}
