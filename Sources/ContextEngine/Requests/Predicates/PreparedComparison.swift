/// A general comparison that is prepared for testing objects in memory. Immutable.
final class PreparedComparison: Sendable {
  private let left: PreparedExpression
  private let right: PreparedExpression
  private let operation: ComparisonPredicate.Operation
  private let modifier: ComparisonPredicate.Modifier
  private let options: ComparisonOptions
  /// The options by which both sides are folded before they are compared. It is empty for string tests, whose matcher
  /// folds strings itself.
  private let folding: ComparisonOptions
  /// The string test, prepared in advance if the pattern is a constant; nil otherwise and if the pattern is invalid.
  private let matcher: TextMatcher?

  init(_ comparison: ComparisonPredicate) {
    operation = comparison.operation
    modifier = comparison.modifier
    options = comparison.options.effective
    folding = operation.textOperation == nil ? options : []
    left = PreparedExpression(comparison.left, options: folding)
    right = PreparedExpression(comparison.right, options: folding)
    if let textOperation = operation.textOperation, case .constant(.string(let pattern)) = comparison.right {
      // An invalid regular expression matches no string here; fetches check theirs first and throw.
      matcher = try? TextMatcher(textOperation, pattern: pattern, options: options)
    } else {
      matcher = nil
    }
  }
}

// MARK: - Testing

extension PreparedComparison {
  /// Returns true if the comparison is true for the object of the scope.
  func holds<Subject>(in scope: PredicateScope<Subject>, evaluator: PredicateEvaluator) -> Bool {
    let right = right.value(in: scope, evaluator, folding: folding)
    let test = { (left: Value) in self.holds(left.folded(self.folding), right, evaluator: evaluator) }
    switch modifier {
    case .direct: return test(left.value(in: scope, evaluator))
    case .any: return left.values(in: scope).contains(where: test)
    case .all: return left.values(in: scope).allSatisfy(test)
    case .none: return !left.values(in: scope).contains(where: test)
    }
  }

  private func holds(_ left: Value, _ right: Value, evaluator: PredicateEvaluator) -> Bool {
    if let matcher {
      guard case .string(let text) = left else { return false }
      return matcher.matches(text)
    }
    switch operation {
    case .equal: return isSame(left, right, evaluator: evaluator)
    case .notEqual: return !isSame(left, right, evaluator: evaluator)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      guard let comparison = operation.comparison, let order = Value.order(left, right) else { return false }
      return comparison.holds(order)
    case .between:
      guard case .list(let bounds) = self.right, bounds.count == 2,
        let fromLower = Value.order(left, bounds[0]), let fromUpper = Value.order(left, bounds[1])
      else { return false }
      return fromLower >= 0 && fromUpper <= 0
    case .isIn:
      guard case .list(let values) = self.right else { return false }
      return values.contains { isSame(left, $0, evaluator: evaluator) }
    case .contains, .beginsWith, .endsWith, .like, .matches:
      guard let textOperation = operation.textOperation, case .string(let text) = left,
        case .string(let pattern) = right
      else { return false }
      // A pattern from a row that is not a valid regular expression matches no string, as in SQL.
      return (try? TextMatcher(textOperation, pattern: pattern, options: options))?.matches(text) ?? false
    }
  }

  private func isSame(_ left: Value, _ right: Value, evaluator: PredicateEvaluator) -> Bool {
    if left.isNull || right.isNull { return left.isNull && right.isNull }
    return Value.order(evaluator.permanent(left), evaluator.permanent(right)) == 0
  }
}
