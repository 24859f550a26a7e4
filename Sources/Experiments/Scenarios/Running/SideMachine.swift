import MachineCore

/// The machine on which a side runs, with the calls that simulated and live machines answer differently.
struct SideMachine: Sendable {
  /// The machine.
  let machine: any Machine
  /// Records a step of a store's connection with a name on the calling thread.
  let note: @Sendable (ScheduleEvent.ConnectionStep, _ connection: String) -> Void
  /// Uses processor time on the calling thread.
  let spend: @Sendable (TimeSpan) -> Void
  /// Blocks the driver until everything that was posted has ended.
  ///
  /// Throws `LiveWatch.Deadlock` if threads of a live machine wait for each other in a circle. A simulated machine ends
  /// its run with a deadlock by itself.
  let rest: @Sendable () throws -> Void
}
