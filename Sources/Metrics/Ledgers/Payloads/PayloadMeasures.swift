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
  /// The time for which the display showed screens that had fetched after different saves. It is zero with one screen.
  package var disagreement: TimeSpan?
  /// The times d_p − a_p in nanoseconds.
  package var timesToDurable: NearestRank?
  /// The longest time for which a payload was visible but not durable.
  package var atRiskMaximum: TimeSpan?
}
