import ContextEngine
import MachineCore

/// What calibration needs and the seam does not give: stores that report pages and syncs, and the clocks of one thread.
package struct CalibrationInstruments: Sendable {
  /// How a store is opened: what of it matters for what a commit costs.
  package enum Durability: Hashable, Sendable {
    /// As a run's store is unless told otherwise: a commit waits for nothing.
    case normal
    /// Each commit syncs.
    case synced
    /// Each commit flushes the drive's cache.
    case flushed
  }

  /// Opens the store at a path, making it where there is none; pages and syncs are reported as work and take place.
  package var openStore:
    @Sendable (_ machine: any Machine, _ model: ManagedObjectModel, _ path: String, _ durability: Durability)
      throws(PersistenceError) -> any PersistentStore
  package var threadCPU: @Sendable () -> Span
  package var processCPU: @Sendable () -> Span
  /// How long the calling thread has been runnable and not run; nil where that is not known.
  package var runQueueWait: @Sendable () -> Span?
  /// Does the yardstick's work on the calling thread and returns how much CPU time that took; nil where speed never
  /// changes.
  package var yardstick: (@Sendable () -> Span)?

  package init(
    openStore:
      @escaping @Sendable (any Machine, ManagedObjectModel, String, Durability) throws(PersistenceError)
      -> any PersistentStore,
    threadCPU: @escaping @Sendable () -> Span, processCPU: @escaping @Sendable () -> Span,
    runQueueWait: @escaping @Sendable () -> Span?, yardstick: (@Sendable () -> Span)? = nil
  ) {
    self.openStore = openStore
    self.threadCPU = threadCPU
    self.processCPU = processCPU
    self.runQueueWait = runQueueWait
    self.yardstick = yardstick
  }
}
