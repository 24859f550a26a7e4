import ContextEngine

/// A model whose entities inherit from each other: two levels below an abstract root, relationships to and from the root,
/// to an entity in the middle, and between entities of the family.
enum Zoo {
  static let model = ManagedObjectModel([
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

  static let animal = model.entity("Animal")
  static let bird = model.entity("Bird")
  static let mammal = model.entity("Mammal")
  static let whale = model.entity("Whale")
  static let enclosure = model.entity("Enclosure")
  static let keeper = model.entity("Keeper")

  static let name = animal.path("name")
  static let weight = animal.path("weight")
  static let home = animal.path("enclosure")
  static let mother = animal.path("mother")
  static let children = animal.path("children")
  static let wingspan = bird.path("wingspan")
  static let legs = mammal.path("legs")
  static let keptBy = mammal.path("keeper")
  static let whaleCall = whale.path("call")
  static let animals = enclosure.path("animals")
  static let charges = keeper.path("charges")
}

extension ManagedObjectContext {
  /// A new animal of an entity.
  @discardableResult
  func insertAnimal(_ entity: EntityDescription, _ name: String) -> ManagedObject {
    let animal = insert(entity)
    animal[Zoo.name] = .string(name)
    return animal
  }

  /// What a fetch of animals finds, each as its entity and name, by name.
  func animals(
    _ entity: EntityDescription = Zoo.animal, where predicate: FetchPredicate? = nil, includesSubentities: Bool = true,
    batchSize: Int = 0
  ) throws(PersistenceError) -> [String] {
    var request = FetchRequest(entity, predicate: predicate, sortDescriptors: [FetchSortDescriptor(Zoo.name)])
    request.includesSubentities = includesSubentities
    request.fetchBatchSize = batchSize
    return try fetch(request).map(\.kindAndName)
  }

  /// The animal of a name; nil if there is none.
  func animal(_ name: String) throws(PersistenceError) -> ManagedObject? {
    try fetch(FetchRequest(Zoo.animal, predicate: .equal(Zoo.name, .string(name)))).first
  }
}

extension ManagedObject {
  var kindAndName: String {
    if case .string(let name) = self[Zoo.name] { "\(entity.name) \(name)" } else { entity.name }
  }
}
