/// One side of a comparison: what is computed for the object that is tested.
public indirect enum Expression: Hashable, Sendable {
  case constant(Value)
  /// What `IN` and `BETWEEN` look into.
  case list([Value])
  /// A property. Nothing where the way ends at an empty to-one relationship.
  case keyPath(PropertyKeyPath)
  /// The object itself (`SELF`).
  case object
  /// The object that a subquery's variable stands for, or the named expression of a dictionary request (`$count`).
  case variable(String)
  /// A number made of many values: `books.@count`, `books.@sum.price`.
  case aggregate(Aggregate)
  /// How many objects of a to-many relationship match a predicate of their own: `SUBQUERY(books, $book, …).@count`.
  case subqueryCount(Subquery)

  /// A function over the values at the other end of a to-many relationship.
  ///
  /// Nothing among the values is left out. Without any value a sum is 0 and the other functions are nothing.
  public struct Aggregate: Hashable, Sendable {
    public var function: AggregateFunction
    /// Where the values are. For a count: the relationship; for other functions: an attribute behind it.
    public var keyPath: PropertyKeyPath

    public init(_ function: AggregateFunction, of keyPath: PropertyKeyPath) {
      self.function = function
      self.keyPath = keyPath
    }
  }

  /// A condition on each object of a to-many relationship.
  public struct Subquery: Hashable, Sendable {
    /// Ends at the to-many relationship.
    public var collection: PropertyKeyPath
    /// What the predicate calls the object; its other key paths begin at the object that is tested.
    public var variable: String
    public var predicate: Predicate

    public init(_ collection: PropertyKeyPath, variable: String, predicate: Predicate) {
      self.collection = collection
      self.variable = variable
      self.predicate = predicate
    }
  }

  /// The property at `steps`, one after the other.
  public static func keyPath(_ steps: PropertyPath...) -> Expression {
    .keyPath(PropertyKeyPath(steps: steps))
  }

  /// How many objects a to-many relationship has.
  public static func count(_ steps: PropertyPath...) -> Expression {
    .aggregate(Aggregate(.count, of: PropertyKeyPath(steps: steps)))
  }
}

extension Expression {
  /// Calls `body` with every object ID in it and puts what that returns in its place. O(size).
  func mapObjectIDs(_ transform: (ObjectID) -> ObjectID) -> Expression {
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
