import Metrics

/// A stack whose hitch time has moved from one of Apple's bands to another.
///
/// The change of the band is reported even if the change of the measure does not count, since people quote the bands.
package struct GateBandChange: Hashable, Sendable {
  package let before: HitchBand
  package let now: HitchBand
  /// The hitch time in the baseline, in microseconds per second.
  package let hitchBefore: Double
  package let hitchNow: Double

  init?(_ changes: [GateChange], scale: HitchScale) {
    guard let hitch = changes.first(where: { $0.measure == .hitchRatio }) else { return nil }
    before = scale.band(microsecondsPerSecond: Int64(clampingRounded: hitch.before))
    now = scale.band(microsecondsPerSecond: Int64(clampingRounded: hitch.now))
    guard before != now else { return nil }
    hitchBefore = hitch.before
    hitchNow = hitch.now
  }

  /// The change in words, as in `good (4.1 ms/s) before, fair (6.0 ms/s) now`.
  var text: String {
    func text(_ band: HitchBand, hitch: Double) -> String {
      "\(band.rawValue) (\(MeasureText.of(hitch, in: .microsecondsPerSecond)))"
    }
    return "\(text(before, hitch: hitchBefore)) before, \(text(now, hitch: hitchNow)) now"
  }
}
