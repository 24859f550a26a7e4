import MachineCore

/// How smooth a window was.
package struct FrameMeasures: Sendable {
  /// A frame that starts this late or later is a hang.
  package static let hang = Span.milliseconds(250)

  package var hitchTotal: Span
  /// Hitch time per second of window, rounded half up.
  package var hitchMicrosecondsPerSecond: Int64
  package var ticksCount: Int
  /// The missed ticks.
  package var droppedCount: Int
  package var hangsCount: Int
  package var secondsBelow30FPSCount: Int
  /// L_k in nanoseconds for every tick, posted or missed.
  package var stalls: NearestRank
}
