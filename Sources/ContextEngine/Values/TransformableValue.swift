/// A value of a transformable attribute, of any type that the attribute's transformer accepts.
public final class TransformableValue: Hashable, Sendable, CustomStringConvertible {
  public let base: any Hashable & Sendable

  public init(_ base: any Hashable & Sendable) {
    self.base = base
  }

  public static func == (left: TransformableValue, right: TransformableValue) -> Bool {
    left === right || AnyHashable(left.base) == AnyHashable(right.base)
  }

  public func hash(into hasher: inout Hasher) {
    hasher.combine(AnyHashable(base))
  }

  public var description: String { "\(base)" }
}
