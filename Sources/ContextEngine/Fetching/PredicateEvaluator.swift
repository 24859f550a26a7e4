import MachineCore

/// A predicate made ready to test objects in memory: lists become sets once, not once an object.
struct PredicateEvaluator {
  private let node: Node
  private let identities: IdentityMap

  private indirect enum Node {
    case comparison(Int, Predicate.Comparison, Value)
    case isIn(Int, Set<Value>)
    case objectIsIn(Set<ObjectID>)
    case and([Node])
    case or([Node])
    case not(Node)
    case everything
  }

  init(_ predicate: Predicate?, _ identities: IdentityMap) {
    self.identities = identities
    node = predicate.map(Self.compile) ?? .everything
  }

  /// Whether the object, with its unsaved changes, matches. Fires it if it is a fault.
  func matches(_ object: ManagedObject) -> Bool {
    if case .everything = node { return true }
    if !object.isWhole { object.fulfillOrTrap() }
    return matches(node, object.objectID, object.currentRow)
  }

  /// Whether an object with this whole row matches.
  func matches(_ row: Row, of objectID: ObjectID) -> Bool {
    if case .everything = node { return true }
    return matches(node, objectID, row)
  }

  private func matches(_ node: Node, _ objectID: ObjectID, _ row: Row) -> Bool {
    switch node {
    case .comparison(let slot, let comparison, let value):
      comparison.holds(permanent(row.value(at: slot)), permanent(value))
    case .isIn(let slot, let set): contains(set, row.value(at: slot))
    case .objectIsIn(let set): set.contains(objectID) || (identities.alias(of: objectID).map(set.contains) ?? false)
    case .and(let nodes): nodes.allSatisfy { matches($0, objectID, row) }
    case .or(let nodes): nodes.contains { matches($0, objectID, row) }
    case .not(let node): !matches(node, objectID, row)
    case .everything: true
    }
  }

  /// The value with the permanent ID in place of a temporary one that it became.
  private func permanent(_ value: Value) -> Value {
    guard case .object(let objectID) = value, objectID.isTemporaryID else { return value }
    return .object(identities.canonical(objectID))
  }

  private func contains(_ set: Set<Value>, _ value: Value) -> Bool {
    if set.contains(value) { return true }
    guard case .object(let objectID) = value, let alias = identities.alias(of: objectID) else { return false }
    return set.contains(.object(alias))
  }

  private static func compile(_ predicate: Predicate) -> Node {
    switch predicate {
    case .comparison(let path, let comparison, let value): .comparison(path.slot, comparison, value)
    case .isIn(let path, let values): .isIn(path.slot, Set(values))
    case .objectIsIn(let objectIDs): .objectIsIn(Set(objectIDs))
    case .and(let predicates): .and(predicates.map(compile))
    case .or(let predicates): .or(predicates.map(compile))
    case .not(let predicate): .not(compile(predicate))
    }
  }
}

extension Predicate.Comparison {
  /// Two-valued: an order comparison with nothing is false, nothing equals nothing only.
  func holds(_ left: Value, _ right: Value) -> Bool {
    switch self {
    case .equal: return left == right
    case .notEqual: return left != right
    case .less, .lessOrEqual, .greater, .greaterOrEqual: break
    }
    if left.isNull || right.isNull { return false }
    let order = Value.compare(left, right)
    switch self {
    case .less: return order < 0
    case .lessOrEqual: return order <= 0
    case .greater: return order > 0
    case .greaterOrEqual: return order >= 0
    case .equal, .notEqual: return false
    }
  }
}
