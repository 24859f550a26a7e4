import Glibc

/// A value that one thread at a time can reach.
///
/// For short sections without any seam call in them; whatever may wait belongs under a `MachineLock`. Not the standard
/// library's `Mutex`: on Linux the kernel hands that over when threads contend for it, which the thread sanitizer does
/// not see, so that it reports races where none are.
// `@unchecked`: both pointers are allocated once and freed with the value, and the state is touched only while the mutex
// is locked.
package struct Guarded<State: Sendable>: ~Copyable, @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let state: UnsafeMutablePointer<State>

  package init(_ initialState: State) {
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    state = .allocate(capacity: 1)
    state.initialize(to: initialState)
  }

  deinit {
    state.deinitialize(count: 1)
    state.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs `body` with the value. Blocks while another thread has it; not re-entrant.
  package borrowing func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state.pointee)
  }
}
