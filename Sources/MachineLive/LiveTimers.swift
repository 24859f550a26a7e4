import Glibc
import MachineCore

/// Hands blocks to their queues when they are due, from a thread of its own that starts with the first block.
///
/// One for all queues of a machine: blocks with one deadline are handed over in the order of the calls.
// `@unchecked`: the mutex and the condition are allocated once and never move; everything else is touched under the
// mutex. Not `Guarded`, since that has no condition to wait on until a deadline.
final class LiveTimers: @unchecked Sendable {
  private let clock: LiveClock
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>

  /// The latest first; among equal deadlines the one posted last.
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
  /// Calls `post` once the clock reads `deadline`; at once, on the calling thread, if it does already.
  ///
  /// `post` must not block, nor call back.
  func add(at deadline: Instant, post: @escaping @Sendable () -> Void) {
    // Released after the mutex: what a block captured may do anything when it dies.
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

  /// Where a block with this deadline goes: behind all that are later, before all that are due no later.
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

  /// Posts whatever is due, in order; under the mutex, so that nothing is posted in between.
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
  /// Drops what is not due yet, and lets the thread end; returns it, for whoever wants to wait for that.
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
        // Another thread may have handed over what this one was woken for; then there is just nothing due.
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

  /// Gives the mutex up until the next deadline or a signal, whichever comes first.
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
