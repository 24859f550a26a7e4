/// A length of time on a machine's clock, in whole nanoseconds. It may be negative.
///
/// `Swift.Duration` has attoseconds, which no measurement needs, and 128-bit arithmetic, which takes longer. A span is
/// encoded as a single integer.
public struct Span: Hashable, Comparable, Sendable, Codable {
  public static let zero = Span(nanoseconds: 0)

  public var nanoseconds: Int64

  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  public init(from decoder: any Decoder) throws {
    nanoseconds = try decoder.singleValueContainer().decode(Int64.self)
  }

  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(nanoseconds)
  }

  @inlinable
  public static func microseconds(_ count: Int64) -> Span {
    Span(nanoseconds: count * 1_000)
  }

  @inlinable
  public static func milliseconds(_ count: Int64) -> Span {
    Span(nanoseconds: count * 1_000_000)
  }

  @inlinable
  public static func seconds(_ count: Int64) -> Span {
    Span(nanoseconds: count * 1_000_000_000)
  }

  @inlinable
  public static func < (left: Span, right: Span) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  @inlinable
  public static func + (left: Span, right: Span) -> Span {
    Span(nanoseconds: left.nanoseconds + right.nanoseconds)
  }

  @inlinable
  public static func - (left: Span, right: Span) -> Span {
    Span(nanoseconds: left.nanoseconds - right.nanoseconds)
  }

  @inlinable
  public static func += (left: inout Span, right: Span) {
    left.nanoseconds += right.nanoseconds
  }

  @inlinable
  public static func * (left: Span, right: Int64) -> Span {
    Span(nanoseconds: left.nanoseconds * right)
  }
}
