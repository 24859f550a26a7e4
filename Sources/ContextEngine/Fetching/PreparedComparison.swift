import MachineCore

/// A general comparison made ready to test objects in memory. Immutable.
final class PreparedComparison: Sendable {
  private let left: Operand
  private let right: Operand
  private let operation: ComparisonPredicate.Operation
  private let modifier: ComparisonPredicate.Modifier
  private let options: ComparisonOptions
  /// The test of a pattern that is known beforehand.
  private let matcher: TextMatcher?

  private indirect enum Operand: Sendable {
    /// Folded already.
    case constant(Value)
    case list([Value])
    case keyPath(PropertyKeyPath)
    case object
    case variable(String)
    case aggregate(Expression.Aggregate)
    case subqueryCount(PropertyKeyPath, String, PredicateEvaluator.Node)
  }

  init(_ comparison: ComparisonPredicate) {
    operation = comparison.operation
    modifier = comparison.modifier
    options = comparison.options.effective
    left = Self.operand(comparison.left, options)
    right = Self.operand(comparison.right, options)
    if let textOperation = operation.textOperation, case .constant(.string(let pattern)) = comparison.right {
      matcher = Self.matcher(textOperation, pattern, options)
    } else {
      matcher = nil
    }
  }

  private static func matcher(
    _ operation: TextOperation, _ pattern: String, _ options: ComparisonOptions
  ) -> TextMatcher {
    do throws(PersistenceError) {
      return try TextMatcher(operation, pattern, options: options)
    } catch {
      trapMisuse(error.message)
    }
  }

  private static func operand(_ expression: Expression, _ options: ComparisonOptions) -> Operand {
    switch expression {
    case .constant(let value): .constant(value.folded(options))
    case .list(let values): .list(values.map { $0.folded(options) })
    case .keyPath(let keyPath): .keyPath(keyPath)
    case .object: .object
    case .variable(let name): .variable(name)
    case .aggregate(let aggregate): .aggregate(aggregate)
    case .subqueryCount(let subquery):
      .subqueryCount(subquery.collection, subquery.variable, PredicateEvaluator.compile(subquery.predicate))
    }
  }
}

// MARK: - Testing

extension PreparedComparison {
  /// Whether the comparison holds for the object of the scope.
  func holds<Subject>(_ scope: PredicateScope<Subject>, _ evaluator: PredicateEvaluator) -> Bool {
    let right = value(of: right, scope, evaluator)
    let test = { (left: Value) in self.holds(left.folded(self.options), right, evaluator) }
    switch modifier {
    case .direct: return test(value(of: left, scope, evaluator))
    case .any: return values(of: left, scope).contains(where: test)
    case .all: return values(of: left, scope).allSatisfy(test)
    case .none: return !values(of: left, scope).contains(where: test)
    }
  }

  private func holds(_ left: Value, _ right: Value, _ evaluator: PredicateEvaluator) -> Bool {
    if let matcher {
      guard case .string(let text) = left else { return false }
      return matcher.matches(text)
    }
    switch operation {
    case .equal: return isSame(left, right, evaluator)
    case .notEqual: return !isSame(left, right, evaluator)
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
      return values.contains { isSame(left, $0, evaluator) }
    case .contains, .beginsWith, .endsWith, .like, .matches:
      guard let textOperation = operation.textOperation, case .string(let text) = left,
        case .string(let pattern) = right
      else { return false }
      // A pattern that a row holds and that is no regular expression fits nothing, as in SQL.
      return (try? TextMatcher(textOperation, pattern, options: options))?.matches(text) ?? false
    }
  }

  private func isSame(_ left: Value, _ right: Value, _ evaluator: PredicateEvaluator) -> Bool {
    if left.isNull || right.isNull { return left.isNull && right.isNull }
    return Value.order(evaluator.permanent(left), evaluator.permanent(right)) == 0
  }
}

// MARK: - Values of expressions

extension PreparedComparison {
  /// The one value of an expression; lists are looked into where they are needed.
  private func value<Subject>(
    of operand: Operand, _ scope: PredicateScope<Subject>, _ evaluator: PredicateEvaluator
  ) -> Value {
    switch operand {
    case .constant(let value): return value
    case .list: return .null
    case .keyPath(let keyPath): return keyPath.value(in: scope).folded(options)
    case .object: return .object(scope.object.objectID)
    case .variable(let name): return .object(scope.variable(name).objectID)
    case .aggregate(let aggregate): return aggregate.value(in: scope)
    case .subqueryCount(let collection, let variable, let node):
      var inner = scope
      var count: Int64 = 0
      for object in collection.objects(in: scope) {
        inner.variables.append((variable, object))
        if evaluator.matches(node, inner) { count += 1 }
        inner.variables.removeLast()
      }
      return .integer(count)
    }
  }

  /// The values of an expression that may have many.
  private func values<Subject>(of operand: Operand, _ scope: PredicateScope<Subject>) -> [Value] {
    guard case .keyPath(let keyPath) = operand else {
      trapMisuse("ANY, ALL and NONE need a key path over a to-many relationship at their left")
    }
    return keyPath.values(in: scope)
  }
}

extension PropertyKeyPath {
  /// The value that the path leads to without any to-many relationship on the way.
  func value<Subject>(in scope: PredicateScope<Subject>) -> Value {
    if steps.count == 1 { return scope.start(of: self).value(at: last) }
    return end(from: scope.start(of: self))?.value(at: last) ?? .null
  }

  /// The object at which the last step begins; nil where a relationship before it is empty.
  private func end<Subject: PredicateSubject>(from start: Subject) -> Subject? {
    var object = start
    for step in steps.dropLast() {
      guard let next = object.relatedSubject(at: step) else { return nil }
      object = next
    }
    return object
  }

  /// The values that the path leads to over to-many relationships: nothing for an object whose way on is empty.
  func values<Subject>(in scope: PredicateScope<Subject>) -> [Value] {
    if last.isToMany { return objects(in: scope).map { .object($0.objectID) } }
    return ends(in: scope).map { $0?.value(at: last) ?? .null }
  }

  /// The objects of the to-many relationship at which the path ends.
  func objects<Subject>(in scope: PredicateScope<Subject>) -> [Subject] {
    ends(in: scope).flatMap { $0?.relatedSubjects(at: last) ?? [] }
  }

  /// The objects at which the last step begins, nil where a to-one relationship on the way is empty.
  private func ends<Subject>(in scope: PredicateScope<Subject>) -> [Subject?] {
    var objects: [Subject?] = [scope.start(of: self)]
    for step in steps.dropLast() {
      objects =
        step.isToMany
        ? objects.flatMap { $0?.relatedSubjects(at: step) ?? [] } : objects.map { $0?.relatedSubject(at: step) }
    }
    return objects
  }
}

extension Expression.Aggregate {
  func value<Subject>(in scope: PredicateScope<Subject>) -> Value {
    if function == .count, keyPath.last.isToMany { return .integer(Int64(keyPath.objects(in: scope).count)) }
    return function.value(of: keyPath.values(in: scope))
  }
}

extension AggregateFunction {
  /// What the function makes of values; nothing among them is left out.
  func value(of values: [Value]) -> Value {
    let values = values.filter { !$0.isNull }
    switch self {
    case .count: return .integer(Int64(values.count))
    case .sum: return Self.sum(of: values)
    case .average: return values.isEmpty ? .null : .double(Self.total(of: values) / Double(values.count))
    case .minimum: return values.min { (Value.order($0, $1) ?? 0) < 0 } ?? .null
    case .maximum: return values.max { (Value.order($0, $1) ?? 0) < 0 } ?? .null
    }
  }

  /// Whole numbers give a whole number, unless it is too large for 64 bits.
  private static func sum(of values: [Value]) -> Value {
    var whole: Int64 = 0
    for value in values {
      guard case .integer(let number) = value.number, case (let sum, false) = whole.addingReportingOverflow(number)
      else { return .double(total(of: values)) }
      whole = sum
    }
    return .integer(whole)
  }

  private static func total(of values: [Value]) -> Double {
    values.reduce(0) { sum, value in
      switch value.number {
      case .integer(let number): sum + Double(number)
      case .real(let number): sum + number
      case .none: sum
      }
    }
  }
}

extension Value {
  /// A string as the options compare it; any other value as it is.
  package func folded(_ options: ComparisonOptions) -> Value {
    guard options.isFolding, case .string(let text) = self else { return self }
    return .string(options.fold(text))
  }
}
