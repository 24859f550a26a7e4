import Metrics

/// The largest change of a measure that is not noticed by a person who looks at the app or at its bill.
///
/// A change counts if it is larger than the tolerance and larger than chance explains; see `GateFloor`.
package struct Tolerance: Hashable, Sendable {
  /// The tolerance of a measure without a specific tolerance: 1 %.
  package static let standard = Tolerance(partsPerMillion: 10_000)

  /// The share of the baseline's value.
  package var partsPerMillion: Int64
  /// The change up to which a change never counts, regardless of its share, in the measure's unit.
  package var floor: Int64

  /// Creates a tolerance. Neither value may be negative.
  package init(partsPerMillion: Int64, floor: Int64 = 0) {
    self.partsPerMillion = partsPerMillion
    self.floor = floor
  }

  /// Returns the largest change from a value that is not noticed, in the measure's unit.
  ///
  /// If the value is 0, the limit is `floor`.
  package func limit(from before: Double) -> Double {
    max(Double(floor), before * Double(partsPerMillion) / 1_000_000)
  }
}

/// The tolerance of each measure.
package struct Tolerances: Hashable, Sendable {
  /// The tolerance of all measures that `own` does not list.
  package var standard: Tolerance
  package var own: [Measure: Tolerance]

  package init(standard: Tolerance = .standard, own: [Measure: Tolerance] = Self.noticed) {
    self.standard = standard
    self.own = own
  }

  package subscript(measure: Measure) -> Tolerance { own[measure] ?? standard }
}

// MARK: - What a user notices

extension Tolerances {
  /// The tolerances of the measures for which they are not simply 1 %.
  ///
  /// Apple's bands for scrolling are 5 ms/s wide, so half a band counts. A frame that comes 2 ms late may miss its
  /// place on a display of 120 Hz. Times of a few hundred microseconds and counts of a few events are not felt at all.
  package static let noticed: [Measure: Tolerance] = {
    var noticed: [Measure: Tolerance] = [:]
    for measure in Measure.all where !measure.isOfHost {
      noticed[measure] = leastNoticed(of: measure).map { Tolerance(partsPerMillion: 10_000, floor: $0) }
    }
    return noticed
  }()

  /// Returns the largest change that never counts, in the measure's unit, or nil if only the share of 1 % counts.
  private static func leastNoticed(of measure: Measure) -> Int64? {
    switch measure {
    case .hitchRatio: 2_500
    // Two frames at 120 Hz.
    case .hitchTotal: 16_666_667
    case .framesDropped: 1
    case _ where measure.unit != .nanoseconds: nil
    case _ where measure.isOrderStatistic: 2_000_000
    default: 100_000
    }
  }
}
