import ContextEngine
import MachineCore

/// The functions that a calibration needs in addition to its machine: stores that report pages and syncs, and the
/// clocks of one thread.
package struct CalibrationInstruments: Sendable {
  /// The options of a store that determine the cost of a commit.
  package enum Durability: Hashable, Sendable {
    /// A commit does not wait for storage, as in a run with default options.
    case normal
    /// Each commit syncs the file.
    case synced
    /// Each commit flushes the drive's cache.
    case flushed
  }

  /// Opens the store at a path, and creates it if it does not exist. It reports pages and syncs as work, and really
  /// syncs.
  package var openStore:
    @Sendable (_ machine: any Machine, _ model: ManagedObjectModel, _ path: String, _ durability: Durability)
      throws(PersistenceError) -> any PersistentStore
  package var threadCPU: @Sendable () -> TimeSpan
  package var processCPU: @Sendable () -> TimeSpan
  /// Returns the time that the calling thread has been runnable without a core, or nil if it is not known.
  package var runQueueWait: @Sendable () -> TimeSpan?
  /// Does the yardstick's work on the calling thread and returns the CPU time that it took. It is nil if the speed of
  /// the machine never changes.
  package var yardstick: (@Sendable () -> TimeSpan)?
}
