import Metrics

/// How much worse than in the baseline a measure may be before that counts.
///
/// Simulated results are exact, so a tolerance is no allowance for noise: it says from when on a change is worth anybody's
/// attention.
package struct Tolerance: Hashable, Sendable {
  /// What a measure gets that has no tolerance of its own: 1 %.
  package static let standard = Tolerance(partsPerMillion: 10_000)

  /// The share of the baseline's value.
  package let partsPerMillion: Int64
  /// In the measure's unit: a change of no more never counts, whatever its share.
  package let floor: Int64

  /// Neither may be negative.
  package init(partsPerMillion: Int64, floor: Int64 = 0) {
    self.partsPerMillion = partsPerMillion
    self.floor = floor
  }

  /// Whether a value moved by more than the share of what it was, and by more than the floor.
  ///
  /// A value that was 0 exceeds every share as soon as it is another. Exact up to the largest integer; neither value may
  /// be negative.
  package func isExceeded(from before: Int64, to now: Int64) -> Bool {
    let distance = (now - before).magnitude
    guard distance > UInt64(floor) else { return false }
    let moved = distance.multipliedFullWidth(by: 1_000_000)
    let allowed = UInt64(before).multipliedFullWidth(by: UInt64(partsPerMillion))
    return (moved.high, moved.low) > (allowed.high, allowed.low)
  }
}

/// The tolerance of each measure.
package struct Tolerances: Hashable, Sendable {
  /// Of every measure that has none of its own.
  package var standard: Tolerance
  package var own: [Measure: Tolerance]

  package init(standard: Tolerance = .standard, own: [Measure: Tolerance] = [:]) {
    self.standard = standard
    self.own = own
  }

  package subscript(measure: Measure) -> Tolerance { own[measure] ?? standard }
}
