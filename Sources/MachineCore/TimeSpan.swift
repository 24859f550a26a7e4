/// A length of time on a machine's clock, in whole nanoseconds. It may be negative.
///
/// `Swift.Duration` has attoseconds, which no measurement needs, and 128-bit arithmetic, which takes longer. A span is
/// encoded as a single integer.
public struct TimeSpan: Hashable, Comparable, Sendable, Codable {
  /// The span without length.
  public static let zero = TimeSpan(nanoseconds: 0)

  /// The length in nanoseconds.
  public var nanoseconds: Int64

  /// Creates a span from a number of nanoseconds.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Creates a span from a decoder's single integer. Throws the decoder's error if there is no such integer.
  public init(from decoder: any Decoder) throws {
    nanoseconds = try decoder.singleValueContainer().decode(Int64.self)
  }

  /// Encodes the span as a single integer, its number of nanoseconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(nanoseconds)
  }

  /// Returns a span of `count` microseconds.
  @inlinable
  public static func microseconds(_ count: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: count * 1_000)
  }

  /// Returns a span of `count` milliseconds.
  @inlinable
  public static func milliseconds(_ count: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: count * 1_000_000)
  }

  /// Returns a span of `count` seconds.
  @inlinable
  public static func seconds(_ count: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: count * 1_000_000_000)
  }

  /// Returns true if the left span is less than the right one. A negative span is less than zero.
  @inlinable
  public static func < (left: TimeSpan, right: TimeSpan) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Returns the sum of two spans.
  @inlinable
  public static func + (left: TimeSpan, right: TimeSpan) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds + right.nanoseconds)
  }

  /// Returns the left span minus the right one.
  @inlinable
  public static func - (left: TimeSpan, right: TimeSpan) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds - right.nanoseconds)
  }

  /// Adds the right span to the left one.
  @inlinable
  public static func += (left: inout TimeSpan, right: TimeSpan) {
    left.nanoseconds += right.nanoseconds
  }

  /// Returns a span times a whole number.
  @inlinable
  public static func * (left: TimeSpan, right: Int64) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds * right)
  }
}
