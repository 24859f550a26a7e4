import ContextEngine
import MachineCore
import Metrics

/// What a trial needs and the seam does not give: chosen by whoever knows the machine.
package struct TrialInstruments: Sendable {
  /// Opens the store at a path, making it where there is none.
  package var openStore:
    @Sendable (_ machine: any Machine, _ model: ManagedObjectModel, _ path: String, _ options: RunOptions)
      throws(PersistenceError) -> any PersistentStore
  package var heap: any HeapMeter
  /// How long the calling thread has been runnable and not run; nil where that is not known.
  package var runQueueWait: @Sendable () -> Span?
  /// The CPU time of the process, or of all simulated threads.
  package var processCPU: @Sendable () -> Span
  /// Spends this much CPU on the calling thread.
  package var spendCPU: @Sendable (Span) -> Void
  /// Does the yardstick's work on the calling thread and returns how much CPU that took. It is nil where the speed never
  /// changes.
  package var yardstick: (@Sendable () -> Span)?
  /// The CPU time that a hypervisor has taken from this computer so far, or nil where that is not known.
  package var stolenTime: @Sendable () -> Span? = { nil }
  /// Ends the process on the spot, as a crash does; nil where the machine lets nothing else run while a block does.
  package var endProcess: (@Sendable () -> Never)?
  /// Hears what was measured, once the window has ended; for traces.
  package var didMeasure: @Sendable (TrialLedgers, FrameTimeline, Window) -> Void = { _, _, _ in }
  /// Gets every context as soon as the stack has made it, on whatever queue that happens; tests make the engine worse
  /// here, to see whether anybody notices.
  package var didMakeContext: @Sendable (ManagedObjectContext) -> Void = { _ in }

  package init(
    openStore:
      @escaping @Sendable (any Machine, ManagedObjectModel, String, RunOptions) throws(PersistenceError)
      -> any PersistentStore,
    heap: any HeapMeter, runQueueWait: @escaping @Sendable () -> Span?, processCPU: @escaping @Sendable () -> Span,
    spendCPU: @escaping @Sendable (Span) -> Void, endProcess: (@Sendable () -> Never)? = nil
  ) {
    self.openStore = openStore
    self.heap = heap
    self.runQueueWait = runQueueWait
    self.processCPU = processCPU
    self.spendCPU = spendCPU
    self.endProcess = endProcess
  }
}

/// Measures the heap of a trial. Thread-safe.
package protocol HeapMeter: Sendable {
  /// Told of the stack that is opened next, before any of its contexts is made; most meters need not know.
  func watch(_ footprint: MemoryFootprint)
  /// What is allocated now does not count from here on.
  func openWindow()
  /// Looks now; called where a peak is likely, beside what the meter does by itself.
  func sample()
  /// Ends measuring; nil where the heap cannot be measured.
  func closeWindow() -> HeapFigures?
}

extension HeapMeter {
  package func watch(_ footprint: MemoryFootprint) {}
}

package struct HeapFigures: Hashable, Sendable {
  /// The most that was allocated at one time beyond what was there when the window opened.
  package var peakBytes: Int
  /// Everything that was allocated, freed or not.
  package var allocatedBytes: Int

  package init(peakBytes: Int, allocatedBytes: Int) {
    self.peakBytes = peakBytes
    self.allocatedBytes = allocatedBytes
  }
}
