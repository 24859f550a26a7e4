/// One side of a comparison: an expression that is computed for the object that is tested.
public indirect enum FetchExpression: Hashable, Sendable {
  case constant(Value)
  /// The list at the right of `IN` and `BETWEEN`.
  case list([Value])
  /// The value of a property, or null if a to-one relationship of the key path has no object.
  case keyPath(PropertyKeyPath)
  /// The object itself (`SELF`).
  case object
  /// The object of a subquery's variable, or the named expression of a dictionary request (`$count`).
  case variable(String)
  /// A value computed from many values: `books.@count`, `books.@sum.price`.
  case aggregate(Aggregate)
  /// The number of objects of a to-many relationship that match a separate predicate, as in
  /// `SUBQUERY(books, $book, …).@count`.
  case subqueryCount(Subquery)

  /// A function over the values at the other end of a to-many relationship.
  ///
  /// Null values are ignored. Without any other value, a count and a sum are 0 and the other functions are null.
  public struct Aggregate: Hashable, Sendable {
    /// The function that is applied to the values.
    public var function: AggregateFunction
    /// The key path of the values: for a count the relationship, for other functions an attribute at its other end.
    public var keyPath: PropertyKeyPath

    /// Creates a function over the values at the end of a key path.
    public init(_ function: AggregateFunction, of keyPath: PropertyKeyPath) {
      self.function = function
      self.keyPath = keyPath
    }
  }

  /// A condition on each object of a to-many relationship.
  public struct Subquery: Hashable, Sendable {
    /// The key path of the objects, which ends at the to-many relationship.
    public var collection: PropertyKeyPath
    /// The predicate's name for the object. Key paths that do not begin with it begin at the object that is tested.
    public var variable: String
    /// The condition that each counted object satisfies.
    public var predicate: FetchPredicate

    /// Creates a condition on each object of a to-many relationship, which the predicate refers to by the name of the
    /// variable.
    public init(_ collection: PropertyKeyPath, variable: String, predicate: FetchPredicate) {
      self.collection = collection
      self.variable = variable
      self.predicate = predicate
    }
  }

  /// Returns an expression for the property at the end of a key path with the given steps.
  public static func keyPath(_ steps: PropertyPath...) -> FetchExpression {
    .keyPath(PropertyKeyPath(steps: steps))
  }

  /// Returns an expression for the number of objects of a to-many relationship.
  public static func count(_ steps: PropertyPath...) -> FetchExpression {
    .aggregate(Aggregate(.count, of: PropertyKeyPath(steps: steps)))
  }
}

extension FetchExpression {
  /// Returns the expression with every object ID in it replaced by the result of `transform`. O(size of the
  /// expression).
  func mapObjectIDs(_ transform: (ObjectID) -> ObjectID) -> FetchExpression {
    func map(_ value: Value) -> Value {
      if case .object(let objectID) = value { .object(transform(objectID)) } else { value }
    }
    switch self {
    case .constant(let value): return .constant(map(value))
    case .list(let values): return .list(values.map(map))
    case .subqueryCount(var subquery):
      subquery.predicate = subquery.predicate.mapObjectIDs(transform)
      return .subqueryCount(subquery)
    case .keyPath, .object, .variable, .aggregate: return self
    }
  }
}
