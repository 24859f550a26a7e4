import MachineCore

/// An expression that is prepared for being computed for objects in memory.
indirect enum PreparedExpression: Sendable {
  /// A constant, which is already folded.
  case constant(Value)
  case list([Value])
  case keyPath(PropertyKeyPath)
  case object
  case variable(String)
  case aggregate(FetchExpression.Aggregate)
  case subqueryCount(PropertyKeyPath, String, PredicateEvaluator.Node)

  init(_ expression: FetchExpression, options: ComparisonOptions = []) {
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

  /// Returns the single value of the expression. It is null for lists, whose elements the comparison reads itself.
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
        if evaluator.matches(node, in: inner) { count += 1 }
        inner.variables.removeLast()
      }
      return .integer(count)
    }
  }

  /// Returns the values of a key path that may have many. Traps if the expression is not a key path.
  func values<Subject>(in scope: PredicateScope<Subject>) -> [Value] {
    guard case .keyPath(let keyPath) = self else {
      trapMisuse("ANY, ALL and NONE need a key path over a to-many relationship on their left")
    }
    return keyPath.values(in: scope)
  }
}

extension PropertyKeyPath {
  /// Returns the value at the end of the path, which has no to-many relationship; null if a to-one relationship on the
  /// way has no object.
  func value<Subject>(in scope: PredicateScope<Subject>) -> Value {
    if steps.count == 1 { return scope.start(of: self).value(at: last) }
    return end(from: scope.start(of: self))?.value(at: last) ?? .null
  }

  /// Returns the object at which the last step begins, or nil if a relationship before it has no object.
  private func end<Subject: PredicateSubject>(from start: Subject) -> Subject? {
    var object = start
    for step in steps.dropLast() {
      guard let next = object.relatedSubject(at: step) else { return nil }
      object = next
    }
    return object
  }

  /// Returns the values at the end of the path, over to-many relationships. A value is null if a to-one relationship on
  /// the way has no object.
  func values<Subject>(in scope: PredicateScope<Subject>) -> [Value] {
    if last.isToMany { return objects(in: scope).map { .object($0.objectID) } }
    return ends(in: scope).map { $0?.value(at: last) ?? .null }
  }

  /// Returns the objects of the to-many relationship at which the path ends.
  func objects<Subject>(in scope: PredicateScope<Subject>) -> [Subject] {
    ends(in: scope).flatMap { $0?.relatedSubjects(at: last) ?? [] }
  }

  /// Returns the objects at which the last step begins. An element is nil if a to-one relationship on the way has no
  /// object.
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

extension FetchExpression.Aggregate {
  func value<Subject>(in scope: PredicateScope<Subject>) -> Value {
    if function == .count, keyPath.last.isToMany { return .integer(Int64(keyPath.objects(in: scope).count)) }
    return function.value(of: keyPath.values(in: scope))
  }
}
