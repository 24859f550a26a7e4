import Metrics

/// How far a mean may move before the move counts.
package struct GateFloor: Hashable, Sendable {
  /// The number of standard errors that a move must exceed.
  package static let errorCount = 3.0

  /// The largest change that goes unnoticed, in the measure's unit.
  package let noticed: Double
  /// The standard error of the mean of the paired differences, in the measure's unit.
  package let standardError: Double
  /// How far a change of costs that nobody would notice moves the mean, in the measure's unit.
  package let shift: Double

  package init(noticed: Double, standardError: Double = 0, shift: Double = 0) {
    self.noticed = noticed
    self.standardError = standardError
    self.shift = shift
  }

  /// The part of the floor that chance needs.
  package var chance: Double { shift + Self.errorCount * standardError }
  package var value: Double { max(noticed, chance) }
}
