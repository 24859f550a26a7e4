/// A row of `killed.csv`: the data that a killed app had shown or acknowledged to its user, and the part of it that the
/// store still holds.
package struct KilledRecord: Hashable, Sendable, Codable {
  package var topology: String
  /// The stack's variant, or nil if the stack has no variant.
  package var variant: String?
  /// The trial's number, counted from 1 within the topology.
  package var trial: Int
  /// The time from w₀ to the app's death.
  package var killNanoseconds: Int64
  /// The number of payloads that the network had delivered.
  package var payloadsArrivedCount = 0
  /// The number of delivered payloads for which a frame with everything that screens show of the payload had reached
  /// the display.
  package var payloadsVisibleCount = 0
  /// The number of delivered payloads of which the store holds every record.
  package var payloadsDurableCount = 0
  /// The number of records of delivered payloads that are not in the store.
  package var rowsLostCount = 0
  /// The number of records of visible payloads that are not in the store.
  package var rowsVisibleLostCount = 0
  /// The number of visible payloads of which at least one record is not in the store.
  package var payloadsVisibleLostCount = 0
  package var editsAcknowledgedCount = 0
  /// The number of acknowledged edits that the store does not hold and that no later acknowledged edit of the row
  /// overwrote.
  package var editsLostCount = 0
  /// The number of payloads and edits whose COMMIT had returned.
  package var commitsAcknowledgedCount = 0
  /// The number of records of such payloads, and of such edits, that the store does not hold. It is 0 unless the store
  /// has lost what it had committed.
  package var rowsCommittedLostCount = 0
  /// The number of units of which the store holds a part only.
  package var unitsHalfWrittenCount = 0
  /// The number of problems that SQLite's integrity check reports, or 1 for a store that cannot be read.
  package var integrityProblemsCount = 0
  /// 1 if the file is sound and holds, for each lane, only whole units from the first one on; otherwise 0.
  package var consistent = 1

  package init(topology: String, variant: String?, trial: Int, killNanoseconds: Int64) {
    self.topology = topology
    self.variant = variant
    self.trial = trial
    self.killNanoseconds = killNanoseconds
  }

  /// The stack's name: `topology/variant`, or the topology alone if there is no variant.
  package var name: String { variant.map { "\(topology)/\($0)" } ?? topology }
}
