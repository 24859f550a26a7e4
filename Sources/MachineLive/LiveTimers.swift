import Glibc
import MachineCore

/// Hands blocks to their queues when they are due, on a separate thread that starts with the first block that has to
/// wait.
///
/// One instance serves all queues of a machine. Blocks with equal deadlines are handed over in the order of the calls.
// `@unchecked`: the mutex and the condition are allocated once and never move; everything else is accessed under the
// mutex. `Guarded` does not fit, because it has no condition to wait on until a deadline.
final class LiveTimers: @unchecked Sendable {
  private let clock: LiveClock
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  /// The timers in the order of falling deadlines; among equal deadlines, the timer that was added last comes first.
  private var pending: [Timer] = []
  private var thread: OwnThread?
  private var isEnding = false

  private struct Timer {
    var deadline: Instant
    var post: @Sendable () -> Void
  }

  init(clock: LiveClock) {
    self.clock = clock
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    condition = .allocate(capacity: 1)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
    pthread_condattr_destroy(&attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    condition.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }
}

// MARK: - Posting

extension LiveTimers {
  /// Calls `post` once the clock reads `deadline`, or immediately on the calling thread if the deadline has come
  /// already.
  ///
  /// `post` must not block and must not call this object. It is dropped without a call after `end()`.
  func add(at deadline: Instant, post: @escaping @Sendable () -> Void) {
    // The timers are released after the mutex is unlocked, because the deinitializer of a captured object may run any
    // code.
    var handedOver: [Timer] = []
    withMutex {
      guard !isEnding else { return }
      pending.insert(Timer(deadline: deadline, post: post), at: position(of: deadline))
      if deadline <= clock.now {
        handedOver = handOverDue()
      } else if thread == nil {
        thread = OwnThread { self.serve() }
      } else if pending.last?.deadline == deadline {
        pthread_cond_signal(condition)
      }
    }
    handedOver.removeAll()
  }

  /// Returns the index for a block with this deadline: after all later deadlines, before all equal or earlier ones.
  private func position(of deadline: Instant) -> Int {
    var low = 0
    var high = pending.count
    while low < high {
      let middle = (low + high) / 2
      if pending[middle].deadline > deadline {
        low = middle + 1
      } else {
        high = middle
      }
    }
    return low
  }

  /// Posts the blocks that are due, in order, and returns them.
  ///
  /// The caller holds the mutex, so that no other block is posted in between.
  private func handOverDue() -> [Timer] {
    let now = clock.now
    var due: [Timer] = []
    while let next = pending.last, next.deadline <= now {
      next.post()
      due.append(next)
      pending.removeLast()
    }
    return due
  }
}

// MARK: - The thread

extension LiveTimers {
  /// Drops the blocks that have not been posted yet and lets the thread end.
  ///
  /// - Returns: The thread, which the caller can join; nil if it was never started.
  @discardableResult
  func end() -> OwnThread? {
    var dropped: [Timer] = []
    let thread = withMutex {
      isEnding = true
      swap(&dropped, &pending)
      pthread_cond_signal(condition)
      return self.thread
    }
    dropped.removeAll()
    return thread
  }

  private func serve() {
    ThreadState.current.pointee.makeTimersExact()
    while true {
      var handedOver: [Timer] = []
      let isEnding = withMutex {
        // Another thread may have posted the blocks for which this one was woken; then the list is empty.
        handedOver = handOverDue()
        if !self.isEnding && handedOver.isEmpty {
          park()
        }
        return self.isEnding
      }
      handedOver.removeAll()
      if isEnding { return }
    }
  }

  /// Releases the mutex until the next deadline or a signal, whichever comes first.
  private func park() {
    guard let next = pending.last else {
      pthread_cond_wait(condition, mutex)
      return
    }
    var time = clock.systemTime(of: next.deadline)
    pthread_cond_timedwait(condition, mutex, &time)
  }

  private func withMutex<Result>(_ body: () -> Result) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return body()
  }
}
