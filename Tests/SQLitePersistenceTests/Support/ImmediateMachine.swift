import Foundation
import MachineCore

/// A machine without queues, whose clock advances in waits only. Its locks are real, so that threads may share it.
final class ImmediateMachine: Machine {
  let ledger = WorkLedger()
  private let clock = Guarded<Int64>(0)
  private let held = HeldLocks()
  private let log = Guarded<[String]?>(nil)
  private let waitCount = Guarded(0)
  private let unlockedReports = Guarded(0)
  private let onWait: (@Sendable (_ count: Int) -> Void)?
  private let onAccount: (@Sendable (_ work: Work) -> Void)?

  /// - Parameters:
  ///   - onWait: A closure that is called in every wait, with the number of waits so far.
  ///   - onAccount: A closure that is called with all work that is reported.
  init(
    onWait: (@Sendable (_ count: Int) -> Void)? = nil, onAccount: (@Sendable (_ work: Work) -> Void)? = nil
  ) {
    self.onWait = onWait
    self.onAccount = onAccount
  }

  /// The number of waits for an instant.
  var waits: Int { waitCount.withLock { $0 } }
  /// The number of reports by threads that held no lock.
  var reportsOutsideLocks: Int { unlockedReports.withLock { $0 } }

  /// Keeps the events from now on, for `takeLog`.
  func beginLog() {
    log.withLock { $0 = [] }
  }

  func note(_ event: String) {
    log.withLock { $0?.append(event) }
  }

  func takeLog() -> [String] {
    log.withLock { entries in
      defer { entries = nil }
      return entries ?? []
    }
  }

  var now: Instant {
    note("now")
    return Instant(nanoseconds: clock.withLock { $0 })
  }

  func account(_ work: Work) {
    note("account \(work.kind) \(work.count)")
    if !held.isAnyHeldByThisThread { unlockedReports.withLock { $0 += 1 } }
    ledger.add(work, for: .background)
    onAccount?(work)
  }

  func wait(until deadline: Instant) {
    let span = clock.withLock { now in
      defer { now = max(now, deadline.nanoseconds) }
      return deadline.nanoseconds - now
    }
    let count = waitCount.withLock { count in
      count += 1
      return count
    }
    onWait?(count)
    // SQLite retries a read of the log a limited number of times, and then fails. The pause lets a writer run that the
    // system has suspended.
    usleep(UInt32(min(max(span / 1_000, 0), 1_000)))
  }

  func makeLock(label: String) -> any MachineLock {
    ImmediateLock(label, held: held)
  }

  var mainQueue: any SerialQueue { trapMisuse("this machine has no queues") }
  func makeSerialQueue(label: String) -> any SerialQueue { trapMisuse("this machine has no queues") }
  var recorder: any ActivityRecorder { self }
}

extension ImmediateMachine: ActivityRecorder {
  func begin(_ activity: Activity, of objectCount: Int, in context: String?) {}
  func end(_ activity: Activity) {}
  func add(objectCount: Int) {}
  func add(_ note: TraceNote) {}
  func begin(_ statement: RunningStatement?, after unreported: () -> [Work]) {}
}

/// The number of locks that each thread holds.
private final class HeldLocks: Sendable {
  private let counts = Guarded<[UInt: Int]>([:])

  var isAnyHeldByThisThread: Bool { counts.withLock { $0[Self.thread, default: 0] > 0 } }

  func add(_ change: Int) {
    counts.withLock { $0[Self.thread, default: 0] += change }
  }

  private static var thread: UInt { UInt(pthread_self()) }
}

private final class ImmediateLock: MachineLock, @unchecked Sendable {
  // `@unchecked`: the pointer never changes, and a POSIX mutex is made to be shared.
  private let mutex = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private let held: HeldLocks
  let label: String

  init(_ label: String, held: HeldLocks) {
    self.label = label
    self.held = held
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  var totalWait: TimeSpan { .zero }

  func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    held.add(1)
    defer {
      held.add(-1)
      pthread_mutex_unlock(mutex)
    }
    return try body()
  }
}
