/// A point in time on a machine's monotonic clock, in whole nanoseconds since the machine's origin.
///
/// Instants of different machines are not comparable. An instant is encoded as a single integer.
public struct Instant: Hashable, Comparable, Sendable, Codable {
  /// The number of nanoseconds since the machine's origin.
  public var nanoseconds: Int64

  /// Creates an instant from the number of nanoseconds since the machine's origin.
  public init(nanoseconds: Int64) {
    self.nanoseconds = nanoseconds
  }

  /// Creates an instant from a decoder's single integer. Throws the decoder's error if there is no such integer.
  public init(from decoder: any Decoder) throws {
    nanoseconds = try decoder.singleValueContainer().decode(Int64.self)
  }

  /// Encodes the instant as a single integer, its number of nanoseconds.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.singleValueContainer()
    try container.encode(nanoseconds)
  }

  /// Returns true if the left instant is earlier than the right one.
  @inlinable
  public static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  /// Returns the instant that is a span later than another.
  @inlinable
  public static func + (left: Instant, right: TimeSpan) -> Instant {
    Instant(nanoseconds: left.nanoseconds + right.nanoseconds)
  }

  /// Returns the instant that is a span earlier than another.
  @inlinable
  public static func - (left: Instant, right: TimeSpan) -> Instant {
    Instant(nanoseconds: left.nanoseconds - right.nanoseconds)
  }

  /// Returns the span from the right instant to the left one. It is negative if the left instant is the earlier one.
  @inlinable
  public static func - (left: Instant, right: Instant) -> TimeSpan {
    TimeSpan(nanoseconds: left.nanoseconds - right.nanoseconds)
  }
}
