/// What a simulated trial tells of the simulation itself.
package struct SimulationFigures: Hashable, Sendable, Codable {
  /// Sixteen hexadecimal digits that stand for the whole schedule, the work reported and the store's bytes.
  package var fingerprint: String
  /// Which device of the profile's ranges; nil = the one of its values.
  package var draw: Int?
  /// How often one simulated thread handed over to another.
  package var handOffsCount: Int
  package var eventsCount: Int
  /// What the machine's clock read at the end.
  package var virtualNanoseconds: Int64
  /// What the simulation took; the only figure here that differs from run to run.
  package var wallNanoseconds: Int64

  package init(
    fingerprint: String, draw: Int? = nil, handOffsCount: Int, eventsCount: Int, virtualNanoseconds: Int64,
    wallNanoseconds: Int64
  ) {
    self.fingerprint = fingerprint
    self.draw = draw
    self.handOffsCount = handOffsCount
    self.eventsCount = eventsCount
    self.virtualNanoseconds = virtualNanoseconds
    self.wallNanoseconds = wallNanoseconds
  }
}
