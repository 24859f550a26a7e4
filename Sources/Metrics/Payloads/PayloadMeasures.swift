import MachineCore

/// The freshness and the safety of the payloads of a window.
///
/// The measures of durability are nil unless every payload became durable. The measures of visibility are nil unless a
/// screen exists and every payload became visible.
package struct PayloadMeasures: Sendable {
  /// The time from w₀ to the last d_p.
  package var importTime: TimeSpan?
  /// The time from w₀ to the last v_p.
  package var visibleTime: TimeSpan?
  /// The times v_p − a_p in nanoseconds.
  package var timesToVisible: NearestRank?
  /// The longest time from the first frame that shows a payload on some screen to v_p, when all screens show it. It is
  /// zero with one screen.
  package var disagreementMaximum: TimeSpan?
  /// The times d_p − a_p in nanoseconds.
  package var timesToDurable: NearestRank?
  /// The longest time for which a payload was visible but not durable.
  package var atRiskMaximum: TimeSpan?
}
