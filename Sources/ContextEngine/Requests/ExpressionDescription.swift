/// One named column of a dictionary result.
public struct ExpressionDescription: Hashable, Sendable {
  /// Under which the dictionary has it.
  public var name: String
  public var content: Content

  public enum Content: Hashable, Sendable {
    /// Computed for each row: a property behind a key path, the identity (`.object`), a count over a relationship.
    case value(Expression)
    /// Made of all rows of a group, or of all rows where nothing is grouped by; `isDistinct` takes equal values once.
    ///
    /// What is nothing does not count. A sum of nothing is 0, any other function of nothing is nothing.
    case function(AggregateFunction, Expression, isDistinct: Bool)
  }

  public init(_ name: String, _ content: Content) {
    self.name = name
    self.content = content
  }

  /// The property behind a key path.
  public init(_ name: String, _ keyPath: PropertyKeyPath) {
    self.init(name, .value(.keyPath(keyPath)))
  }

  /// A function over the values of a property.
  public init(_ name: String, _ function: AggregateFunction, of path: PropertyPath, isDistinct: Bool = false) {
    self.init(name, .function(function, .keyPath(PropertyKeyPath(path)), isDistinct: isDistinct))
  }

  /// How many rows there are.
  public static func count(_ name: String) -> ExpressionDescription {
    ExpressionDescription(name, .function(.count, .object, isDistinct: false))
  }

  /// The identity of the row's object.
  public static func objectID(_ name: String) -> ExpressionDescription {
    ExpressionDescription(name, .value(.object))
  }

  /// Whether it is made of many rows.
  package var isFunction: Bool {
    if case .function = content { true } else { false }
  }
}

/// One result of a dictionary request: values by name, in the order in which the request names them.
public struct FetchedDictionary: Hashable, Sendable {
  /// Shared by all dictionaries of a result.
  public let names: [String]
  public let values: [Value]

  /// The value of a name; nil if the request has no such name. O(names).
  public subscript(name: String) -> Value? {
    names.firstIndex(of: name).map { values[$0] }
  }
}
