import MachineCore

/// The options of a simulated machine's run. `SimulatedDevice` describes the device.
package struct SimulatedMachineOptions: Sendable {
  /// The seed by which events of different strands at equal instants are shuffled; nil for the order in which the
  /// strands got their cores.
  package var scheduleSeed: UInt64?
  /// The latest instant that virtual time may reach. The default is 3,600 seconds.
  package var timeLimit: TimeSpan
  /// The number of events that may happen. By default there is no limit.
  package var eventLimit: Int
  /// The point at which reported work is paid for: the next call of the seam, or at once, which is slower with the same
  /// results.
  package var settlement: Settlement
  /// Indicates whether main has the device's first core for itself and all other strands share the other cores. Without
  /// it, every strand takes any core that is free. A device with one core ignores it.
  package var bindsMain: Bool
  /// The core of this computer on which all strands run; nil for the core on which the machine is made.
  ///
  /// One strand runs at a time, and handing over within a core takes a fifth of the time that it takes across cores.
  package var hostCore: Int?
  /// The explorer that chooses the order of the strands, or nil to run them in the order of their instants. With an
  /// explorer, each strand has a core for itself.
  package var explorer: ScheduleExplorer?

  package enum Settlement: Sendable {
    case atSeamCalls
    case atOnce
  }

  package init(
    scheduleSeed: UInt64? = nil, timeLimit: TimeSpan = .seconds(3_600), eventLimit: Int = .max,
    settlement: Settlement = .atSeamCalls, bindsMain: Bool = false, hostCore: Int? = nil,
    explorer: ScheduleExplorer? = nil
  ) {
    self.scheduleSeed = scheduleSeed
    self.timeLimit = timeLimit
    self.eventLimit = eventLimit
    self.settlement = settlement
    self.bindsMain = bindsMain
    self.hostCore = hostCore
    self.explorer = explorer
  }
}
