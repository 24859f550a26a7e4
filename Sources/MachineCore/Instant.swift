/// A point in time on a machine's monotonic clock, in whole nanoseconds since the machine's origin.
///
/// Instants of different machines are not comparable. An instant is encoded as a single integer.
public struct Instant: Hashable, Comparable, Sendable, Codable {
  /// The number of nanoseconds since the machine's origin.
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
  public static func < (left: Instant, right: Instant) -> Bool {
    left.nanoseconds < right.nanoseconds
  }

  @inlinable
  public static func + (left: Instant, right: Span) -> Instant {
    Instant(nanoseconds: left.nanoseconds + right.nanoseconds)
  }

  @inlinable
  public static func - (left: Instant, right: Span) -> Instant {
    Instant(nanoseconds: left.nanoseconds - right.nanoseconds)
  }

  @inlinable
  public static func - (left: Instant, right: Instant) -> Span {
    Span(nanoseconds: left.nanoseconds - right.nanoseconds)
  }
}
