/// The figures of a simulated trial that describe the simulation itself.
package struct SimulationFigures: Hashable, Sendable, Codable {
  /// Sixteen hexadecimal digits that identify the whole schedule, the reported work and the store's bytes.
  package var fingerprint: String
  /// The number of the device drawn from the profile's ranges, or nil for the device of the profile's values.
  package var draw: Int?
  /// The number of times that one simulated thread handed over to another.
  package var handOffsCount: Int
  package var eventsCount: Int
  /// The reading of the machine's clock at the end.
  package var virtualNanoseconds: Int64
  /// The duration of the simulation, the only figure here that differs from run to run.
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
