import ContextEngine

/// A model for tests of inheritance. Bird and Mammal inherit from the abstract entity Animal, and Whale from Mammal.
/// Enclosure, Keeper and the animals themselves have relationships with entities of this family.
package enum Zoo {
  package static let model = ManagedObjectModel([
    .init(
      "Animal", attributes: [.init("name", .string, isOptional: false), .init("weight", .double)],
      relationships: [
        .init("enclosure", to: "Enclosure", inverse: "animals"),
        .init("mother", to: "Animal", inverse: "children"),
        .init("children", to: "Animal", inverse: "mother", isToMany: true),
      ],
      isAbstract: true),
    .init(
      "Bird", attributes: [.init("wingspan", .double), .init("call", .string)], superentity: "Animal"),
    .init(
      "Mammal", attributes: [.init("legs", .integer64, defaultValue: .integer(4))],
      relationships: [.init("keeper", to: "Keeper", inverse: "charges")], superentity: "Animal"),
    .init("Whale", attributes: [.init("call", .string)], superentity: "Mammal"),
    .init(
      "Enclosure", attributes: [.init("title", .string)],
      relationships: [
        .init("animals", to: "Animal", inverse: "enclosure", isToMany: true, deleteRule: .cascade)
      ]),
    .init(
      "Keeper", attributes: [.init("name", .string)],
      relationships: [.init("charges", to: "Mammal", inverse: "keeper", isToMany: true)]),
  ])

  package static let animal = model.entity("Animal")
  package static let bird = model.entity("Bird")
  package static let mammal = model.entity("Mammal")
  package static let whale = model.entity("Whale")
  package static let enclosure = model.entity("Enclosure")
  package static let keeper = model.entity("Keeper")

  package static let name = animal.path("name")
  package static let weight = animal.path("weight")
  package static let home = animal.path("enclosure")
  package static let mother = animal.path("mother")
  package static let children = animal.path("children")
  package static let wingspan = bird.path("wingspan")
  package static let legs = mammal.path("legs")
  package static let keptBy = mammal.path("keeper")
  package static let whaleCall = whale.path("call")
  package static let animals = enclosure.path("animals")
  package static let charges = keeper.path("charges")
}

extension ManagedObjectContext {
  /// Inserts an animal of an entity.
  @discardableResult
  package func insertAnimal(_ entity: EntityDescription, _ name: String) -> ManagedObject {
    let animal = insert(entity)
    animal[Zoo.name] = .string(name)
    return animal
  }

  /// Returns the animals that a fetch finds, each as its entity and name, by name.
  package func animals(
    _ entity: EntityDescription = Zoo.animal, where predicate: FetchPredicate? = nil, includesSubentities: Bool = true,
    batchSize: Int = 0
  ) throws(PersistenceError) -> [String] {
    var request = FetchRequest(entity, predicate: predicate, sortDescriptors: [FetchSortDescriptor(Zoo.name)])
    request.includesSubentities = includesSubentities
    request.fetchBatchSize = batchSize
    return try fetch(request).map(\.kindAndName)
  }

  /// Returns the animal of a name, or nil if no animal has it.
  package func animal(_ name: String) throws(PersistenceError) -> ManagedObject? {
    try fetch(FetchRequest(Zoo.animal, predicate: .equal(Zoo.name, .string(name)))).first
  }
}

extension ManagedObject {
  package var kindAndName: String {
    if case .string(let name) = self[Zoo.name] { "\(entity.name) \(name)" } else { entity.name }
  }
}
