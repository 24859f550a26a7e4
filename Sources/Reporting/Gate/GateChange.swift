import Metrics

/// One measure of one stack, in the baseline and now: means over the same draws.
package struct GateChange: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable, CaseIterable {
    /// The measure is worse by more than its floor in every look, which is a simulation of the run with different
    /// draws.
    case worse
    /// The measure is better by more than its floor in every look.
    case better
    /// The value has changed, but it does not count as worse or better.
    case tolerated
    case equal
  }

  package let measure: Measure
  package let before: Double
  package let now: Double
  package let floor: GateFloor
  /// The kind of figures on which the verdict rests.
  package let evidence: GateEvidence
  package private(set) var verdict: Kind

  /// Creates the change of a measure and judges it. A measure that has no better direction is at most `tolerated`.
  package init(
    measure: Measure, before: Double, now: Double, floor: GateFloor, evidence: GateEvidence = .drawnDevices
  ) {
    self.measure = measure
    self.before = before
    self.now = now
    self.floor = floor
    self.evidence = evidence
    verdict = Self.verdict(measure, from: before, to: now, floor: floor)
  }

  /// Returns the change as it counts after several looks, each with different draws: worse or better only if all looks
  /// agree, and `tolerated` otherwise.
  package func confirmed(by looks: [GateChange]) -> GateChange {
    guard verdict == .worse || verdict == .better, !looks.allSatisfy({ $0.verdict == verdict }) else { return self }
    var tolerated = self
    tolerated.verdict = .tolerated
    return tolerated
  }

  private static func verdict(
    _ measure: Measure, from before: Double, to now: Double, floor: GateFloor
  ) -> Kind {
    guard before != now else { return .equal }
    guard abs(now - before) > floor.value else { return .tolerated }
    return switch measure.better {
    case .lower: now < before ? .better : .worse
    case .higher: now > before ? .better : .worse
    case .neither: .tolerated
    }
  }

  /// The change as a share of the baseline's value; nil if that is 0.
  package var share: Double? { GateChange.share(from: before, to: now) }

  static func share(from before: Double, to now: Double) -> Double? {
    before > 0 ? (now - before) / before : nil
  }

  /// True if the move is larger than what a user notices, but chance may explain it: it is not larger than chance makes
  /// it, or not all looks agree. It is false for a measure that has no better direction.
  package var isUncertain: Bool {
    verdict == .tolerated && measure.better != .neither && abs(now - before) > floor.noticed
  }
}
