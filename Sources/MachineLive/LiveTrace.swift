import MachineCore
import Synchronization

/// What the threads of a live machine do, kept in memory until the machine is at rest: a list for each thread.
///
/// A step costs a clock read, an uncontended lock and some 80 bytes, which the trial's own figures then contain: compare
/// traced trials with traced ones.
package final class LiveTrace: Sendable {
  fileprivate struct Step: Sendable {
    var instant: Instant
    var event: ScheduleEvent
  }

  /// What one thread did. Only that thread appends, others read once it is at rest; hence a lock that nobody waits for.
  final class ThreadSteps: Sendable {
    /// As events name the thread: 0 the main thread, 1 the driver.
    let number: Int
    fileprivate let owner: ObjectIdentifier
    fileprivate let steps = Guarded<[Step]>([])

    fileprivate init(number: Int, owner: ObjectIdentifier) {
      self.number = number
      self.owner = owner
    }
  }

  private struct Threads: Sendable {
    /// The numbers of threads by their tokens, of those too that have only been named so far.
    var numbers: [UInt: Int] = [:]
    var lists: [ThreadSteps] = []
  }

  private let threads = Guarded(Threads())
  private let lastQueue = Atomic<Int>(0)
  private let lastPost = Atomic<Int>(0)

  /// Makes a trace for one machine, on the thread that drives it.
  package init() {
    let driver = ThreadState.current.pointee.token
    threads.withLock { $0.numbers[driver] = 1 }
  }

  /// Feeds everything to a reader, in the order of time; of equal instants each thread's in its own order.
  ///
  /// Call it when the machine has stopped and its queues are empty. O(steps · log steps).
  package func replay(to reader: any ScheduleObserver) {
    let lists = threads.withLock { $0.lists }.sorted { $0.number < $1.number }
    var all: [(strand: Int, step: Step)] = []
    for list in lists { all += list.steps.withLock { $0 }.map { (list.number, $0) } }
    let order = all.indices.sorted { (all[$0].step.instant, $0) < (all[$1].step.instant, $1) }
    for index in order { reader.heard(all[index].step.event, strand: all[index].strand, at: all[index].step.instant) }
  }
}

// MARK: - Recording

extension LiveTrace {
  func begin(mainToken: UInt) {
    threads.withLock { $0.numbers[mainToken] = 0 }
  }

  func record(_ event: ScheduleEvent, at instant: Instant) {
    own(ThreadState.current).steps.withLock { $0.append(Step(instant: instant, event: event)) }
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
    // A thread of Dispatch may have served another machine before.
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
    // 0 and 1 are the main thread's and the driver's, whether or not they have been named.
    let number = max(2, threads.numbers.count)
    threads.numbers[token] = number
    return number
  }
}
