import Glibc

/// A provider of queues, locks and time, which separates the measured code from the system on which it runs.
///
/// It is the first parameter of every initialiser that needs it. No member reveals whether a machine is live or
/// simulated, and the measured code never casts to a concrete machine: the engine reports the work that it did
/// (`account(_:)`), and not what the work costs.
public protocol Machine: AnyObject, Sendable {
  /// The current instant of the machine's monotonic clock.
  var now: Instant { get }

  /// The queue of the user interface. Its blocks always run on one dedicated thread, the main thread.
  var mainQueue: any SerialQueue { get }

  /// Makes a queue that runs one block at a time, in the order in which the blocks were posted.
  func makeSerialQueue(label: String) -> any SerialQueue

  /// Makes a lock that waiting threads get in the order in which they began to wait.
  func makeLock(label: String) -> any MachineLock

  /// Reports work that the calling thread did, and counts it for the thread's current role.
  ///
  /// Report work before you release the queue or lock under which it was done; otherwise virtual time shows no
  /// contention. Never blocks. Thread-safe.
  func account(_ work: Work)

  /// Blocks the caller until the clock reads `deadline`, or returns at once if the deadline has passed.
  func wait(until deadline: Instant)

  /// The recorder of the activities of the machine's threads.
  var recorder: any ActivityRecorder { get }

  /// The number of the calling thread, which no other thread of the machine has. The default is the system's identifier.
  var callingThread: UInt { get }
}

extension Machine {
  /// The system's identifier of the calling thread.
  public var callingThread: UInt { UInt(pthread_self()) }
}
