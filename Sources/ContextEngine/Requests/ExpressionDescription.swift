/// One named column of a dictionary result.
public struct ExpressionDescription: Hashable, Sendable {
  /// The key of the column in the dictionaries.
  public var name: String
  /// The expression or the function that gives the column its values.
  public var content: Content

  /// The expression or the function that gives a column its values.
  public enum Content: Hashable, Sendable {
    /// A value computed for each row: a property at the end of a key path, the identity (`.object`), or a count over a
    /// relationship.
    case value(FetchExpression)
    /// A value computed from all rows of a group, or from all rows if there is no grouping. `isDistinct` uses equal
    /// values only once.
    ///
    /// Null values are ignored. Without any other value, a count and a sum are 0 and the other functions are null.
    case function(AggregateFunction, FetchExpression, isDistinct: Bool)
  }

  /// Creates a column with the given content.
  public init(_ name: String, content: Content) {
    self.name = name
    self.content = content
  }

  /// Creates a column with the property at the end of a key path.
  public init(_ name: String, keyPath: PropertyKeyPath) {
    self.init(name, content: .value(.keyPath(keyPath)))
  }

  /// Creates a column with a function over the values of a property.
  public init(_ name: String, function: AggregateFunction, of path: PropertyPath, isDistinct: Bool = false) {
    self.init(name, content: .function(function, .keyPath(PropertyKeyPath(path)), isDistinct: isDistinct))
  }

  /// Returns a column with the number of rows.
  public static func count(_ name: String) -> ExpressionDescription {
    ExpressionDescription(name, content: .function(.count, .object, isDistinct: false))
  }

  /// Returns a column with the identity of the row's object.
  public static func objectID(_ name: String) -> ExpressionDescription {
    ExpressionDescription(name, content: .value(.object))
  }

  /// True if the column is computed from many rows.
  package var isFunction: Bool {
    if case .function = content { true } else { false }
  }
}

/// A result of a dictionary request: values by name, in the order in which the request lists them.
public struct FetchedDictionary: Hashable, Sendable {
  /// The names, which all dictionaries of a result share.
  public let names: [String]
  /// The values, parallel to the names.
  public let values: [Value]

  /// Returns the value for a name, or nil if the request has no such name. O(names).
  public subscript(name: String) -> Value? {
    names.firstIndex(of: name).map { values[$0] }
  }
}
