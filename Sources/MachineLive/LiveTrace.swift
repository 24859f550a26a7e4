import MachineCore
import Synchronization

/// A record of the steps of a live machine's threads, kept in memory until the machine is at rest, with a list for each
/// thread. Alternatively, a reader gets each step at once.
///
/// A step costs a clock read, an uncontended lock and some 80 bytes. The figures of the trial include these costs, so
/// compare traced trials only with traced ones.
package final class LiveTrace: Sendable {
  fileprivate struct Step: Sendable {
    var instant: Instant
    var event: ScheduleEvent
  }

  /// The steps of one thread. Only that thread appends, and others read when it is at rest, so that no thread waits for
  /// the lock.
  final class ThreadSteps: Sendable {
    /// The number that identifies the thread in events: 0 for the main thread, 1 for the driver.
    let number: Int
    fileprivate let owner: ObjectIdentifier
    fileprivate let steps = Guarded<[Step]>([])

    fileprivate init(number: Int, owner: ObjectIdentifier) {
      self.number = number
      self.owner = owner
    }
  }

  private struct Threads: Sendable {
    /// The numbers of threads by their tokens, including threads that have not recorded a step yet.
    var numbers: [UInt: Int] = [:]
    var lists: [ThreadSteps] = []
  }

  private let threads = Guarded(Threads())
  private let lastQueue = Atomic<Int>(0)
  private let lastPost = Atomic<Int>(0)
  private let reader: (any ScheduleObserver)?

  /// Creates a trace for one machine. Call it on the thread that drives the machine.
  ///
  /// - Parameter reader: A reader that each thread calls with each of its steps, or nil to keep the steps. Several
  ///   threads can call it at once.
  package init(passingTo reader: (any ScheduleObserver)? = nil) {
    self.reader = reader
    let driver = ThreadState.current.pointee.token
    threads.withLock { $0.numbers[driver] = 1 }
  }

  /// Passes all events to a reader in the order of time. Events at equal instants are ordered by the number of their
  /// thread, then in the order of that thread.
  ///
  /// Call it when the machine has stopped and its queues are empty. O(steps · log steps).
  package func replay(to reader: any ScheduleObserver) {
    let lists = threads.withLock { $0.lists }.sorted { $0.number < $1.number }
    var all: [(strand: Int, step: Step)] = []
    for list in lists { all += list.steps.withLock { $0 }.map { (list.number, $0) } }
    let order = all.indices.sorted { (all[$0].step.instant, $0) < (all[$1].step.instant, $1) }
    for index in order { reader.record(all[index].step.event, strand: all[index].strand, at: all[index].step.instant) }
  }
}

// MARK: - Recording

extension LiveTrace {
  func begin(mainToken: UInt) {
    threads.withLock { $0.numbers[mainToken] = 0 }
  }

  func record(_ event: ScheduleEvent, at instant: Instant) {
    let own = own(ThreadState.current)
    if let reader { return reader.record(event, strand: own.number, at: instant) }
    own.steps.withLock { $0.append(Step(instant: instant, event: event)) }
  }

  func makeQueue(label: String) -> ScheduleQueue {
    ScheduleQueue(label: label, number: lastQueue.wrappingAdd(1, ordering: .relaxed).newValue)
  }

  func makePostNumber() -> Int {
    lastPost.wrappingAdd(1, ordering: .relaxed).newValue
  }

  func number(of thread: ThreadState.Pointer) -> Int { own(thread).number }

  func number(ofToken token: UInt) -> Int {
    threads.withLock { Self.number(ofToken: token, &$0) }
  }

  private func own(_ thread: ThreadState.Pointer) -> ThreadSteps {
    // A Dispatch thread may have served another machine before.
    if let steps = thread.pointee.steps, steps.owner == ObjectIdentifier(self) { return steps }
    let token = thread.pointee.token
    let steps = threads.withLock { threads in
      let made = ThreadSteps(number: Self.number(ofToken: token, &threads), owner: ObjectIdentifier(self))
      threads.lists.append(made)
      return made
    }
    thread.pointee.steps = steps
    return steps
  }

  private static func number(ofToken token: UInt, _ threads: inout Threads) -> Int {
    if let known = threads.numbers[token] { return known }
    // The numbers 0 and 1 belong to the main thread and the driver, even before they have been named.
    let number = max(2, threads.numbers.count)
    threads.numbers[token] = number
    return number
  }
}
