/// A value of a transformable attribute, of any type that the attribute's transformer accepts.
public final class TransformableValue: Hashable, Sendable, CustomStringConvertible {
  /// The value itself, of a type that the attribute's transformer accepts.
  public let base: any Hashable & Sendable

  /// Creates a transformable value from a value of any hashable type.
  public init(_ base: any Hashable & Sendable) {
    self.base = base
  }

  /// Returns true if the values themselves are equal.
  public static func == (left: TransformableValue, right: TransformableValue) -> Bool {
    left === right || AnyHashable(left.base) == AnyHashable(right.base)
  }

  /// Feeds the value itself into a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(AnyHashable(base))
  }

  /// The description of the value itself.
  public var description: String { "\(base)" }
}
