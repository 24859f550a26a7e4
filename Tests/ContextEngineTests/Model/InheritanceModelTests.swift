import ContextEngine
import Foundation
import Testing

/// Tests of models whose entities inherit from each other, and of the errors for declarations that do not fit together.
@Suite struct InheritanceModelTests {
  /// Vehicles with two levels of inheritance below one root and a sibling entity, declared in no particular order.
  private static let model = ManagedObjectModel(
    [
      .init("person", attributes: [.init("name", .string)]),
      .init("Truck", attributes: [.init("load", .double)], superentity: "Vehicle"),
      .init(
        "Vehicle", attributes: [.init("plate", .string, isOptional: false)],
        relationships: [
          .init("garage", to: "Garage", inverse: "vehicles"),
          .init("trips", to: "Trip", inverse: "vehicle", isToMany: true),
        ],
        isAbstract: true, uniquenessConstraints: [["plate"]]),
      .init(
        "SportCar", attributes: [.init("topSpeed", .integer64)],
        relationships: [.init("driver", to: "Driver", inverse: "car")], superentity: "Car",
        uniquenessConstraints: [["topSpeed", "driver"]]),
      .init(
        "Garage", attributes: [], relationships: [.init("vehicles", to: "Vehicle", inverse: "garage", isToMany: true)]),
      .init("Car", attributes: [.init("doors", .integer64, defaultValue: .integer(4))], superentity: "Vehicle"),
      .init("Trip", attributes: [], relationships: [.init("vehicle", to: "Vehicle", inverse: "trips")]),
      .init("Driver", attributes: [], relationships: [.init("car", to: "SportCar", inverse: "driver")]),
    ], configurations: ["garage": ["Vehicle", "Garage"], "people": ["person"]])

  private var vehicle: EntityDescription { Self.model.entity("Vehicle") }
  private var car: EntityDescription { Self.model.entity("Car") }
  private var sportCar: EntityDescription { Self.model.entity("SportCar") }
  private var truck: EntityDescription { Self.model.entity("Truck") }

  @Test func `an entity's slots begin with those of its superentity`() {
    #expect(vehicle.slots.map(\.name) == ["plate", "garage"])
    #expect(car.slots.map(\.name) == ["plate", "garage", "doors"])
    #expect(sportCar.slots.map(\.name) == ["plate", "garage", "doors", "topSpeed", "driver"])
    #expect(sportCar.toManys.map(\.name) == ["trips"])
  }

  @Test func `the path of an inherited property equals the superentity's path`() {
    #expect(sportCar.path("plate") == vehicle.path("plate"))
    #expect(sportCar.path("doors") == car.path("doors"))
    #expect(sportCar.path("trips") == vehicle.path("trips"))
    #expect(truck.pathIfPresent("doors") == nil)
  }

  @Test func `attributesByName and relationshipsByName include inherited properties`() {
    #expect(sportCar.attributesByName.keys.sorted() == ["doors", "plate", "topSpeed"])
    #expect(sportCar.relationshipsByName.keys.sorted() == ["driver", "garage", "trips"])
    #expect(vehicle.attributesByName.keys.sorted() == ["plate"])
  }

  @Test func `isKind is true for the entity itself and all its superentities`() {
    #expect(sportCar.isKind(of: sportCar) && sportCar.isKind(of: car) && sportCar.isKind(of: vehicle))
    #expect(!sportCar.isKind(of: truck) && !vehicle.isKind(of: car))
    #expect(sportCar.root === vehicle && vehicle.root === vehicle)
    #expect(sportCar.superentity === car && vehicle.superentity == nil)
    #expect(Self.model.subentities(of: vehicle).map(\.name) == ["Car", "Truck"])
    #expect(vehicle.isAbstract && !car.isAbstract)
  }

  /// Core Data's stores have this order: `ABCDUnknownProperty` comes before `ABCDURLAddress`, and the entities below a
  /// root follow it.
  @Test func `entities are numbered in case-insensitive order of names, subentities after their superentity`() {
    let names = Self.model.entities.sorted { $0.number < $1.number }.map(\.name)
    #expect(names == ["Driver", "Garage", "person", "Trip", "Vehicle", "Car", "SportCar", "Truck"])
    #expect(Self.model.entities.map(\.number).sorted() == Array(1...8))
  }

  @Test func `asDeclared numbers entities in declared order`() {
    let model = ManagedObjectModel([.init("B", attributes: []), .init("A", attributes: [])], numbering: .asDeclared)
    #expect(model.entities.map(\.number) == [1, 2])
  }

  @Test func `subentities inherit uniqueness constraints`() {
    #expect(sportCar.uniquenessConstraints == [["plate"], ["topSpeed", "driver"]])
    #expect(truck.uniquenessConstraints == [["plate"]])
  }

  @Test func `a configuration has its listed entities, and nil has all entities`() {
    #expect(Self.model.configurations == ["garage", "people"])
    #expect(Self.model.entities(forConfiguration: "garage").map(\.name) == ["Vehicle", "Garage"])
    #expect(Self.model.entities(forConfiguration: nil).count == 8)
  }

  @Test func `a relationship may be its own inverse`() {
    let model = ManagedObjectModel([
      .init("Person", attributes: [], relationships: [.init("spouse", to: "Person", inverse: "spouse")])
    ])
    guard case .toOne(let spouse) = model.entities[0].slots[0] else {
      Issue.record("spouse is not a to-one relationship")
      return
    }
    #expect(spouse.inverse == model.entities[0].path("spouse"))
  }

  /// A declaration that contradicts the others, and the sentence of its error.
  struct Misfit: Sendable, CustomStringConvertible {
    var sentence: String
    var declarations: [ManagedObjectModel.Declaration]
    var configurations: [String: [String]] = [:]
    var description: String { sentence }
  }

  private static let misfits = [
    Misfit(
      sentence: "relationship A.b leads to entity B, which the model does not have",
      declarations: [.init("A", attributes: [], relationships: [.init("b", to: "B", inverse: "a")])]),
    Misfit(
      sentence: "relationship A.b names B.a as its inverse, which does not exist",
      declarations: [
        .init("A", attributes: [], relationships: [.init("b", to: "B", inverse: "a")]), .init("B", attributes: []),
      ]),
    Misfit(
      sentence: "entity A inherits from entity B, which the model does not have",
      declarations: [.init("A", attributes: [], superentity: "B")]),
    Misfit(
      sentence: "entity A inherits from itself: A, B, A",
      declarations: [.init("A", attributes: [], superentity: "B"), .init("B", attributes: [], superentity: "A")]),
    Misfit(
      sentence: "entity A inherits from itself: A, A", declarations: [.init("A", attributes: [], superentity: "A")]),
    Misfit(
      sentence: "entity C declares property x, which it inherits from A",
      declarations: [
        .init("A", attributes: [.init("x", .string)]), .init("B", attributes: [], superentity: "A"),
        .init("C", attributes: [.init("x", .date)], superentity: "B"),
      ]),
    Misfit(
      sentence: "a constraint of entity A names property y, which the entity does not have",
      declarations: [.init("A", attributes: [.init("x", .string)], uniquenessConstraints: [["x", "y"]])]),
    Misfit(
      sentence: "a constraint of entity A names x, which has no column in a store",
      declarations: [.init("A", attributes: [.init("x", .string, isTransient: true)], uniquenessConstraints: [["x"]])]),
    Misfit(
      sentence: "index byY of entity A names property y, which the entity does not have",
      declarations: [.init("A", attributes: [.init("x", .string)], fetchIndexes: [.init("byY", of: "x", "y")])]),
    Misfit(
      sentence: "configuration c names entity B, which the model does not have",
      declarations: [.init("A", attributes: [])], configurations: ["c": ["A", "B"]]),
    Misfit(
      sentence: "relationship A.b and B.a are not each other's inverse",
      declarations: [
        .init("A", attributes: [], relationships: [.init("b", to: "B", inverse: "a")]),
        .init("B", attributes: [], relationships: [.init("a", to: "A", inverse: nil)]),
      ]),
    Misfit(
      sentence: "relationship A.b leads to entity B, which the model does not have",
      declarations: [.init("A", attributes: [], relationships: [.init("b", to: "B", inverse: nil, isToMany: true)])]),
    Misfit(
      sentence: "entity B has 1998 attributes and to-one relationships; 1997 are possible",
      declarations: [
        .init("A", attributes: (0..<1_990).map { .init("a\($0)", .string) }),
        .init("B", attributes: (0..<8).map { .init("b\($0)", .string) }, superentity: "A"),
      ]),
  ]

  @Test(arguments: misfits)
  func `mismatched declarations throw an error that names entity and property`(_ misfit: Misfit) {
    let error = #expect(throws: PersistenceError.self) {
      try ManagedObjectModel(checking: misfit.declarations, configurations: misfit.configurations)
    }
    #expect(error?.code == .invalidModel)
    #expect(error?.message == misfit.sentence)
  }

  @Test func `consistent declarations build a model`() throws {
    let model = try ManagedObjectModel(
      checking: [.init("A", attributes: [.init("x", .string)])], versionIdentifiers: ["1"])
    #expect(model.entities.map(\.name) == ["A"])
    #expect(model.entityIfPresent("B") == nil)
    #expect(model.versionIdentifiers == ["1"])
  }
}
