import MachineCore

/// A thread of the simulated machine, which runs only while it holds the baton.
///
/// A strand is a coroutine with a stack of its own, because its code blocks deep inside calls: SQLite's busy handler,
/// nested `sync`.
// `@unchecked`: everything is accessed only with the baton.
package final class Strand: @unchecked Sendable {
  /// The number that identifies the strand in events, traces and reports; also its index in the scheduler's list.
  let number: Int
  let isMain: Bool

  /// The coroutine that runs the strand's code, or nil if the strand has never had the baton.
  var coroutine: Coroutine?

  /// The work that the strand begins when it next gets a core after being idle.
  var assignment: Assignment?
  /// True if the strand must end when it gets the baton.
  var isEnding = false

  /// The state of the strand in virtual time.
  var state = State.idle

  /// The CPU time that the strand owes for reported work, in picoseconds.
  var debt: Int64 = 0
  /// The CPU time that the strand has used up to `chargeBegan`, in nanoseconds.
  var cpu: Int64 = 0
  /// The part of the present charge that was not paid at `chargeBegan`, in nanoseconds; 0 while the strand has the
  /// baton.
  var remaining: Int64 = 0
  /// The instant from which the charge is paid on the present core; the present instant while the strand has the baton.
  var chargeBegan: Int64 = 0

  /// True if the strand has slept and has not begun a block since.
  var isCold = false
  /// The instant at which the strand fell asleep, and the time that it had slept when it was last woken, in
  /// nanoseconds.
  var sleepBegan: Int64 = 0
  var slept: Int64 = 0

  // The strand's core.
  var core = -1
  var grantInstant: Int64 = 0
  /// The number of the present grant of a core, or of the present wait; an event with another number is void.
  var ticket: UInt64 = 0
  /// The ticket of the grant for which there is an event at the end of a slice.
  var slicedTicket: UInt64 = 0
  /// True if the main strand waits for this one, directly or through others, and the device favours main.
  var isBoosted = false

  // The turn that the strand waits for.
  var turn: SimulatedTurn?
  var waitBegan: Int64 = 0

  /// The labels of the queues whose blocks or bodies the strand is running, outermost first; used in reports.
  var queues: [String] = []
  var activities = ActivityStack(role: .background)

  init(number: Int, isMain: Bool) {
    self.number = number
    self.isMain = isMain
  }

  enum State {
    /// The strand has no work.
    case idle
    /// The strand can run but has no core.
    case ready
    /// The strand holds a core.
    case running
    /// The strand waits for a turn.
    case parked
    /// The strand waits for an instant: a deadline, the end of storage, or the end of a wake-up's latency.
    case waiting
  }

  enum Assignment {
    /// The strand runs the blocks in line for a turn that it holds.
    case drain(SimulatedTurn)
    /// The strand runs the body of the machine's `run`.
    case drive(() -> Void)
  }

  /// True if the strand precedes others on a device that favours main.
  var isFavoured: Bool { isMain || isBoosted }
}
