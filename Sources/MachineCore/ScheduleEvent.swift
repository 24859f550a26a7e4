/// What a machine did: one step of its schedule trace.
package enum ScheduleEvent: Hashable, Sendable {
  /// A block, or the body of a `sync`, begins on the strand.
  case bodyBegan(queue: ScheduleQueue, role: WorkRole, cause: BodyCause)
  case bodyEnded(queue: ScheduleQueue)
  case activityBegan(Activity)
  case activityEnded(Activity)
  /// The strand parks; the holder is who has what it waits for, if anybody.
  case waitBegan(for: String, holder: Int?)
  case waitEnded
  /// The strand got a core of the simulated device; not told on a live machine, as nothing of storage is.
  case coreTaken(Int)
  case coreLeft(Int)
  case storageBegan
  case storageEnded
  /// Posts are numbered from 1, so that a block can be led back to who posted it.
  case posted(queue: ScheduleQueue, number: Int, role: WorkRole, due: Instant?)
  case worked(Work, role: WorkRole)
  /// What a store's connection of that name does on the strand; only where somebody tells the machine.
  case connection(String, ConnectionStep)
  case noted(TraceNote)

  /// Why a body runs.
  package enum BodyCause: Hashable, Sendable {
    /// It was the post with this number.
    case post(Int)
    /// The strand, or another that is parked meanwhile, called `sync`.
    case call(from: Int)
  }

  package enum ConnectionStep: Hashable, Sendable {
    /// A request has the connection from here on.
    case taken
    case statement(String)
    /// The request has done its work.
    case left
  }
}

/// A queue as the trace names it: labels need not be unique, numbers are.
package struct ScheduleQueue: Hashable, Sendable {
  package let label: String
  package let number: Int

  package init(label: String, number: Int) {
    self.label = label
    self.number = number
  }
}

/// Hears what a machine does, one call at a time: a simulated one on whichever strand does it, a live one once it is at rest.
///
/// A strand is a thread. Instants of one strand, and of the bodies of one queue, never decrease. Those of two strands may: a strand that owes
/// for work runs ahead of the clock until it pays.
package protocol ScheduleObserver: AnyObject, Sendable {
  /// - Parameter strand: 0 is the main thread, 1 the driver.
  func heard(_ event: ScheduleEvent, strand: Int, at instant: Instant)
}
