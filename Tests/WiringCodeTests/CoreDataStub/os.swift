// Declarations of Apple's `os` that wirings printed with `--signposts` use, as the documentation of OSSignposter has
// them since iOS 15. OSSignpostIntervalState is a class that the documentation does not call Sendable.

/// The identifier of an interval or an event.
public struct OSSignpostID: Sendable {
  /// The identifier of intervals that do not overlap with others of their name.
  public static let exclusive = OSSignpostID()
}

/// The state of an interval that has begun.
public class OSSignpostIntervalState {}

@available(*, unavailable)
extension OSSignpostIntervalState: Sendable {}

/// A signposter that records no intervals or events.
public struct OSSignposter: Sendable {
  /// Creates a signposter. The arguments are ignored.
  public init(subsystem: String, category: String) {}
  /// Returns an identifier.
  public func makeSignpostID() -> OSSignpostID { OSSignpostID() }
  /// Returns the state of an interval without recording the interval.
  public func beginInterval(_ name: StaticString, id: OSSignpostID = .exclusive) -> OSSignpostIntervalState {
    OSSignpostIntervalState()
  }
  /// Declares the method that ends an interval. Has no effect.
  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
  /// Declares the method that records an event. Has no effect.
  public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive) {}
  /// Runs `task`, and returns its result or throws its error. No interval is recorded.
  public func withIntervalSignpost<T>(
    _ name: StaticString, id: OSSignpostID = .exclusive, around task: () throws -> T
  ) rethrows -> T { try task() }
}
