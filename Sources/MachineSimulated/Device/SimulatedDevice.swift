import MachineCore

/// The properties of a device that a simulated machine needs.
package struct SimulatedDevice: Hashable, Sendable {
  /// The number of strands that run at a time.
  package var cores: Int
  /// True if the main thread takes a core as soon as it can run, and threads that it waits for inherit its rank.
  package var favoursMain: Bool
  /// The time for which a strand keeps a core that others wait for.
  package var quantum: TimeSpan
  /// The time that a strand must sleep before its core's caches no longer hold its data. With zero, the
  /// time slept adds no cost; a cold start is paid all the same.
  package var coldAfter: TimeSpan
  package var costs: CostModel

  package init(cores: Int, favoursMain: Bool, quantum: TimeSpan, coldAfter: TimeSpan = .zero, costs: CostModel) {
    self.cores = cores
    self.favoursMain = favoursMain
    self.quantum = quantum
    self.coldAfter = coldAfter
    self.costs = costs
  }
}
