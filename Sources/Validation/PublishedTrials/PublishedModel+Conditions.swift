import ContextEngine

// MARK: - Conditions

extension PublishedModel {
  /// Returns the predicate of a condition whose chosen objects have these numbers, the first of which a condition on
  /// one object takes.
  func predicate(_ condition: PublishedStep.Condition, of entity: Entity, objects: [Int]) -> FetchPredicate {
    let attribute = entity.attribute(condition.attribute)
    let values = objects.map { value(of: attribute, number: $0) }
    switch condition.match {
    case .equal: return .equal(attribute.path, values.first ?? .null)
    case .prefix(let length):
      guard case .string(let text)? = values.first else { return .constant(false) }
      return .text(attribute.path, .beginsWith, String(text.prefix(length)))
    case .page: return .isIn(attribute.path, values)
    case .less: return .comparison(attribute.path, .less, values.first ?? .null)
    case .greater: return .comparison(attribute.path, .greater, values.first ?? .null)
    }
  }
}

extension Value {
  /// Returns true if the value comes before another one of its type in ascending order, strings by their UTF-8 bytes.
  /// It is false for types without an order, and for null.
  func precedes(_ other: Value) -> Bool {
    switch (self, other) {
    case (.integer(let left), .integer(let right)): left < right
    case (.double(let left), .double(let right)), (.date(let left), .date(let right)): left < right
    case (.decimal(let left), .decimal(let right)): left < right
    case (.string(let left), .string(let right)): left.utf8.lexicographicallyPrecedes(right.utf8)
    default: false
    }
  }
}
