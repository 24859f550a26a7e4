import Metrics

/// The distance that a mean may move before the move counts.
package struct GateFloor: Hashable, Sendable {
  /// The number of standard errors that a move must exceed.
  package static let errorCount = 3.0

  /// The largest change that is not noticed, in the measure's unit.
  package let noticed: Double
  /// The standard error of the mean of the paired differences, in the measure's unit.
  package var standardError = 0.0
  /// The distance by which a change of costs too small to notice moves the mean, in the measure's unit.
  package var shift = 0.0

  /// The largest move of the mean that chance explains, in the measure's unit: the shift plus three standard errors.
  package var chance: Double { shift + Self.errorCount * standardError }
  /// The larger of `noticed` and `chance`.
  package var value: Double { max(noticed, chance) }
}
