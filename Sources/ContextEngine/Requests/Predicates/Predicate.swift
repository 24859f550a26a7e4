/// A condition on objects of one entity, evaluated by SQL over a store's rows and in memory over pending changes.
///
/// Two-valued in both: a comparison with nothing is false but for `==` and `!=`, and `not` turns false into true. Core
/// Data's SQL has three values under NOT; ours does not, so that both evaluations always agree. A way that ends at an
/// empty relationship leads to nothing.
public indirect enum Predicate: Hashable, Sendable {
  case comparison(PropertyPath, Comparison, Value)
  /// The property's value is one of the list.
  case isIn(PropertyPath, [Value])
  /// The object itself is one of the list.
  case objectIsIn([ObjectID])
  case and([Predicate])
  case or([Predicate])
  case not(Predicate)
  /// Always true, or never.
  case constant(Bool)
  /// Anything held against anything: key paths over relationships, strings, subqueries.
  case expressions(ComparisonPredicate)

  public enum Comparison: Hashable, Sendable {
    case equal
    case notEqual
    case less
    case lessOrEqual
    case greater
    case greaterOrEqual
  }

  /// The property at `path` equals `value`; `.null` asks for nothing.
  public static func equal(_ path: PropertyPath, _ value: Value) -> Predicate {
    .comparison(path, .equal, value)
  }

  /// The same condition with other names for the objects in it. O(size).
  func mapObjectIDs(_ transform: (ObjectID) -> ObjectID) -> Predicate {
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

extension Predicate {
  /// Two expressions held against each other.
  public static func compare(
    _ left: Expression, _ operation: ComparisonPredicate.Operation, _ right: Expression,
    modifier: ComparisonPredicate.Modifier = .direct, options: ComparisonOptions = []
  ) -> Predicate {
    .expressions(ComparisonPredicate(left, operation, right, modifier: modifier, options: options))
  }

  /// An attribute that holds a string against a pattern: `contains`, `beginsWith`, `endsWith`, `like` or `matches`.
  public static func text(
    _ path: PropertyPath, _ operation: ComparisonPredicate.Operation, _ pattern: String,
    options: ComparisonOptions = []
  ) -> Predicate {
    .compare(.keyPath(path), operation, .constant(.string(pattern)), options: options)
  }

  /// The property's value is at least the first and at most the second.
  public static func between(_ path: PropertyPath, _ lower: Value, _ upper: Value) -> Predicate {
    .compare(.keyPath(path), .between, .list([lower, upper]))
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
