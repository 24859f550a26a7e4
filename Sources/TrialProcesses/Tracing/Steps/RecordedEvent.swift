import MachineCore

/// An event of a machine's schedule with its thread and its instant.
package struct RecordedEvent {
  /// The event.
  package var event: ScheduleEvent
  /// The number of the thread.
  package var strand: Int
  /// The instant of the event.
  package var instant: Instant

  /// Creates a recorded event.
  package init(event: ScheduleEvent, strand: Int, instant: Instant) {
    self.event = event
    self.strand = strand
    self.instant = instant
  }
}
