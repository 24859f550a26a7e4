import MachineCore
import Metrics

/// The totals that a machine's threads have come to so far.
package struct ThreadReading: Hashable, Sendable {
  /// CPU time of all threads.
  package var cpu: Span
  package var mainCPU: Span
  /// The work of all threads.
  package var work: WorkCounts
  /// The part of it that the main thread did.
  package var mainWork: WorkCounts

  package init(cpu: Span, mainCPU: Span, work: WorkCounts, mainWork: WorkCounts) {
    self.cpu = cpu
    self.mainCPU = mainCPU
    self.work = work
    self.mainWork = mainWork
  }
}
