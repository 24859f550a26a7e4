/// A check that a predicate fits an entity: every path exists, and the compared values are comparable.
///
/// Plain comparisons of one property are written in code; if they are wrong, they trap in the store. General
/// comparisons, which may have been read from text, are checked here before anything runs.
package struct PredicateChecker {
  let model: ManagedObjectModel
  let entity: EntityDescription
  /// The variables of the enclosing subqueries and their entities.
  package var variables: [(name: String, entity: EntityDescription)] = []
  /// True if undefined variables are allowed, because they will be replaced by values later.
  package var allowsFreeVariables = false
  /// The named expressions of a dictionary request, to which its `havingPredicate` refers.
  private let names: Set<String>

  package init(model: ManagedObjectModel, entity: EntityDescription, names: Set<String> = []) {
    self.model = model
    self.entity = entity
    self.names = names
  }

  /// The kind of value that an expression has.
  package enum Kind: Equatable, Sendable {
    /// Null, or a name whose kind is not yet known.
    case anything
    case attribute(AttributeType)
    /// An object of the entity with this index.
    case object(Int)
    /// A number that does not come from an attribute.
    case number
    /// Bytes that may be in a file outside of the store's database: they can be fetched, but not compared.
    case externalData

    var isNumber: Bool {
      switch self {
      case .number: true
      case .attribute(let type): type.isNumber
      case .anything, .object, .externalData: false
      }
    }

    /// True if SQL's own functions can order the values. They do not support decimal numbers.
    var hasExtremes: Bool {
      switch self {
      case .object, .externalData, .attribute(.decimal), .attribute(.transformable), .attribute(.binary): false
      case .anything, .number, .attribute: true
      }
    }

    /// True if SQL can calculate with the values.
    var isSummable: Bool { isNumber && self != .attribute(.decimal) }
  }

  /// Checks that a predicate fits the entity.
  ///
  /// - Throws: `.invalidPredicate` with a description of the mistake.
  package func check(_ predicate: FetchPredicate) throws(PersistenceError) {
    switch predicate {
    case .comparison(let path, _, _), .isIn(let path, _): try check(PropertyKeyPath(path))
    case .objectIsIn, .constant: break
    case .and(let parts), .or(let parts):
      for part in parts { try check(part) }
    case .not(let part): try check(part)
    case .expressions(let comparison): try check(comparison)
    }
  }

  // MARK: Comparisons

  private func check(_ comparison: ComparisonPredicate) throws(PersistenceError) {
    let left = try kind(of: comparison.left, mayBeCollection: comparison.modifier != .direct)
    if comparison.modifier != .direct {
      guard case .keyPath(let keyPath) = comparison.left, keyPath.isCollection else {
        throw Self.error("ANY, ALL and NONE need a key path over a to-many relationship on their left")
      }
    }
    switch comparison.operation {
    case .contains, .beginsWith, .endsWith, .like, .matches: try checkText(left, in: comparison)
    case .between, .isIn:
      guard case .list(let values) = comparison.right else {
        throw Self.error("IN and BETWEEN need a list on their right")
      }
      if comparison.operation == .between, values.count != 2 {
        throw Self.error("BETWEEN needs a list of two values, a lower and an upper one; this one has \(values.count)")
      }
      for value in values { try check(left, of: comparison.left, against: value) }
      if comparison.operation == .between { try checkOrder(of: left) }
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      try checkOrder(of: left)
      try checkSides(left, in: comparison)
    case .equal, .notEqual: try checkSides(left, in: comparison)
    }
  }

  private func checkText(_ left: Kind, in comparison: ComparisonPredicate) throws(PersistenceError) {
    let right = try kind(of: comparison.right)
    guard Self.isText(left), Self.isText(right) else {
      throw Self.error("CONTAINS, BEGINSWITH, ENDSWITH, LIKE and MATCHES compare strings")
    }
    guard let operation = comparison.operation.textOperation,
      case .constant(.string(let pattern)) = comparison.right
    else { return }
    _ = try TextMatcher(operation, pattern: pattern, options: comparison.options)
  }

  private static func isText(_ kind: Kind) -> Bool {
    kind == .anything || kind == .attribute(.string)
  }

  private func checkOrder(of kind: Kind) throws(PersistenceError) {
    if case .object = kind { throw Self.error("objects have no order") }
  }

  private func checkSides(_ left: Kind, in comparison: ComparisonPredicate) throws(PersistenceError) {
    if case .constant(let value) = comparison.right {
      try check(left, of: comparison.left, against: value)
      return
    }
    let right = try kind(of: comparison.right)
    guard areComparable(left, right) else {
      let sides = "\(description(of: comparison.left)) and \(description(of: comparison.right))"
      throw Self.error("\(sides) cannot be compared")
    }
  }

  private func check(_ kind: Kind, of expression: FetchExpression, against value: Value) throws(PersistenceError) {
    guard areComparable(kind, Self.kind(of: value)) else {
      throw Self.error("\(description(of: expression)) is compared with \(value), which has another type")
    }
  }

  // MARK: Kinds

  /// Returns the kind of an expression's value. Throws for a key path with many values unless `mayBeCollection` is
  /// true.
  package func kind(
    of expression: FetchExpression, mayBeCollection: Bool = false
  ) throws(PersistenceError) -> Kind {
    switch expression {
    case .constant(let value): return Self.kind(of: value)
    case .list: throw Self.error("a list is used where one value is needed")
    case .object: return .object(entity.index)
    case .variable(let name):
      let isKnown = variables.contains { $0.name == name }
      if names.contains(name) || (allowsFreeVariables && !isKnown) { return .anything }
      return .object(try entity(of: name).index)
    case .keyPath(let keyPath):
      let kind = try check(keyPath)
      if keyPath.isCollection, !mayBeCollection {
        throw Self.error("\(model.description(of: keyPath)) has many values; put ANY, ALL or NONE before it")
      }
      return kind
    case .aggregate(let aggregate): return try kind(of: aggregate)
    case .subqueryCount(let subquery):
      try check(subquery)
      return .number
    }
  }

  private func kind(of aggregate: FetchExpression.Aggregate) throws(PersistenceError) -> Kind {
    let kind = try check(aggregate.keyPath)
    let name = model.description(of: aggregate.keyPath)
    guard aggregate.keyPath.isCollection else {
      throw Self.error("@\(aggregate.function.rawValue) needs a to-many relationship, but \(name) has none")
    }
    switch aggregate.function {
    case .count:
      guard aggregate.keyPath.last.isToMany else {
        throw Self.error("@count counts the objects of a to-many relationship, but \(name) does not end with one")
      }
      return .number
    case .sum, .average:
      guard kind.isSummable else { throw Self.error("\(name) is not a number, so it has no sum or average") }
      return .number
    case .minimum, .maximum:
      guard kind.hasExtremes else { throw Self.error("\(name) has no least and no greatest value") }
      return kind
    }
  }

  private func check(_ subquery: FetchExpression.Subquery) throws(PersistenceError) {
    try check(subquery.collection)
    guard subquery.collection.last.isToMany, let element = model.destination(of: subquery.collection.last) else {
      throw Self.error(
        "\(model.description(of: subquery.collection)) is not a to-many relationship, which a subquery needs")
    }
    var inner = self
    inner.variables.append((subquery.variable, element))
    try inner.check(subquery.predicate)
  }

  /// Checks a key path and returns the kind of its value. Every step has to begin where the one before it ends.
  @discardableResult
  func check(_ keyPath: PropertyKeyPath) throws(PersistenceError) -> Kind {
    var current = entity
    if case .variable(let name) = keyPath.root { current = try entity(of: name) }
    for step in keyPath.steps {
      guard current.has(step) else {
        throw Self.error(
          "\(model.description(of: keyPath)) uses a property of \(model.entities[Int(step.entity)].name) on an object "
            + "of entity \(current.name)")
      }
      current = model.destination(of: step) ?? current
    }
    guard keyPath.last.kind == .attribute else { return .object(current.index) }
    let owner = model.entities[Int(keyPath.last.entity)]
    guard case .attribute(let attribute) = owner.slots[keyPath.last.slot] else { return .anything }
    guard !attribute.isTransient else {
      throw Self.error("\(owner.name).\(attribute.name) is transient and has no column, so fetches cannot use it")
    }
    return attribute.mayBeExternal ? .externalData : .attribute(attribute.type)
  }

  private func entity(of variable: String) throws(PersistenceError) -> EntityDescription {
    guard let known = variables.last(where: { $0.name == variable }) else {
      throw Self.error("$\(variable) has no value and is not a variable of an enclosing subquery")
    }
    return known.entity
  }

  private static func kind(of value: Value) -> Kind {
    switch value {
    case .null: .anything
    case .integer: .attribute(.integer64)
    case .double: .attribute(.double)
    case .boolean: .attribute(.boolean)
    case .date: .attribute(.date)
    case .string: .attribute(.string)
    case .decimal: .attribute(.decimal)
    case .binary: .attribute(.binary)
    case .uuid: .attribute(.uuid)
    case .uri: .attribute(.uri)
    case .transformable: .attribute(.transformable)
    case .object(let objectID): .object(objectID.entityIndex)
    }
  }

  /// Returns true if values of two kinds are comparable: numbers and Booleans with each other, objects with objects
  /// that have the same root entity, and any other value with values of its own kind, except transformable values and
  /// external data.
  private func areComparable(_ left: Kind, _ right: Kind) -> Bool {
    if left == .anything || right == .anything { return true }
    if left == right { return left != .attribute(.transformable) && left != .externalData }
    if case .object(let left) = left, case .object(let right) = right {
      return model.entities[left].root === model.entities[right].root
    }
    return left.isNumber && right.isNumber
  }

  private func description(of expression: FetchExpression) -> String {
    switch expression {
    case .keyPath(let keyPath): model.description(of: keyPath)
    case .constant(let value): "\(value)"
    case .object: "SELF"
    case .variable(let name): "$\(name)"
    case .list: "a list"
    case .aggregate(let aggregate): "\(model.description(of: aggregate.keyPath)).@\(aggregate.function.rawValue)"
    case .subqueryCount: "the count of a subquery"
    }
  }

  private static func error(_ message: String) -> PersistenceError {
    PersistenceError(.invalidPredicate, message)
  }
}

extension AttributeType {
  /// True if values of the type compare by size with other numbers.
  package var isNumber: Bool {
    switch self {
    case .integer16, .integer32, .integer64, .decimal, .double, .float, .boolean: true
    case .date, .string, .binary, .uuid, .uri, .transformable: false
    }
  }
}

extension EntityDescription {
  /// Returns true if a path leads to a property of this entity's objects.
  func has(_ path: PropertyPath) -> Bool { isKind(ofIndex: Int(path.entity)) }
}

extension FetchPredicate {
  /// True if the predicate consists of plain comparisons only, which need no check. O(size of the predicate).
  var isPlain: Bool {
    switch self {
    case .comparison, .isIn, .objectIsIn, .constant: true
    case .and(let parts), .or(let parts): parts.allSatisfy(\.isPlain)
    case .not(let part): part.isPlain
    case .expressions: false
    }
  }
}
