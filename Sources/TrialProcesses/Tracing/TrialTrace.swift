import ContextEngine
import MachineCore
import MachineSimulated
import Metrics

/// An observer of a whole trial, which receives the schedule of the machine and the measurements.
package protocol TrialTrace: ScheduleObserver {
  /// Receives the measurements at the end of the window.
  func didMeasure(_ ledgers: TrialLedgers, _ frames: FrameTimeline, _ window: Window)

  /// Receives the memory footprint of a stack, before the stack's first context is made.
  func watch(_ footprint: MemoryFootprint)
}

extension TrialTrace {
  package func watch(_ footprint: MemoryFootprint) {}
}
