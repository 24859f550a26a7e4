// MARK: - Variables

extension FetchPredicate {
  /// Returns the predicate with values in place of its `$name` variables. Variables that a subquery defines are not
  /// replaced in it. O(size of the predicate).
  ///
  /// A predicate in which variables remain cannot be used for a fetch.
  public func withSubstitutionVariables(_ values: [String: Value]) -> FetchPredicate {
    if values.isEmpty { return self }
    switch self {
    case .comparison, .isIn, .objectIsIn, .constant: return self
    case .and(let parts): return .and(parts.map { $0.withSubstitutionVariables(values) })
    case .or(let parts): return .or(parts.map { $0.withSubstitutionVariables(values) })
    case .not(let part): return .not(part.withSubstitutionVariables(values))
    case .expressions(var comparison):
      comparison.left = comparison.left.withSubstitutionVariables(values)
      comparison.right = comparison.right.withSubstitutionVariables(values)
      return .expressions(comparison)
    }
  }
}

extension FetchExpression {
  fileprivate func withSubstitutionVariables(_ values: [String: Value]) -> FetchExpression {
    switch self {
    case .variable(let name): return values[name].map(FetchExpression.constant) ?? self
    case .subqueryCount(var subquery):
      var outer = values
      outer[subquery.variable] = nil
      subquery.predicate = subquery.predicate.withSubstitutionVariables(outer)
      return .subqueryCount(subquery)
    case .constant, .list, .keyPath, .object, .aggregate: return self
    }
  }
}
