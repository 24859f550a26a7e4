import Foundation

/// A value that can replace a `%@`, `%K` or `%d` in a predicate's format.
public protocol PredicateArgument {
  var predicateArgument: PredicateArgumentContent { get }
}

/// The content of an argument in the form that predicates use.
public enum PredicateArgumentContent: Sendable {
  case value(Value)
  /// A list for `IN` and `BETWEEN`.
  case list([Value])
}

extension Value: PredicateArgument {
  public var predicateArgument: PredicateArgumentContent { .value(self) }
}

extension String: PredicateArgument {
  public var predicateArgument: PredicateArgumentContent { .value(.string(self)) }
}

extension Bool: PredicateArgument {
  public var predicateArgument: PredicateArgumentContent { .value(.boolean(self)) }
}

extension Double: PredicateArgument {
  public var predicateArgument: PredicateArgumentContent { .value(.double(self)) }
}

extension Float: PredicateArgument {
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
  public var predicateArgument: PredicateArgumentContent { .value(.decimal(self)) }
}

extension Date: PredicateArgument {
  public var predicateArgument: PredicateArgumentContent { .value(.date(timeIntervalSinceReferenceDate)) }
}

extension Data: PredicateArgument {
  public var predicateArgument: PredicateArgumentContent { .value(.binary(self)) }
}

extension UUID: PredicateArgument {
  public var predicateArgument: PredicateArgumentContent { .value(.uuid(self)) }
}

extension URL: PredicateArgument {
  public var predicateArgument: PredicateArgumentContent { .value(.uri(self)) }
}

extension ObjectID: PredicateArgument {
  public var predicateArgument: PredicateArgumentContent { .value(.object(self)) }
}

extension Optional: PredicateArgument where Wrapped: PredicateArgument {
  public var predicateArgument: PredicateArgumentContent { self?.predicateArgument ?? .value(.null) }
}

/// An argument that is a list. The elements of nested lists become elements of the list.
extension Array: PredicateArgument where Element: PredicateArgument {
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
