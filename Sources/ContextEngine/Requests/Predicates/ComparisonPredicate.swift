/// A comparison of two expressions: the general form of a condition.
public struct ComparisonPredicate: Hashable, Sendable {
  /// The expression at the left of the operator.
  public var left: FetchExpression
  /// The operator of the comparison.
  public var operation: Operation
  /// The expression at the right of the operator.
  public var right: FetchExpression
  /// The quantifier of the comparison if the left side is a key path over a to-many relationship.
  public var modifier: Modifier
  /// The ways in which a comparison of strings ignores differences.
  public var options: ComparisonOptions

  /// The operator of a comparison of two expressions.
  public enum Operation: Hashable, Sendable {
    case equal
    case notEqual
    case less
    case lessOrEqual
    case greater
    case greaterOrEqual
    /// The left value is at least the first and at most the second of two values.
    case between
    /// The left value is an element of a list.
    case isIn
    case contains
    case beginsWith
    case endsWith
    /// The left string matches a pattern with `*` for any characters and `?` for one character. A backslash makes the
    /// next character a literal one.
    case like
    /// The whole left string matches a regular expression.
    case matches
  }

  /// The quantifier of a comparison, which tells how it treats several left values.
  public enum Modifier: Hashable, Sendable {
    /// The left side is one value.
    case direct
    /// The comparison is true for at least one of the left values.
    case any
    /// The comparison is true for all left values, or there are no left values.
    case all
    /// The comparison is true for no left value.
    case none
  }

  /// Creates a comparison of two expressions. It compares single values, and strings byte by byte, unless the arguments
  /// say otherwise.
  public init(
    _ left: FetchExpression, _ operation: Operation, _ right: FetchExpression, modifier: Modifier = .direct,
    options: ComparisonOptions = []
  ) {
    self.left = left
    self.operation = operation
    self.right = right
    self.modifier = modifier
    self.options = options
  }
}

extension ComparisonPredicate.Operation {
  /// The operator of a plain comparison of one property that means the same, or nil if a plain comparison does not have
  /// it.
  package var comparison: FetchPredicate.Comparison? {
    switch self {
    case .equal: .equal
    case .notEqual: .notEqual
    case .less: .less
    case .lessOrEqual: .lessOrEqual
    case .greater: .greater
    case .greaterOrEqual: .greaterOrEqual
    case .between, .isIn, .contains, .beginsWith, .endsWith, .like, .matches: nil
    }
  }

  /// The string test that the operator performs, or nil for operators that compare values of any type.
  package var textOperation: TextOperation? {
    switch self {
    case .contains: .contains
    case .beginsWith: .beginsWith
    case .endsWith: .endsWith
    case .like: .like
    case .matches: .matches
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .isIn: nil
    }
  }
}
