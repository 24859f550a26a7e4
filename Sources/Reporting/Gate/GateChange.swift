import Metrics

/// One measure of one stack: in the baseline, and now.
package struct GateChange: Hashable, Sendable {
  package enum Verdict: String, Hashable, Sendable, CaseIterable {
    /// Beyond its tolerance.
    case worse
    /// Beyond its tolerance, the other way.
    case better
    /// Another value, within its tolerance.
    case tolerated
    case equal
  }

  package let measure: Measure
  package let before: Int64
  package let now: Int64
  package let tolerance: Tolerance

  package init(measure: Measure, before: Int64, now: Int64, tolerance: Tolerance) {
    self.measure = measure
    self.before = before
    self.now = now
    self.tolerance = tolerance
  }

  /// A measure of which neither direction is better is at most `tolerated`.
  package var verdict: Verdict {
    guard before != now else { return .equal }
    guard tolerance.isExceeded(from: before, to: now) else { return .tolerated }
    return switch measure.better {
    case .lower: now < before ? .better : .worse
    case .higher: now > before ? .better : .worse
    case .neither: .tolerated
    }
  }

  /// The change as a share of the baseline's value; nil where that is 0.
  package var partsPerMillion: Int64? { Int64.partsPerMillion(from: before, to: now) }
}

extension Int64 {
  /// The change from `before` to `now` in parts per million of `before`, rounded half away from zero; nil where that is 0.
  ///
  /// Neither may be negative. What is too large for an integer becomes the largest.
  static func partsPerMillion(from before: Int64, to now: Int64) -> Int64? {
    guard before > 0 else { return nil }
    let divisor = UInt64(before)
    let (high, low) = (now - before).magnitude.multipliedFullWidth(by: 1_000_000)
    guard high < divisor else { return now > before ? .max : -.max }
    let (quotient, remainder) = divisor.dividingFullWidth((high, low))
    let rounded = remainder >= divisor - remainder ? quotient.addingReportingOverflow(1).partialValue : quotient
    let share = Int64(clamping: rounded)
    return now < before ? -share : share
  }
}
