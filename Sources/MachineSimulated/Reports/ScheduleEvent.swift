import MachineCore

/// What a simulated machine did: one step of its schedule trace.
package enum ScheduleEvent: Hashable, Sendable {
  /// A block, or the body of a `sync`, begins on the strand.
  case bodyBegan(queue: String, role: WorkRole, isPosted: Bool)
  case bodyEnded(queue: String)
  case activityBegan(Activity)
  case activityEnded(Activity)
  /// The strand parks; the holder is who has what it waits for, if anybody.
  case waitBegan(for: String, holder: Int?)
  case waitEnded
  /// The strand got a core of the simulated device.
  case coreTaken(Int)
  case coreLeft(Int)
  case storageBegan
  case storageEnded
  case posted(queue: String, role: WorkRole, due: Instant?)
  case worked(Work, role: WorkRole)
}

/// Hears what a simulated machine does, on whichever strand does it, one call at a time, in the order of virtual time.
package protocol ScheduleObserver: AnyObject, Sendable {
  /// - Parameter strand: 0 is the main thread, 1 the driver.
  func heard(_ event: ScheduleEvent, strand: Int, at instant: Instant)
}
