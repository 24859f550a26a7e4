import MachineCore

/// A predicate that is prepared for testing objects in memory: lists become sets, and constant patterns are compiled
/// once instead of once per object.
package struct PredicateEvaluator: Sendable {
  let node: Node
  private let identities: IdentityMap?

  indirect enum Node: Sendable {
    case comparison(PropertyPath, FetchPredicate.Comparison, Value)
    case isIn(PropertyPath, Set<Value>)
    case objectIsIn(Set<ObjectID>)
    case and([Node])
    case or([Node])
    case not(Node)
    case test(PreparedComparison)
    case always
    case never
  }

  /// Creates an evaluator for objects of contexts, which may have temporary IDs. A nil predicate matches every object.
  init(_ predicate: FetchPredicate?, identities: IdentityMap?) {
    self.identities = identities
    node = predicate.map(Self.compile) ?? .always
  }

  /// Creates an evaluator for the rows of a store. A nil predicate matches every row.
  package init(_ predicate: FetchPredicate?) {
    self.init(predicate, identities: nil)
  }

  /// Returns true if the subject matches.
  package func matches<Subject: PredicateSubject>(subject: Subject) -> Bool {
    matches(node, in: PredicateScope(object: subject))
  }

  func matches<Subject>(_ node: Node, in scope: PredicateScope<Subject>) -> Bool {
    switch node {
    case .comparison(let path, let comparison, let value):
      comparison.holds(permanent(scope.object.value(at: path)), permanent(value))
    case .isIn(let path, let set): contains(set, value: scope.object.value(at: path))
    case .objectIsIn(let set): contains(set, objectID: scope.object.objectID)
    case .and(let nodes): nodes.allSatisfy { matches($0, in: scope) }
    case .or(let nodes): nodes.contains { matches($0, in: scope) }
    case .not(let node): !matches(node, in: scope)
    case .test(let comparison): comparison.holds(in: scope, evaluator: self)
    case .always: true
    case .never: false
    }
  }

  /// Returns the value with a temporary object ID replaced by the permanent ID that the object has received.
  func permanent(_ value: Value) -> Value {
    guard case .object(let objectID) = value, objectID.isTemporaryID, let identities else { return value }
    return .object(identities.canonical(objectID))
  }

  private func contains(_ set: Set<ObjectID>, objectID: ObjectID) -> Bool {
    set.contains(objectID) || identities?.firstAlias(of: objectID) { set.contains($0) ? true : nil } ?? false
  }

  private func contains(_ set: Set<Value>, value: Value) -> Bool {
    if set.contains(value) { return true }
    guard case .object(let objectID) = value else { return false }
    return identities?.firstAlias(of: objectID) { set.contains(.object($0)) ? true : nil } ?? false
  }

  static func compile(_ predicate: FetchPredicate) -> Node {
    switch predicate {
    case .comparison(let path, let comparison, let value): .comparison(path, comparison, value)
    case .isIn(let path, let values): .isIn(path, Set(values))
    case .objectIsIn(let objectIDs): .objectIsIn(Set(objectIDs))
    case .and(let predicates): .and(predicates.map(compile))
    case .or(let predicates): .or(predicates.map(compile))
    case .not(let predicate): .not(compile(predicate))
    case .constant(let isTrue): isTrue ? .always : .never
    case .expressions(let comparison): .test(PreparedComparison(comparison))
    }
  }
}

/// The object and variables to which the expressions of a predicate refer while one object is tested.
struct PredicateScope<Subject: PredicateSubject> {
  var object: Subject
  /// The variables of the enclosing subqueries and their objects, the innermost last.
  var variables: [(name: String, object: Subject)] = []

  /// Returns the object at which a key path begins.
  func start(of keyPath: PropertyKeyPath) -> Subject {
    switch keyPath.root {
    case .object: object
    case .variable(let name): variable(name)
    }
  }

  /// Returns the object of a variable. Traps if no enclosing subquery has the variable.
  func variable(_ name: String) -> Subject {
    guard let variable = variables.last(where: { $0.name == name }) else {
      trapMisuse("the predicate uses $\(name), which no enclosing subquery declares")
    }
    return variable.object
  }
}

extension FetchPredicate.Comparison {
  /// Returns true if the comparison is true for two values. It is two-valued: an order comparison with null is false,
  /// and null equals only null.
  func holds(_ left: Value, _ right: Value) -> Bool {
    switch self {
    case .equal: return left == right
    case .notEqual: return left != right
    case .less, .lessOrEqual, .greater, .greaterOrEqual: break
    }
    if left.isNull || right.isNull { return false }
    return holds(Value.compare(left, right))
  }

  /// Returns true if the comparison is true for two values whose order is a negative number, zero or a positive number.
  func holds(_ order: Int) -> Bool {
    switch self {
    case .equal: order == 0
    case .notEqual: order != 0
    case .less: order < 0
    case .lessOrEqual: order <= 0
    case .greater: order > 0
    case .greaterOrEqual: order >= 0
    }
  }
}
