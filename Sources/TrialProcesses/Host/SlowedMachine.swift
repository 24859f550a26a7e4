#if DEBUG || SLOWED_ENGINE
  import Glibc
  import MachineCore

  /// A live machine under which the engine takes 10 % more CPU: the fault that `make gate-power` must find.
  ///
  /// Only a build with `-Xswiftc -DSLOWED_ENGINE` runs on it. Debug builds have it for its test. At the end of blocks of a
  /// queue, while it still holds the queue, the thread computes for a tenth of the CPU that it has used. Frames and
  /// decoding belong to the app and stay as they are.
  final class SlowedMachine: Machine {
    private let machine: any Machine
    private let slowdown: Slowdown
    let mainQueue: any SerialQueue

    init(_ machine: any Machine) {
      self.machine = machine
      let slowdown = Slowdown(machine)
      self.slowdown = slowdown
      mainQueue = SlowedSerialQueue(machine.mainQueue, slowdown)
    }

    func makeSerialQueue(label: String) -> any SerialQueue {
      SlowedSerialQueue(machine.makeSerialQueue(label: label), slowdown)
    }

    func begin(_ activity: Activity, of objectCount: Int, in context: String?) {
      machine.begin(activity, of: objectCount, in: context)
      slowdown.begin(activity)
    }

    func end(_ activity: Activity) {
      slowdown.end(activity)
      machine.end(activity)
    }

    var now: Instant { machine.now }
    func makeLock(label: String) -> any MachineLock { machine.makeLock(label: label) }
    func account(_ work: Work) { machine.account(work) }
    func wait(until deadline: Instant) { machine.wait(until: deadline) }
    func note(_ note: TraceNote) { machine.note(note) }
    func note(objectCount: Int) { machine.note(objectCount: objectCount) }
    func note(statement: UnsafePointer<CChar>?, after unreported: () -> [Work]) {
      machine.note(statement: statement, after: unreported)
    }
  }

  /// A queue of that machine.
  private final class SlowedSerialQueue: SerialQueue {
    private let queue: any SerialQueue
    private let slowdown: Slowdown

    init(_ queue: any SerialQueue, _ slowdown: Slowdown) {
      self.queue = queue
      self.slowdown = slowdown
    }

    var label: String { queue.label }
    var isCurrent: Bool { queue.isCurrent }

    func async(_ body: @escaping @Sendable () -> Void) {
      queue.async { [slowdown] in slowdown.run(body) }
    }

    func async(at deadline: Instant, _ body: @escaping @Sendable () -> Void) {
      queue.async(at: deadline) { [slowdown] in slowdown.run(body) }
    }

    func sync<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
      try queue.sync { () throws(Failure) -> Result in try slowdown.run(body) }
    }
  }

  /// Makes each thread use a tenth more CPU than the engine used on it.
  ///
  /// A look at a thread's CPU clock costs as much as a tenth of a short block, so a thread looks, and pays, when
  /// enough short ones have come together. What it used between its blocks, to sleep and to wake up, is not the engine's: it
  /// pays for no more than the time that its blocks took by the machine's clock, which is cheap to read.
  private final class Slowdown: Sendable {
    private static let percent: Int64 = 10
    private static let time = Span.microseconds(500)

    private let machine: any Machine
    private let key: pthread_key_t

    init(_ machine: any Machine) {
      self.machine = machine
      var key = pthread_key_t()
      pthread_key_create(&key) { $0?.deallocate() }
      self.key = key
    }

    /// What one thread has used since it paid last, and what it has still to pay.
    private struct Account {
      /// The thread's CPU clock then.
      var mark: Span
      /// How long blocks took since then, and how many are open.
      var blockTime = Span.zero
      var openCount = 0
      /// How much of that since then was not the engine's.
      var excluded = Span.zero
      var exclusionStart = Span.zero
      /// The CPU time that it still has to pay for earlier blocks. It is negative after a payment that took too long.
      var debt = Span.zero
    }

    private var account: UnsafeMutablePointer<Account> {
      if let known = pthread_getspecific(key) { return known.assumingMemoryBound(to: Account.self) }
      let new = UnsafeMutablePointer<Account>.allocate(capacity: 1)
      new.initialize(to: Account(mark: ProcessorClock.thread))
      pthread_setspecific(key, new)
      return new
    }

    func begin(_ activity: Activity) {
      guard activity == .frame || activity == .decode else { return }
      account.pointee.exclusionStart = ProcessorClock.thread
    }

    func end(_ activity: Activity) {
      guard activity == .frame || activity == .decode else { return }
      let account = account
      account.pointee.excluded = account.pointee.excluded + (ProcessorClock.thread - account.pointee.exclusionStart)
    }

    /// Runs a block and pays for it, before its queue is given back.
    func run<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
      let account = account
      let start = machine.now
      account.pointee.openCount += 1
      defer {
        account.pointee.openCount -= 1
        // Of blocks inside blocks, the outermost tells the time.
        if account.pointee.openCount == 0 { pay(account, since: start) }
      }
      return try body()
    }

    private func pay(_ account: UnsafeMutablePointer<Account>, since blockStart: Instant) {
      account.pointee.blockTime = account.pointee.blockTime + (machine.now - blockStart)
      guard account.pointee.blockTime >= Slowdown.time else { return }
      let start = ProcessorClock.thread
      let used = min(start - account.pointee.mark, account.pointee.blockTime) - account.pointee.excluded
      let debt = account.pointee.debt + Span(nanoseconds: used.nanoseconds * Slowdown.percent / 100)
      ProcessorClock.spend(debt)
      let end = ProcessorClock.thread
      account.pointee = Account(mark: end, debt: debt - (end - start))
    }
  }
#endif
