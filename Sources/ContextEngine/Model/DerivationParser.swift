/// A parser for the expression of a derived attribute, which resolves names in the attribute's entity.
///
/// The forms are the ones that Core Data documents: a key path over to-one relationships, `canonical:(name)`,
/// `uppercase:(name)`, `lowercase:(name)`, `relationship.@count`, `relationship.attribute.@sum` and `now()`.
struct DerivationParser {
  let attribute: AttributeDescription
  let entity: EntityDescription
  /// The entities of the model.
  let entities: [EntityDescription]

  /// Parses an expression.
  ///
  /// - Throws: `.invalidModel` with a sentence that names the entity and the attribute.
  func formula(of text: String) throws(PersistenceError) -> Derivation.Formula {
    if attribute.isTransient { throw failure("it is transient, but derived values are stored") }
    if text == "now()" {
      guard attribute.type == .date else { throw failure("now() gives a date") }
      return .now
    }
    if let opening = text.firstRange(of: ":("), text.hasSuffix(")") {
      let name = String(text[..<opening.lowerBound])
      guard let function = Derivation.TextFunction(rawValue: name) else {
        throw failure("function \(name): is not known; use canonical:, uppercase: or lowercase:")
      }
      return try path(String(text[opening.upperBound...].dropLast()), function: function)
    }
    let names = names(in: text)
    switch names.last {
    case "@count" where names.count == 2: return try count(names[0])
    case "@sum" where names.count == 3: return try sum(over: names[0], of: names[1])
    default: return try path(text, function: nil)
    }
  }

  private func names(in text: String) -> [String] {
    text.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
  }

  private func failure(_ reason: String) -> PersistenceError {
    PersistenceError(
      .invalidModel,
      "derived attribute \(entity.name).\(attribute.name) cannot be computed from "
        + "“\(attribute.derivationExpression ?? "")”: \(reason)")
  }
}

// MARK: - Forms

extension DerivationParser {
  private func path(
    _ text: String, function: Derivation.TextFunction?
  ) throws(PersistenceError) -> Derivation.Formula {
    let names = names(in: text)
    var current = entity
    var toOnes: [Int] = []
    for name in names.dropLast() {
      guard case .toOne(let relationship) = try slot(name, of: current).property else {
        throw failure("\(current.name).\(name) is not a to-one relationship")
      }
      toOnes.append(try slot(name, of: current).slot)
      current = entities[relationship.destination]
    }
    let (slot, source) = try source(names.last ?? "", of: current)
    if function != nil, source.type != .string { throw failure("\(current.name).\(source.name) is not a string") }
    guard source.type == attribute.type else {
      throw failure(
        "\(current.name).\(source.name) is of type \(source.type), the derived attribute of type \(attribute.type)")
    }
    if source.type == .transformable { throw failure("\(current.name).\(source.name) is transformable") }
    return .attribute(toOnes: toOnes, slot: slot, function: function)
  }

  private func count(_ relationship: String) throws(PersistenceError) -> Derivation.Formula {
    guard attribute.type.isInteger else { throw failure("@count gives a whole number") }
    return .count(toMany: try toMany(relationship).place)
  }

  private func sum(over relationship: String, of name: String) throws(PersistenceError) -> Derivation.Formula {
    let (place, destination) = try toMany(relationship)
    let (slot, source) = try source(name, of: destination)
    let isReal = source.type == .double || source.type == .float
    guard isReal || source.type.isInteger else {
      throw failure("\(destination.name).\(name) is of type \(source.type), which cannot be summed")
    }
    guard attribute.type == .double || attribute.type == .float || attribute.type.isInteger && !isReal else {
      throw failure("an attribute of type \(attribute.type) cannot hold the sum")
    }
    return .sum(toMany: place, slot: slot)
  }

  private func toMany(_ name: String) throws(PersistenceError) -> (place: Int, destination: EntityDescription) {
    guard let path = entity.pathIfPresent(name) else { throw missing(name, in: entity) }
    guard path.isToMany else { throw failure("\(entity.name).\(name) is not a to-many relationship") }
    return (path.slot, entities[entity.toManys[path.slot].destination])
  }

  private func slot(
    _ name: String, of entity: EntityDescription
  ) throws(PersistenceError) -> (slot: Int, property: EntityDescription.Slot) {
    guard let path = entity.pathIfPresent(name) else { throw missing(name, in: entity) }
    guard !path.isToMany else { throw failure("\(entity.name).\(name) is a to-many relationship") }
    return (path.slot, entity.slots[path.slot])
  }

  /// Returns an attribute that others may be derived from, and its slot.
  ///
  /// - Throws: `.invalidModel` if the attribute is transient, or if it is derived: the order in which attributes are
  ///   computed must not matter.
  private func source(
    _ name: String, of entity: EntityDescription
  ) throws(PersistenceError) -> (slot: Int, attribute: AttributeDescription) {
    let (slot, property) = try slot(name, of: entity)
    guard case .attribute(let source) = property else { throw failure("\(entity.name).\(name) is not an attribute") }
    if source.isTransient { throw failure("\(entity.name).\(name) is transient and has no column") }
    if source.derivationExpression != nil { throw failure("\(entity.name).\(name) is derived itself") }
    return (slot, source)
  }

  private func missing(_ name: String, in entity: EntityDescription) -> PersistenceError {
    failure("entity \(entity.name) has no property \(name)")
  }
}
