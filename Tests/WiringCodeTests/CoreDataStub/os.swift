// Declarations of Apple's `os` that wirings printed with `--signposts` use, as the documentation of OSSignposter has them
// since iOS 15. OSSignpostIntervalState is a class that the documentation does not call Sendable.

public struct OSSignpostID: Sendable {
  public static let exclusive = OSSignpostID()
}

public class OSSignpostIntervalState {}

@available(*, unavailable)
extension OSSignpostIntervalState: Sendable {}

public struct OSSignposter: Sendable {
  public init(subsystem: String, category: String) {}
  public func makeSignpostID() -> OSSignpostID { OSSignpostID() }
  public func beginInterval(_ name: StaticString, id: OSSignpostID = .exclusive) -> OSSignpostIntervalState {
    OSSignpostIntervalState()
  }
  public func endInterval(_ name: StaticString, _ state: OSSignpostIntervalState) {}
  public func emitEvent(_ name: StaticString, id: OSSignpostID = .exclusive) {}
  public func withIntervalSignpost<T>(
    _ name: StaticString, id: OSSignpostID = .exclusive, around task: () throws -> T
  ) rethrows -> T { try task() }
}
