import MachineCore

/// How a simulated machine is run; what it stands for is its `SimulatedDevice`.
package struct SimulatedMachineOptions: Sendable {
  /// Shuffles equal instants of different strands; nil = in the order in which they got their cores.
  package var scheduleSeed: UInt64?
  /// How far virtual time may go.
  package var timeLimit: Span
  /// How many events may happen.
  package var eventLimit: Int
  /// Whether reported work is paid for by the next call of the seam, or at once: slower, with the same results.
  package var settlement: Settlement
  /// The core of this computer that all strands run on; nil = the one that the machine is made on.
  ///
  /// One at a time runs, and handing over within a core takes a fifth of the time that it takes across cores.
  package var hostCore: Int?

  package enum Settlement: Sendable {
    case atSeamCalls
    case atOnce
  }

  package init(
    scheduleSeed: UInt64? = nil, timeLimit: Span = .seconds(3_600), eventLimit: Int = .max,
    settlement: Settlement = .atSeamCalls, hostCore: Int? = nil
  ) {
    self.scheduleSeed = scheduleSeed
    self.timeLimit = timeLimit
    self.eventLimit = eventLimit
    self.settlement = settlement
    self.hostCore = hostCore
  }
}
