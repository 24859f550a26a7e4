import Glibc

/// A thread with a large stack that runs one closure and ends.
///
/// If the object is freed before `join()`, the thread runs on and frees its resources when it ends.
package final class OwnThread: Sendable {
  private let handle: Guarded<pthread_t?>

  /// The size of the stack in bytes, which is the system's default for the first thread of a process. Half a megabyte,
  /// the default elsewhere, is too small for deeply nested data.
  private static let stackSize = 8 << 20

  /// Starts the thread, which releases `body` when it has returned. Traps if the system cannot start a thread.
  package init(body: @escaping @Sendable () -> Void) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    pthread_attr_setstacksize(&attributes, Self.stackSize)

    let context = Unmanaged.passRetained(Body(run: body)).toOpaque()
    var thread = pthread_t()
    let status = pthread_create(
      &thread, &attributes,
      { context in
        if let context {
          Unmanaged<Body>.fromOpaque(context).takeRetainedValue().run()
        }
        return nil
      }, context)
    guard status == 0 else { trapMisuse("The system gives no further thread: error \(status).") }
    handle = Guarded(thread)
  }

  deinit {
    handle.withLock { handle in
      if let thread = handle {
        pthread_detach(thread)
      }
    }
  }

  /// Blocks until the thread has ended. Thread-safe; every caller returns after the end.
  package func join() {
    handle.withLock { handle in
      guard let thread = handle else { return }
      pthread_join(thread, nil)
      handle = nil
    }
  }

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(run: @escaping @Sendable () -> Void) {
      self.run = run
    }
  }
}
