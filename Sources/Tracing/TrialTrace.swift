import ContextEngine
import MachineCore
import MachineSimulated
import Metrics

/// An observer of a whole trial: it gets the schedule of the machine, and at the end of the window the measurements.
package protocol TrialTrace: ScheduleObserver {
  /// Takes what was measured, at the end of the window.
  func didMeasure(_ ledgers: TrialLedgers, _ frames: FrameTimeline, _ window: Window)

  /// Takes the memory of a stack, before the first of its contexts is made.
  func watch(_ footprint: MemoryFootprint)
}

extension TrialTrace {
  package func watch(_ footprint: MemoryFootprint) {}
}
