import MachineCore

/// What of a device no kind of work pays for: its cores, how it shares them out, and its screen.
package struct Hardware: Hashable, Sendable, Codable {
  package var cores: Int
  /// Whether the main thread goes first and pre-empts.
  package var favoursMain: Bool
  /// How long a strand keeps a core that others wait for.
  package var quantum: Span
  /// How long a thread sleeps until its core's caches hold nothing of it; zero if the profile's constants contain what
  /// that costs.
  package var coldAfter: Span
  /// Ticks a second.
  package var refreshRate: Int
  package var source: String

  package init(cores: Int, favoursMain: Bool, quantum: Span, coldAfter: Span = .zero, refreshRate: Int, source: String)
  {
    self.cores = cores
    self.favoursMain = favoursMain
    self.quantum = quantum
    self.coldAfter = coldAfter
    self.refreshRate = refreshRate
    self.source = source
  }
}
