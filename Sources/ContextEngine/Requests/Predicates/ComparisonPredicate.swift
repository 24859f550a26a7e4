/// Two expressions held against each other: the general form of a condition.
public struct ComparisonPredicate: Hashable, Sendable {
  public var left: Expression
  public var operation: Operation
  public var right: Expression
  /// What it means where the left side is a key path over a to-many relationship.
  public var modifier: Modifier
  public var options: ComparisonOptions

  public enum Operation: Hashable, Sendable {
    case equal
    case notEqual
    case less
    case lessOrEqual
    case greater
    case greaterOrEqual
    /// At least the first and at most the second of a list of two.
    case between
    /// One of a list.
    case isIn
    case contains
    case beginsWith
    case endsWith
    /// Fits a pattern with `*` for any characters and `?` for one; a backslash takes their meaning.
    case like
    /// Fits a regular expression as a whole.
    case matches
  }

  public enum Modifier: Hashable, Sendable {
    /// The left side is one value.
    case direct
    /// At least one of the values at the left makes it true.
    case any
    /// None of them makes it false; holds where there are none.
    case all
    /// None of them makes it true.
    case none
  }

  public init(
    _ left: Expression, _ operation: Operation, _ right: Expression, modifier: Modifier = .direct,
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
  /// The same as a comparison of one property; nil for the operations that a plain comparison does not have.
  package var comparison: Predicate.Comparison? {
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

  /// The test of strings that it is; nil for the operations that compare values of any type.
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

  /// What holds with the sides exchanged; nil where that has no name.
  var mirrored: ComparisonPredicate.Operation? {
    switch self {
    case .equal, .notEqual: self
    case .less: .greater
    case .lessOrEqual: .greaterOrEqual
    case .greater: .less
    case .greaterOrEqual: .lessOrEqual
    case .between, .isIn, .contains, .beginsWith, .endsWith, .like, .matches: nil
    }
  }
}
