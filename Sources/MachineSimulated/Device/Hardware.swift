import MachineCore

/// The properties of a device that are not costs of work: its cores, how it shares them out, and its screen.
package struct Hardware: Hashable, Sendable, Codable {
  package var cores: Int
  /// True if the main thread takes precedence over other threads and pre-empts them.
  package var favoursMain: Bool
  /// The time for which a strand keeps a core that others wait for.
  package var quantum: TimeSpan
  /// The time that a thread must sleep before its core's caches no longer hold its data; zero if the profile's
  /// constants contain the cost of this. With zero, the time slept adds no cost; a cold start is paid all the same.
  package var coldAfter: TimeSpan
  /// The number of ticks per second.
  package var refreshRate: Int
  package var source: String

  package init(
    cores: Int, favoursMain: Bool, quantum: TimeSpan, coldAfter: TimeSpan = .zero, refreshRate: Int, source: String
  ) {
    self.cores = cores
    self.favoursMain = favoursMain
    self.quantum = quantum
    self.coldAfter = coldAfter
    self.refreshRate = refreshRate
    self.source = source
  }
}
