import MachineCore

/// How fresh and how safe the payloads of a window were.
///
/// What concerns durability is nil unless every payload became durable; what concerns visibility, unless a screen exists
/// and every payload became visible.
package struct PayloadMeasures: Sendable {
  /// From w₀ to the last d_p.
  package var importTime: Span?
  /// From w₀ to the last v_p.
  package var visibleTime: Span?
  /// v_p − a_p in nanoseconds.
  package var timesToVisible: NearestRank?
  /// d_p − a_p in nanoseconds.
  package var timesToDurable: NearestRank?
  /// The longest time for which a payload was visible and not durable.
  package var atRiskMaximum: Span?
}
