import MachineCore

/// What a simulated machine must know of the device it stands for.
package struct SimulatedDevice: Hashable, Sendable {
  /// How many strands run at a time.
  package var cores: Int
  /// Whether the main thread takes a core as soon as it can run, and whoever it waits for inherits its rank.
  package var favoursMain: Bool
  /// How long a strand keeps a core that others wait for.
  package var quantum: Span
  /// How long a strand sleeps until its core's caches hold nothing of it.
  package var coldAfter: Span
  package var costs: CostModel

  package init(cores: Int, favoursMain: Bool, quantum: Span, coldAfter: Span = .zero, costs: CostModel) {
    self.cores = cores
    self.favoursMain = favoursMain
    self.quantum = quantum
    self.coldAfter = coldAfter
    self.costs = costs
  }
}
