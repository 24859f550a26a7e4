import MachineCore

/// The schedule of a trial's ticks, which are due at t_k = t₀ + ⌊k·10⁹/refresh⌋.
///
/// Each instant is computed from t₀, so that the rounding errors of intervals do not add up.
package struct TickSchedule: Hashable, Sendable, Codable {
  /// t₀, the instant of tick 0.
  package let start: Instant
  /// Ticks per second.
  package let refreshRate: Int
  /// The position of payload 0's arrival between two ticks, in thousandths of an interval.
  package let arrivalPhase: Int

  package init(start: Instant, refreshRate: Int, arrivalPhase: Int = TickSchedule.middle) {
    guard refreshRate > 0 else { trapMisuse("A refresh rate must be at least 1 Hz; it is \(refreshRate).") }
    self.start = start
    self.refreshRate = refreshRate
    self.arrivalPhase = arrivalPhase
  }

  /// Returns t_k, the instant at which a tick is due.
  package func instant(ofTick tick: Int) -> Instant {
    start + TimeSpan(nanoseconds: Int64(tick) * 1_000_000_000 / Int64(refreshRate))
  }

  /// Returns the smallest tick, not below 0, that is due at or after `instant`.
  package func firstTick(atOrAfter instant: Instant) -> Int {
    let distance = (instant - start).nanoseconds
    guard distance > 0 else { return 0 }
    // ⌊k·10⁹/r⌋ ≥ d ⇔ k·10⁹/r ≥ d for an integer d, so k = ⌈d·r/10⁹⌉. Whole seconds are computed separately to avoid an
    // overflow.
    let seconds = distance / 1_000_000_000
    let rest = distance % 1_000_000_000
    let rate = Int64(refreshRate)
    return Int(seconds * rate + (rest * rate + 999_999_999) / 1_000_000_000)
  }

  /// Returns the time from a tick to the next one. Intervals differ by a nanosecond if the rate does not divide 10⁹.
  package func interval(afterTick tick: Int) -> TimeSpan {
    instant(ofTick: tick + 1) - instant(ofTick: tick)
  }

  /// w₀, the intended arrival of payload 0: 200 ms and a part of an interval after the ticker starts. The part is half
  /// an interval unless a draw sets another one.
  ///
  /// With half an interval, w₀ is never on a tick, because 0.2·r + 0.5 is not a whole number for any whole r.
  package var windowStart: Instant {
    start + .milliseconds(200) + TimeSpan(nanoseconds: 1_000_000 * Int64(arrivalPhase) / Int64(refreshRate))
  }

  /// The phase in the middle between two ticks.
  package static let middle = 500
}
