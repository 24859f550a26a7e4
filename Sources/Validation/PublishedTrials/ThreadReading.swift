import MachineCore
import Metrics

/// The totals of a machine's threads so far.
package struct ThreadReading: Hashable, Sendable {
  /// The CPU time of all threads.
  package var cpu: TimeSpan
  package var mainCPU: TimeSpan
  /// The work of all threads.
  package var work: WorkCounts
  /// The work of the main thread.
  package var mainWork: WorkCounts
}
