/// One event in the schedule of a machine.
package enum ScheduleEvent: Hashable, Sendable {
  /// The strand begins a block or the body of a `sync`.
  case bodyBegan(queue: ScheduleQueue, role: WorkRole, cause: BodyCause)
  case bodyEnded(queue: ScheduleQueue)
  case activityBegan(Activity)
  case activityEnded(Activity)
  /// The strand begins to wait for the queue or lock with this label, or for the clock. The holder is the number of the
  /// strand that has the queue or lock, or nil if there is no such strand.
  case waitBegan(for: String, holder: Int?)
  case waitEnded
  /// The strand got a core of the simulated device. A live machine reports no events of cores or storage.
  case coreTaken(Int)
  case coreLeft(Int)
  case storageBegan
  case storageEnded
  /// The strand posted a block. Posts are numbered from 1, so that a block can be traced back to its post.
  case posted(queue: ScheduleQueue, number: Int, role: WorkRole, due: Instant?)
  case worked(Work, role: WorkRole)
  /// A connection of a store takes a step on the strand. The event occurs only if the machine gets a note of it.
  case connection(String, ConnectionStep)
  case noted(TraceNote)

  /// The reason for which a body runs.
  package enum BodyCause: Hashable, Sendable {
    /// A strand posted the body, under this number.
    case post(Int)
    /// A strand called `sync`: the strand that runs the body, or one that is parked while the body runs.
    case call(from: Int)
  }

  package enum ConnectionStep: Hashable, Sendable {
    /// A request takes the connection.
    case taken
    case statement(String)
    /// The request has done its work and gives the connection back.
    case left
  }
}

/// The label and the number of a queue in a trace. Numbers are unique; labels need not be.
package struct ScheduleQueue: Hashable, Sendable {
  package let label: String
  package let number: Int

  package init(label: String, number: Int) {
    self.label = label
    self.number = number
  }
}

/// An observer of the schedule of a machine, which is called for one event at a time.
///
/// A simulated machine calls it on the strand that causes the event, and a live machine after it has come to rest. Only
/// an observer that asks a live machine for each event at once is called by several threads. A strand is a thread. The
/// instants of one strand, and of the bodies of one queue, never decrease. The instants of different strands may: a
/// strand that owes time for its work runs ahead of the clock until it pays.
package protocol ScheduleObserver: AnyObject, Sendable {
  /// Receives an event of a strand.
  ///
  /// - Parameters:
  ///   - event: The event.
  ///   - strand: The number of the strand: 0 for the main thread, 1 for the driver's thread.
  ///   - instant: The instant of the event.
  func record(_ event: ScheduleEvent, strand: Int, at instant: Instant)
}
