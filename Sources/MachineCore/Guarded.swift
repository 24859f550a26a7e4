import Glibc

// `@unchecked`: both pointers are allocated once and freed with the value, and the state is touched only while the
// mutex is locked.
/// A value that one thread at a time can access.
///
/// Use it for short sections that do not call a machine, its queues or its locks. A section that may wait needs a
/// `MachineLock`.
///
/// This is not the standard library's `Mutex`. On Linux the kernel hands a contended `Mutex` over, which the thread
/// sanitizer does not see, so it would report races that do not exist.
///
/// The structure is public because the compiler inlines only public functions into other modules.
public struct Guarded<State: Sendable>: ~Copyable, @unchecked Sendable {
  @usableFromInline let mutex: UnsafeMutablePointer<pthread_mutex_t>
  @usableFromInline let state: UnsafeMutablePointer<State>

  /// Creates a guard of a value.
  @inlinable public init(_ initialState: State) {
    mutex = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    state = .allocate(capacity: 1)
    state.initialize(to: initialState)
  }

  @inlinable deinit {
    state.deinitialize(count: 1)
    state.deallocate()
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Runs a closure with the value. Blocks while another thread has the value. Not re-entrant.
  ///
  /// - Parameter body: A closure that may change the value.
  /// - Returns: The result of the closure.
  /// - Throws: The error of the closure.
  @inlinable public borrowing func withLock<Result, Failure: Error>(
    _ body: (inout State) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&state.pointee)
  }
}
