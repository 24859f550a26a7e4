/// What one killed app had told its user, and what of that the store still holds: a row of `killed.csv`.
package struct KilledRecord: Hashable, Sendable, Codable {
  package var topology: String
  /// nil where a stack has none.
  package var variant: String?
  /// Counted from 1 within the topology.
  package var trial: Int
  /// From w₀ to the death.
  package var killNanoseconds: Int64
  /// Payloads that the network had delivered.
  package var payloadsArrivedCount = 0
  /// Those of them of which a frame with all that screens show of them had reached the display.
  package var payloadsVisibleCount = 0
  /// Those of them that the store holds to the last record.
  package var payloadsDurableCount = 0
  /// Records of payloads that had arrived and are not in the store.
  package var rowsLostCount = 0
  /// Records of payloads that were visible and are not in the store.
  package var rowsVisibleLostCount = 0
  /// Payloads that were visible and are not in the store to the last record.
  package var payloadsVisibleLostCount = 0
  package var editsAcknowledgedCount = 0
  /// Acknowledged edits that the store does not hold and that no later acknowledged edit of the row overwrote.
  package var editsLostCount = 0
  /// 1 iff the file is sound and holds, of each lane, whole units from the first on and nothing else.
  package var consistent = 1

  package init(topology: String, variant: String?, trial: Int, killNanoseconds: Int64) {
    self.topology = topology
    self.variant = variant
    self.trial = trial
    self.killNanoseconds = killNanoseconds
  }

  /// `topology/variant`, or the topology alone.
  package var name: String { variant.map { "\(topology)/\($0)" } ?? topology }
}
