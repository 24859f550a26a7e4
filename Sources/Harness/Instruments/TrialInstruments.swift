import ContextEngine
import Foundation
import MachineCore
import Metrics
import Workloads

/// The functions that a trial needs in addition to its machine. They depend on the kind of machine.
package struct TrialInstruments: Sendable {
  /// Opens the store at a path, and creates it if it does not exist.
  package var openStore:
    @Sendable (_ machine: any Machine, _ model: ManagedObjectModel, _ path: String, _ options: RunOptions)
      throws(PersistenceError) -> any PersistentStore
  package var heap: any HeapMeter
  /// Opens the workload in a folder.
  package var openWorkload: @Sendable (URL) throws(WorkloadError) -> WorkloadArchive = {
    (folder) throws(WorkloadError) in try WorkloadArchive(opening: folder)
  }
  /// The count to which the stores add. `openStore` passes it to them.
  package let busyRetries: BusyRetries
  /// Returns the time that the calling thread has been runnable without a core, or nil if it is not known.
  package var runQueueWait: @Sendable () -> TimeSpan?
  /// Returns the CPU time of the process, or of all simulated threads.
  package var processCPU: @Sendable () -> TimeSpan
  /// Uses CPU time on the calling thread.
  package var spendCPU: @Sendable (TimeSpan) -> Void
  /// Does the yardstick's work on the calling thread and returns the CPU time that it took. It is nil if the speed of
  /// the machine never changes.
  package var yardstick: (@Sendable () -> TimeSpan)?
  /// Returns the CPU time that a hypervisor has taken from this computer so far, or nil if it is not known.
  package var stolenTime: @Sendable () -> TimeSpan? = { nil }
  /// Returns the resources that this process uses, and the number of objects that are registered in some contexts. It is
  /// nil if the machine shares its process with others.
  package var resources: (@Sendable ([ManagedObjectContext]) -> ProcessResources)?
  /// Ends the process at once, as a crash does. It is nil if the machine runs one block at a time.
  package var endProcess: (@Sendable () -> Never)?
  /// The faults of the stores that are opened with `RunOptions.fileFault`, or nil if the instruments have none.
  package var faults: (any StoreFaults)?
  /// Starts the process of the import of a trial, which sends its reports to `receive` on any thread. It is nil if the
  /// machine has only one process.
  package var startImportProcess:
    (@Sendable (_ plan: TrialPlan, _ receive: @escaping @Sendable (ImportReport) -> Void) throws -> any ImportProcess)?
  /// The virtual time after which a trial counts as one that does not end, or nil on the live machine.
  package var virtualTimeLimit: TimeSpan?
  /// Receives the measurements once the window has ended. Traces use it.
  package var didMeasure: @Sendable (TrialLedgers, FrameTimeline, Window) -> Void = { _, _, _ in }
  /// Receives every context as soon as the stack has made it, on the queue on which it was made.
  package var didMakeContext: @Sendable (ManagedObjectContext) -> Void = { _ in }

  package init(
    openStore:
      @escaping @Sendable (any Machine, ManagedObjectModel, String, RunOptions) throws(PersistenceError)
      -> any PersistentStore,
    heap: any HeapMeter, busyRetries: BusyRetries = BusyRetries(), runQueueWait: @escaping @Sendable () -> TimeSpan?,
    processCPU: @escaping @Sendable () -> TimeSpan,
    spendCPU: @escaping @Sendable (TimeSpan) -> Void, endProcess: (@Sendable () -> Never)? = nil
  ) {
    self.openStore = openStore
    self.heap = heap
    self.busyRetries = busyRetries
    self.runQueueWait = runQueueWait
    self.processCPU = processCPU
    self.spendCPU = spendCPU
    self.endProcess = endProcess
  }
}

/// Measures the heap of a trial. Thread-safe.
package protocol HeapMeter: Sendable {
  /// Receives the memory footprint of the stack that is opened next, before its contexts are made. Most meters ignore
  /// it.
  func watch(_ footprint: MemoryFootprint)
  /// Begins to measure. Memory that is allocated at this time does not count.
  func openWindow()
  /// Takes a sample. It is called when a peak is likely, in addition to the meter's own samples.
  func sample()
  /// Ends measuring and returns the figures, or nil if the heap cannot be measured.
  func closeWindow() -> HeapFigures?
}

extension HeapMeter {
  package func watch(_ footprint: MemoryFootprint) {}
}

package struct HeapFigures: Codable, Hashable, Sendable {
  /// The largest number of bytes that were allocated at one time, less those allocated when the window opened.
  package var peakBytes: Int
  /// The number of bytes that were allocated, including those that were freed.
  package var allocatedBytes: Int

  package init(peakBytes: Int, allocatedBytes: Int) {
    self.peakBytes = peakBytes
    self.allocatedBytes = allocatedBytes
  }

  /// Returns the sums of the figures of two processes. The sum of the peaks is at least the peak of both together.
  static func + (first: HeapFigures, second: HeapFigures?) -> HeapFigures {
    HeapFigures(
      peakBytes: first.peakBytes + (second?.peakBytes ?? 0),
      allocatedBytes: first.allocatedBytes + (second?.allocatedBytes ?? 0))
  }
}
