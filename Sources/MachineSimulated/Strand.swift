import Dispatch
import Glibc
import MachineCore

/// A thread of the simulated machine: it runs only while it holds the baton.
///
/// A thread and not a coroutine, because what runs on it blocks deep inside calls: SQLite's busy handler, nested `sync`.
// `@unchecked`: everything but the semaphore is touched only by whoever holds the baton; semaphores hand that over.
final class Strand: @unchecked Sendable {
  /// Names the strand in events, traces and reports; also its place in the scheduler's list.
  let number: Int
  let isMain: Bool

  /// Where the strand's thread sleeps while another has the baton.
  let baton = DispatchSemaphore(value: 0)

  /// What the strand's thread is called by the system; set before the strand first gets the baton.
  var thread = pthread_t()
  var ownThread: OwnThread?

  /// What the strand runs when it next gets a core from being idle.
  var assignment: Assignment?
  /// Whether the thread is to end when it wakes.
  var isEnding = false

  /// What the strand is doing in virtual time.
  var state = State.idle

  /// CPU time that it owes for reported work, in picoseconds.
  var debt: Int64 = 0
  /// The CPU time that it has used up to `chargeBegan`, in nanoseconds.
  var cpu: Int64 = 0
  /// What was left of the charge under way at `chargeBegan`; 0 while the strand has the baton.
  var remaining: Int64 = 0
  /// Since when the charge has been paid on the present core; now, while the strand has the baton.
  var chargeBegan: Int64 = 0

  /// Whether the strand has slept and not begun a block since.
  var isCold = false
  /// When it fell asleep, and how long it had slept when it was last woken, in nanoseconds.
  var sleepBegan: Int64 = 0
  var slept: Int64 = 0

  // Its core.
  var core = -1
  var grantInstant: Int64 = 0
  /// The number of the grant of its core or of its wait; an event with another one is void.
  var ticket: UInt64 = 0
  /// The grant for whose end of slice there is an event.
  var slicedTicket: UInt64 = 0
  /// Whether main waits for it, directly or through others.
  var isBoosted = false

  // What it waits for.
  var turn: SimulatedTurn?
  var waitBegan: Int64 = 0

  /// The queues whose blocks or bodies the strand is running, outermost first: for reports.
  var queues: [String] = []
  var activities = ActivityStack(role: .importing)

  init(number: Int, isMain: Bool) {
    self.number = number
    self.isMain = isMain
  }

  enum State {
    /// Runs nothing and waits for nothing.
    case idle
    /// Could run, if it had a core.
    case ready
    /// Holds a core.
    case running
    /// Waits for a turn.
    case parked
    /// Waits for an instant: a deadline, or the end of storage.
    case waiting
  }

  enum Assignment {
    /// To run the blocks in line for a turn that it holds.
    case drain(SimulatedTurn)
    /// To run the body of the machine's `run`.
    case drive(() -> Void)
  }

  /// Whether it goes first where the device favours main.
  var isFavoured: Bool { isMain || isBoosted }
}
