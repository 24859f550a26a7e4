/// A resolver that turns declarations into entities whose relationships contain the paths of their inverses.
///
/// Its errors name the entity and the property at fault.
struct ModelResolver {
  private let declarations: [ManagedObjectModel.Declaration]
  private let numbering: EntityNumbering
  /// The index of each entity in the model, by name.
  let indexes: [String: Int]
  /// The index of each entity's superentity, or nil if the entity inherits from no other.
  private let superentities: [Int?]
  /// The to-many relationships without an inverse that lead to each entity, by the entity's index.
  private let oneWayToManys: [[OneWayToMany]]
  /// The paths of each entity's own properties, by the entity's index and the property's name.
  private var paths: [[String: PropertyPath]] = []

  /// A to-many relationship without an inverse and the index of the entity that declares it.
  private struct OneWayToMany {
    let owner: Int
    let relationship: RelationshipDescription
  }

  init(
    declarations: [ManagedObjectModel.Declaration], numbering: EntityNumbering
  ) throws(PersistenceError) {
    self.declarations = declarations
    self.numbering = numbering
    guard declarations.count <= SlotKind.entityLimit else {
      throw Self.failure("the model has \(declarations.count) entities; it can have \(SlotKind.entityLimit)")
    }
    var indexes: [String: Int] = [:]
    for (index, declaration) in declarations.enumerated() {
      guard indexes.updateValue(index, forKey: declaration.name) == nil else {
        throw Self.failure("the model declares entity \(declaration.name) twice")
      }
    }
    self.indexes = indexes
    var oneWayToManys: [[OneWayToMany]] = Array(repeating: [], count: declarations.count)
    for (owner, declaration) in declarations.enumerated() {
      for relationship in declaration.relationships where relationship.isToMany && relationship.inverse == nil {
        guard let destination = indexes[relationship.destination] else { continue }
        oneWayToManys[destination].append(OneWayToMany(owner: owner, relationship: relationship))
      }
    }
    self.oneWayToManys = oneWayToManys
    superentities = try Self.superentities(of: declarations, indexes)
    for index in declarations.indices { paths.append(try ownPaths(ofEntityAt: index)) }
    for index in declarations.indices { try checkInheritance(ofEntityAt: index) }
  }

  /// Returns the entities in declared order.
  func entities() throws(PersistenceError) -> [EntityDescription] {
    var families = Array(repeating: [Int](), count: declarations.count)
    let order = inheritanceOrder()
    for index in order.reversed() {
      families[index] = [index] + children(of: index).flatMap { families[$0] }
    }
    var entities: [EntityDescription?] = Array(repeating: nil, count: declarations.count)
    for (place, index) in order.enumerated() {
      let properties = try properties(ofEntityAt: index, families)
      entities[index] = EntityDescription(
        .init(
          declaration: declarations[index], index: index, number: (numbering == .byName ? place : index) + 1,
          superentity: superentities[index].flatMap { entities[$0] }, family: families[index],
          slots: properties.slots, toManys: properties.toManys, paths: paths[index]))
    }
    let resolved = entities.compactMap { $0 }
    for entity in resolved { try checkLists(of: entity) }
    return resolved
  }

  /// Returns the indexes of the entities of each configuration.
  func configurations(_ names: [String: [String]]) throws(PersistenceError) -> [String: [Int]] {
    var configurations: [String: [Int]] = [:]
    // The configurations are sorted by name, so that the same one of several errors is reported each time.
    for (configuration, entities) in names.sorted(by: { $0.key < $1.key }) {
      var members: Set<Int> = []
      for entity in entities {
        guard let index = indexes[entity] else {
          throw Self.failure("configuration \(configuration) names entity \(entity), which the model does not have")
        }
        members.insert(index)
      }
      configurations[configuration] = members.sorted()
    }
    return configurations
  }

  private static func failure(_ sentence: String) -> PersistenceError {
    PersistenceError(.invalidModel, sentence)
  }
}

// MARK: - Inheritance

extension ModelResolver {
  private static func superentities(
    of declarations: [ManagedObjectModel.Declaration], _ indexes: [String: Int]
  ) throws(PersistenceError) -> [Int?] {
    var superentities: [Int?] = []
    for declaration in declarations {
      let superentity = declaration.superentity.flatMap { indexes[$0] }
      if let name = declaration.superentity, superentity == nil {
        throw failure("entity \(declaration.name) inherits from entity \(name), which the model does not have")
      }
      superentities.append(superentity)
    }
    for start in declarations.indices {
      var names = [declarations[start].name]
      var current = superentities[start]
      while let index = current {
        names.append(declarations[index].name)
        guard names.count <= declarations.count else {
          throw failure("entity \(names[0]) inherits from itself: \(names.joined(separator: ", "))")
        }
        current = superentities[index]
      }
    }
    return superentities
  }

  /// Returns the entities that inherit directly from the one at `index`, or from no entity if `index` is nil, sorted by
  /// name.
  private func children(of index: Int?) -> [Int] {
    declarations.indices.filter { superentities[$0] == index }.sorted(by: isNamedBefore)
  }

  /// Returns true if one entity's name comes before another's. Core Data orders names without regard to case.
  private func isNamedBefore(_ left: Int, _ right: Int) -> Bool {
    let (first, second) = (declarations[left].name, declarations[right].name)
    return (first.lowercased(), first) < (second.lowercased(), second)
  }

  /// Returns every entity after the one that it inherits from: root entities by name, each followed by its subentities.
  private func inheritanceOrder() -> [Int] {
    func order(below index: Int?) -> [Int] {
      children(of: index).flatMap { [$0] + order(below: $0) }
    }
    return order(below: nil)
  }

  /// Returns the sum of a count over the entities that an entity inherits from.
  private func inheritedCount(ofEntityAt index: Int, _ count: (Int) -> Int) -> Int {
    var total = 0
    var current = superentities[index]
    while let ancestor = current {
      total += count(ancestor)
      current = superentities[ancestor]
    }
    return total
  }

  /// Checks that no property hides an inherited one and that there is room for all slots.
  private func checkInheritance(ofEntityAt index: Int) throws(PersistenceError) {
    let declaration = declarations[index]
    let names = declaration.attributes.map(\.name) + declaration.relationships.map(\.name)
    var current = superentities[index]
    while let ancestor = current {
      if let name = names.first(where: { paths[ancestor][$0] != nil }) {
        throw Self.failure(
          "entity \(declaration.name) declares property \(name), which it inherits from \(declarations[ancestor].name)")
      }
      current = superentities[ancestor]
    }
    let slotCount = inheritedCount(ofEntityAt: index, ownSlotCount) + ownSlotCount(ofEntityAt: index)
    guard slotCount <= SlotSet.limit else {
      throw Self.failure(
        "entity \(declaration.name) has \(slotCount) attributes and to-one relationships; \(SlotSet.limit) are possible"
      )
    }
  }

  /// Returns the number of slots that an entity adds to the inherited ones: its attributes, its to-one relationships,
  /// and the hidden inverses of the to-many relationships that lead to it without an inverse.
  private func ownSlotCount(ofEntityAt index: Int) -> Int {
    declaredSlotCount(ofEntityAt: index) + oneWayToManys[index].count
  }

  private func declaredSlotCount(ofEntityAt index: Int) -> Int {
    declarations[index].attributes.count + declarations[index].relationships.count { !$0.isToMany }
  }
}

// MARK: - Properties

extension ModelResolver {
  private func ownPaths(ofEntityAt index: Int) throws(PersistenceError) -> [String: PropertyPath] {
    let declaration = declarations[index]
    var paths: [String: PropertyPath] = [:]
    func add(_ name: String, slot: Int, kind: PropertyPath.Kind) throws(PersistenceError) {
      guard paths.updateValue(PropertyPath(entity: index, slot: slot, kind: kind), forKey: name) == nil else {
        throw Self.failure("entity \(declaration.name) declares property \(name) twice")
      }
    }
    var slot = inheritedCount(ofEntityAt: index, ownSlotCount)
    for attribute in declaration.attributes {
      try add(attribute.name, slot: slot, kind: .attribute)
      slot += 1
    }
    for relationship in declaration.relationships where !relationship.isToMany {
      try add(relationship.name, slot: slot, kind: .toOne)
      slot += 1
    }
    var place = inheritedCount(ofEntityAt: index) { declarations[$0].relationships.count(where: \.isToMany) }
    for relationship in declaration.relationships where relationship.isToMany {
      try add(relationship.name, slot: place, kind: .toMany)
      place += 1
    }
    return paths
  }

  private func properties(
    ofEntityAt index: Int, _ families: [[Int]]
  ) throws(PersistenceError) -> (slots: [EntityDescription.Slot], toManys: [EntityDescription.ToMany]) {
    let declaration = declarations[index]
    var slots = declaration.attributes.map(EntityDescription.Slot.attribute)
    var toManys: [EntityDescription.ToMany] = []
    for relationship in declaration.relationships {
      let (destination, inverse) = try resolve(relationship, of: declaration)
      if relationship.isToMany {
        toManys.append(
          .init(
            name: relationship.name, destination: destination,
            inverse: inverse ?? hiddenInverse(of: relationship, ofEntityAt: index, in: destination),
            isOrdered: relationship.isOrdered,
            deleteRule: relationship.deleteRule, isOptional: relationship.isOptional, minCount: relationship.minCount,
            maxCount: relationship.maxCount))
      } else {
        slots.append(
          .toOne(
            .init(
              name: relationship.name, destination: destination, destinations: families[destination], inverse: inverse,
              deleteRule: relationship.deleteRule, isOptional: relationship.isOptional,
              hasOrderedInverse: hasOrderedInverse(relationship), isHidden: false)))
      }
    }
    for oneWay in oneWayToManys[index] { slots.append(.toOne(hiddenInverse(of: oneWay, families))) }
    return (slots, toManys)
  }

  /// Returns the path of the hidden inverse of a to-many relationship.
  private func hiddenInverse(
    of relationship: RelationshipDescription, ofEntityAt owner: Int, in destination: Int
  ) -> PropertyPath {
    let place = oneWayToManys[destination].prefix {
      $0.owner != owner || $0.relationship.name != relationship.name
    }.count
    let first = inheritedCount(ofEntityAt: destination, ownSlotCount) + declaredSlotCount(ofEntityAt: destination)
    return PropertyPath(entity: destination, slot: first + place, kind: .toOne)
  }

  /// Returns the hidden inverse of a to-many relationship.
  private func hiddenInverse(of oneWay: OneWayToMany, _ families: [[Int]]) -> EntityDescription.ToOne {
    .init(
      name: oneWay.relationship.name, destination: oneWay.owner, destinations: families[oneWay.owner],
      inverse: paths[oneWay.owner][oneWay.relationship.name], deleteRule: .nullify, isOptional: true,
      hasOrderedInverse: oneWay.relationship.isOrdered, isHidden: true)
  }

  private func resolve(
    _ relationship: RelationshipDescription, of declaration: ManagedObjectModel.Declaration
  ) throws(PersistenceError) -> (destination: Int, inverse: PropertyPath?) {
    let title = "relationship \(declaration.name).\(relationship.name)"
    guard let destination = indexes[relationship.destination] else {
      throw Self.failure("\(title) leads to entity \(relationship.destination), which the model does not have")
    }
    guard relationship.isToMany || !relationship.isOrdered else {
      throw Self.failure("\(title) is to-one and cannot be ordered")
    }
    guard let name = relationship.inverse else { return (destination, nil) }
    let far = declarations[destination]
    guard let back = far.relationships.first(where: { $0.name == name }), let inverse = paths[destination][name] else {
      throw Self.failure("\(title) names \(far.name).\(name) as its inverse, which does not exist")
    }
    guard back.destination == declaration.name, back.inverse == relationship.name else {
      throw Self.failure("\(title) and \(far.name).\(back.name) are not each other's inverse")
    }
    return (destination, inverse)
  }

  private func hasOrderedInverse(_ relationship: RelationshipDescription) -> Bool {
    guard let inverse = relationship.inverse, let destination = indexes[relationship.destination] else { return false }
    return declarations[destination].relationships.contains { $0.name == inverse && $0.isOrdered }
  }

  /// Checks that the properties of constraints and indexes exist and have a column in a store.
  private func checkLists(of entity: EntityDescription) throws(PersistenceError) {
    func check(_ property: String, in title: String) throws(PersistenceError) {
      guard let path = entity.pathIfPresent(property) else {
        throw Self.failure(
          "\(title) of entity \(entity.name) names property \(property), which the entity does not have")
      }
      guard !path.isToMany, entity.slots[path.slot].isStored else {
        throw Self.failure("\(title) of entity \(entity.name) names \(property), which has no column in a store")
      }
    }
    for constraint in declarations[entity.index].uniquenessConstraints {
      guard !constraint.isEmpty else { throw Self.failure("a constraint of entity \(entity.name) names no property") }
      for property in constraint { try check(property, in: "a constraint") }
    }
    for index in entity.fetchIndexes {
      guard !index.elements.isEmpty else {
        throw Self.failure("index \(index.name) of entity \(entity.name) names no property")
      }
      for element in index.elements { try check(element.property, in: "index \(index.name)") }
    }
  }
}
