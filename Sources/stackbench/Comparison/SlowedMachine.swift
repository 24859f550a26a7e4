#if SLOWED_ENGINE
  import Glibc
  import MachineCore

  /// A live machine under which the engine takes 10 % more CPU: the fault that `make gate-power` must find.
  ///
  /// Only a build with `-Xswiftc -DSLOWED_ENGINE` has it. Whenever the outermost activity of the engine on a thread ends
  /// (an import's block, a fetch, a fault, a merge, a save, …), the thread computes for a tenth of the CPU that it used in
  /// between, still holding whatever it holds. Decoding and what a frame costs by itself are the app's and stay as they
  /// are.
  final class SlowedMachine: Machine {
    private static let percent: Int64 = 10
    /// Less is kept until more has come together: the shortest computation would be longer than a tenth of a fault.
    private static let leastSpin = Span.microseconds(100)

    private let machine: any Machine
    private let key: pthread_key_t

    init(_ machine: any Machine) {
      self.machine = machine
      var key = pthread_key_t()
      pthread_key_create(&key) { debt in
        debt?.assumingMemoryBound(to: Debt.self).deallocate()
      }
      self.key = key
    }

    /// What one thread has used and not yet been slowed for.
    private struct Debt {
      var openCount = 0
      var start = Span.zero
      var decodeStart = Span.zero
      var owed = Span.zero
    }

    private var debt: UnsafeMutablePointer<Debt> {
      if let known = pthread_getspecific(key) { return known.assumingMemoryBound(to: Debt.self) }
      let new = UnsafeMutablePointer<Debt>.allocate(capacity: 1)
      new.initialize(to: Debt())
      pthread_setspecific(key, new)
      return new
    }

    func begin(_ activity: Activity, of objectCount: Int, in context: String?) {
      machine.begin(activity, of: objectCount, in: context)
      guard activity != .frame else { return }
      let debt = debt
      if activity == .decode {
        debt.pointee.decodeStart = ProcessorClock.thread
      } else {
        if debt.pointee.openCount == 0 { debt.pointee.start = ProcessorClock.thread }
        debt.pointee.openCount += 1
      }
    }

    func end(_ activity: Activity) {
      defer { machine.end(activity) }
      guard activity != .frame else { return }
      let debt = debt
      if activity == .decode {
        // As if it had not been.
        debt.pointee.start = debt.pointee.start + (ProcessorClock.thread - debt.pointee.decodeStart)
        return
      }
      debt.pointee.openCount -= 1
      guard debt.pointee.openCount == 0 else { return }
      let now = ProcessorClock.thread
      let used = now - debt.pointee.start
      debt.pointee.owed = debt.pointee.owed + Span(nanoseconds: used.nanoseconds * SlowedMachine.percent / 100)
      guard debt.pointee.owed >= SlowedMachine.leastSpin else { return }
      ProcessorClock.spend(debt.pointee.owed)
      // A little more than was owed, as a rule.
      debt.pointee.owed = debt.pointee.owed - (ProcessorClock.thread - now)
    }

    var now: Instant { machine.now }
    var mainQueue: any SerialQueue { machine.mainQueue }
    func makeSerialQueue(label: String) -> any SerialQueue { machine.makeSerialQueue(label: label) }
    func makeLock(label: String) -> any MachineLock { machine.makeLock(label: label) }
    func account(_ work: Work) { machine.account(work) }
    func wait(until deadline: Instant) { machine.wait(until: deadline) }
    func note(_ note: TraceNote) { machine.note(note) }
    func note(objectCount: Int) { machine.note(objectCount: objectCount) }
    func note(statement: UnsafePointer<CChar>?, after unreported: () -> [Work]) {
      machine.note(statement: statement, after: unreported)
    }
  }
#endif
