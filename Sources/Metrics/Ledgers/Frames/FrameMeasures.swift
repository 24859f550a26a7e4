import MachineCore

/// The smoothness of a window.
package struct FrameMeasures: Sendable {
  /// The least delay of a frame's start that counts as a hang.
  package static let hang = TimeSpan.milliseconds(250)

  package var hitchTotal: TimeSpan
  /// Hitch time per second of window, rounded half up.
  package var hitchMicrosecondsPerSecond: Int64
  package var ticksCount: Int
  /// The number of missed ticks.
  package var droppedCount: Int
  package var hangsCount: Int
  package var secondsBelow30FPSCount: Int
  /// The lateness L_k of every tick, posted or missed, in nanoseconds.
  package var stalls: NearestRank
}
