import Glibc
import Harness
import MachineCore

/// A machine on which the engine takes 10 % more CPU time: the regression that `make gate-power` must find.
///
/// Only a build with `-Xswiftc -DSLOWED_ENGINE` runs on it. At the end of blocks, while a thread still holds the queue,
/// it computes for a tenth of the CPU time that it has used. Frames and decoding belong to the app and do not take
/// longer.
final class SlowedMachine: Machine {
  private let machine: any Machine
  private let slowdown: Slowdown
  let mainQueue: any SerialQueue

  init(_ machine: any Machine) {
    self.machine = machine
    let slowdown = Slowdown(machine)
    self.slowdown = slowdown
    mainQueue = SlowedSerialQueue(machine.mainQueue, slowdown: slowdown)
  }

  func makeSerialQueue(label: String) -> any SerialQueue {
    SlowedSerialQueue(machine.makeSerialQueue(label: label), slowdown: slowdown)
  }

  var recorder: any ActivityRecorder { slowdown }
  var now: Instant { machine.now }
  func makeLock(label: String) -> any MachineLock { machine.makeLock(label: label) }
  func account(_ work: Work) { machine.account(work) }
  func wait(until deadline: Instant) { machine.wait(until: deadline) }
}

/// A queue of a slowed machine.
private final class SlowedSerialQueue: SerialQueue {
  private let queue: any SerialQueue
  private let slowdown: Slowdown

  init(_ queue: any SerialQueue, slowdown: Slowdown) {
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

/// Makes each thread use a tenth more CPU time than the engine used on it.
///
/// Reading a thread's CPU clock costs as much as a tenth of a short block. A thread therefore reads the clock, and
/// computes for what it owes, only after its blocks have taken 500 µs. The CPU time between blocks, for sleeping and
/// waking up, does not belong to the engine, so a thread owes at most a tenth of the time that its blocks took by the
/// machine's clock, which is cheap to read.
private final class Slowdown: ActivityRecorder {
  private static let percent: Int64 = 10
  private static let time = TimeSpan.microseconds(500)

  private let machine: any Machine
  private let recorder: any ActivityRecorder
  private let key: pthread_key_t

  init(_ machine: any Machine) {
    self.machine = machine
    recorder = machine.recorder
    var key = pthread_key_t()
    pthread_key_create(&key) { $0?.deallocate() }
    self.key = key
  }

  /// The CPU time that one thread has used since its last payment, and the time that it still owes.
  private struct Account {
    /// The reading of the thread's CPU clock at its last payment.
    var mark: TimeSpan
    /// The time that blocks took since the last payment, by the machine's clock.
    var blockTime = TimeSpan.zero
    /// The number of blocks that have not ended.
    var openCount = 0
    /// The CPU time since the last payment that did not belong to the engine.
    var excluded = TimeSpan.zero
    /// The reading of the thread's CPU clock at the beginning of the frame or decoding that is excluded.
    var exclusionStart = TimeSpan.zero
    /// The CPU time that the thread still owes for earlier blocks. It is negative after a payment that took too long.
    var debt = TimeSpan.zero
  }

  private var account: UnsafeMutablePointer<Account> {
    if let known = pthread_getspecific(key) { return known.assumingMemoryBound(to: Account.self) }
    let new = UnsafeMutablePointer<Account>.allocate(capacity: 1)
    new.initialize(to: Account(mark: ProcessorClock.thread))
    pthread_setspecific(key, new)
    return new
  }

  func begin(_ activity: Activity, of objectCount: Int, in context: String?) {
    recorder.begin(activity, of: objectCount, in: context)
    guard activity == .frame || activity == .decode else { return }
    account.pointee.exclusionStart = ProcessorClock.thread
  }

  func end(_ activity: Activity) {
    defer { recorder.end(activity) }
    guard activity == .frame || activity == .decode else { return }
    let account = account
    account.pointee.excluded = account.pointee.excluded + (ProcessorClock.thread - account.pointee.exclusionStart)
  }

  func add(objectCount: Int) { recorder.add(objectCount: objectCount) }
  func add(_ note: TraceNote) { recorder.add(note) }
  func begin(_ statement: RunningStatement?, after unreported: () -> [Work]) {
    recorder.begin(statement, after: unreported)
  }

  /// Runs a block and, while its queue is still held, computes for the time that the thread owes.
  func run<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    let account = account
    let start = machine.now
    account.pointee.openCount += 1
    defer {
      account.pointee.openCount -= 1
      // Nested blocks count as a part of the outermost block.
      if account.pointee.openCount == 0 { pay(account, since: start) }
    }
    return try body()
  }

  private func pay(_ account: UnsafeMutablePointer<Account>, since blockStart: Instant) {
    account.pointee.blockTime = account.pointee.blockTime + (machine.now - blockStart)
    guard account.pointee.blockTime >= Slowdown.time else { return }
    let start = ProcessorClock.thread
    let used = min(start - account.pointee.mark, account.pointee.blockTime) - account.pointee.excluded
    let debt = account.pointee.debt + TimeSpan(nanoseconds: used.nanoseconds * Slowdown.percent / 100)
    ProcessorClock.spend(debt)
    let end = ProcessorClock.thread
    account.pointee = Account(mark: end, debt: debt - (end - start))
  }
}
