import MachineCore

/// A frame as the main thread ran it.
package struct PostedFrame: Hashable, Sendable {
  /// k(f), the tick that posted it.
  package let tick: Int
  /// s_f, the instant at which the frame started.
  package let start: Instant
  /// c_f, the instant at which the frame ended, or nil while it runs.
  package var end: Instant?
  /// The label that took most of the main thread's time from the tick to the start.
  package let cause: TimeLabel
  /// The time for which the frame itself was parked.
  package var wait: TimeSpan

  package init(tick: Int, start: Instant, end: Instant?, cause: TimeLabel = .idle, wait: TimeSpan = .zero) {
    self.tick = tick
    self.start = start
    self.end = end
    self.cause = cause
    self.wait = wait
  }
}
