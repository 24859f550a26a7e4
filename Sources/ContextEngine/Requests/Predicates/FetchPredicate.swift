/// A condition on objects of one entity. It is evaluated by SQL over a store's rows and in memory over pending changes.
///
/// Both evaluations are two-valued: a comparison with null is false, except with `==` and `!=`, and `not` turns false
/// into true. Core Data's SQL is three-valued under NOT; this engine's is not, so that both evaluations always agree. A
/// key path with an empty to-one relationship leads to null.
public indirect enum FetchPredicate: Hashable, Sendable {
  case comparison(PropertyPath, Comparison, Value)
  /// The property's value is an element of the list.
  case isIn(PropertyPath, [Value])
  /// The object itself is an element of the list.
  case objectIsIn([ObjectID])
  case and([FetchPredicate])
  case or([FetchPredicate])
  case not(FetchPredicate)
  /// A condition that is always true or always false.
  case constant(Bool)
  /// A comparison of two expressions: key paths over relationships, strings, subqueries.
  case expressions(ComparisonPredicate)

  /// The operator of a comparison of a property with a value.
  public enum Comparison: Hashable, Sendable {
    case equal
    case notEqual
    case less
    case lessOrEqual
    case greater
    case greaterOrEqual
  }

  /// Returns a predicate that is true if the property at `path` equals `value`. With `.null` it is true if the property
  /// is null.
  public static func equal(_ path: PropertyPath, _ value: Value) -> FetchPredicate {
    .comparison(path, .equal, value)
  }

  /// Returns the predicate with every object ID in it replaced by the result of `transform`. O(size of the predicate).
  func mapObjectIDs(_ transform: (ObjectID) -> ObjectID) -> FetchPredicate {
    func map(_ value: Value) -> Value {
      if case .object(let objectID) = value { .object(transform(objectID)) } else { value }
    }
    return switch self {
    case .comparison(let path, let comparison, let value): .comparison(path, comparison, map(value))
    case .isIn(let path, let values): path.kind == .toOne ? .isIn(path, values.map(map)) : self
    case .objectIsIn(let objectIDs): .objectIsIn(objectIDs.map(transform))
    case .and(let parts): .and(parts.map { $0.mapObjectIDs(transform) })
    case .or(let parts): .or(parts.map { $0.mapObjectIDs(transform) })
    case .not(let part): .not(part.mapObjectIDs(transform))
    case .constant: self
    case .expressions(let comparison): .expressions(comparison.mapObjectIDs(transform))
    }
  }
}

// MARK: - General comparisons

extension FetchPredicate {
  /// Returns a predicate that compares two expressions.
  public static func compare(
    _ left: FetchExpression, _ operation: ComparisonPredicate.Operation, _ right: FetchExpression,
    modifier: ComparisonPredicate.Modifier = .direct, options: ComparisonOptions = []
  ) -> FetchPredicate {
    .expressions(ComparisonPredicate(left, operation, right, modifier: modifier, options: options))
  }

  /// Returns a predicate that tests a string attribute against a pattern with `contains`, `beginsWith`, `endsWith`,
  /// `like` or `matches`.
  public static func text(
    _ path: PropertyPath, _ operation: ComparisonPredicate.Operation, _ pattern: String,
    options: ComparisonOptions = []
  ) -> FetchPredicate {
    .compare(.keyPath(path), operation, .constant(.string(pattern)), options: options)
  }
}

extension ComparisonPredicate {
  func mapObjectIDs(_ transform: (ObjectID) -> ObjectID) -> ComparisonPredicate {
    var mapped = self
    mapped.left = left.mapObjectIDs(transform)
    mapped.right = right.mapObjectIDs(transform)
    return mapped
  }
}
