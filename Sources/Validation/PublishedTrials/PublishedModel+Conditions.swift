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
    }
  }
}
