import ContextEngine
import Foundation

/// A value that can replace a `%@`, `%K` or `%d` in a predicate's format.
public protocol PredicateArgument {
  /// The content of the argument, as a value or as a list.
  var predicateArgument: PredicateArgumentContent { get }
}

/// The content of an argument in the form that predicates use.
public enum PredicateArgumentContent: Sendable {
  case value(Value)
  /// A list for `IN` and `BETWEEN`.
  case list([Value])
}

extension Value: PredicateArgument {
  /// The value itself.
  public var predicateArgument: PredicateArgumentContent { .value(self) }
}

extension String: PredicateArgument {
  /// The string as a string value.
  public var predicateArgument: PredicateArgumentContent { .value(.string(self)) }
}

extension Bool: PredicateArgument {
  /// The Boolean as a Boolean value.
  public var predicateArgument: PredicateArgumentContent { .value(.boolean(self)) }
}

extension Double: PredicateArgument {
  /// The number as a double value.
  public var predicateArgument: PredicateArgumentContent { .value(.double(self)) }
}

extension Float: PredicateArgument {
  /// The number as a double value.
  public var predicateArgument: PredicateArgumentContent { .value(.double(Double(self))) }
}

extension PredicateArgument where Self: FixedWidthInteger {
  /// The number as an integer value. Traps if it does not fit into a signed 64-bit integer.
  public var predicateArgument: PredicateArgumentContent { .value(.integer(Int64(self))) }
}

extension Int: PredicateArgument {}
extension Int16: PredicateArgument {}
extension Int32: PredicateArgument {}
extension Int64: PredicateArgument {}
extension UInt: PredicateArgument {}

extension Decimal: PredicateArgument {
  /// The number as a decimal value.
  public var predicateArgument: PredicateArgumentContent { .value(.decimal(self)) }
}

extension Date: PredicateArgument {
  /// The date as a date value, in seconds since 2001-01-01 00:00 UTC.
  public var predicateArgument: PredicateArgumentContent { .value(.date(timeIntervalSinceReferenceDate)) }
}

extension Data: PredicateArgument {
  /// The bytes as a binary value.
  public var predicateArgument: PredicateArgumentContent { .value(.binary(self)) }
}

extension UUID: PredicateArgument {
  /// The UUID as a UUID value.
  public var predicateArgument: PredicateArgumentContent { .value(.uuid(self)) }
}

extension URL: PredicateArgument {
  /// The URL as a URI value.
  public var predicateArgument: PredicateArgumentContent { .value(.uri(self)) }
}

extension ObjectID: PredicateArgument {
  /// The ID as an object value.
  public var predicateArgument: PredicateArgumentContent { .value(.object(self)) }
}

extension ManagedObject: PredicateArgument {
  /// The object's ID as an object value.
  public var predicateArgument: PredicateArgumentContent { .value(.object(objectID)) }
}

extension Optional: PredicateArgument where Wrapped: PredicateArgument {
  /// The content of the wrapped argument, or a null value if the optional is nil.
  public var predicateArgument: PredicateArgumentContent { self?.predicateArgument ?? .value(.null) }
}

/// An argument that is a list. The elements of nested lists become elements of the list.
extension Array: PredicateArgument where Element: PredicateArgument {
  /// The values of the elements as one list.
  public var predicateArgument: PredicateArgumentContent {
    .list(
      flatMap { element in
        switch element.predicateArgument {
        case .value(let value): [value]
        case .list(let values): values
        }
      })
  }
}
