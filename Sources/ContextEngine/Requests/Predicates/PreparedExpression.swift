import MachineCore

/// An expression made ready to be computed for objects in memory.
indirect enum PreparedExpression: Sendable {
  /// Folded already.
  case constant(Value)
  case list([Value])
  case keyPath(PropertyKeyPath)
  case object
  case variable(String)
  case aggregate(Expression.Aggregate)
  case subqueryCount(PropertyKeyPath, String, PredicateEvaluator.Node)

  init(_ expression: Expression, _ options: ComparisonOptions = []) {
    self =
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

  /// The one value of the expression; lists are looked into where they are needed.
  func value<Subject>(
    in scope: PredicateScope<Subject>, _ evaluator: PredicateEvaluator, folding options: ComparisonOptions = []
  ) -> Value {
    switch self {
    case .constant(let value): return value
    case .list: return .null
    case .keyPath(let keyPath): return keyPath.value(in: scope).folded(options)
    case .object: return .object(scope.object.objectID)
    case .variable(let name): return .object(scope.variable(name).objectID)
    case .aggregate(let aggregate): return aggregate.value(in: scope).folded(options)
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

  /// The values of a key path that may have many.
  func values<Subject>(in scope: PredicateScope<Subject>) -> [Value] {
    guard case .keyPath(let keyPath) = self else {
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
