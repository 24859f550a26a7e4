import ContextEngine

extension Value: ExpressibleByStringLiteral, ExpressibleByIntegerLiteral {
  /// Creates a string value.
  public init(stringLiteral value: String) { self = .string(value) }
  /// Creates an integer value.
  public init(integerLiteral value: Int64) { self = .integer(value) }
}
