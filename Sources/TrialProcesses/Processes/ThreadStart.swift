#if !UNDER_SANITIZER

  import Glibc

  package typealias ThreadBody = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?

  /// The function of the C library. The handle of its module, `RTLD_NEXT`, is a macro that Swift does not import.
  private let systemStart = unsafeBitCast(
    dlsym(UnsafeMutableRawPointer(bitPattern: -1), "pthread_create"),
    to: (@convention(c) (
      UnsafeMutablePointer<pthread_t>, UnsafePointer<pthread_attr_t>?, ThreadBody, UnsafeMutableRawPointer?
    ) -> CInt).self)

  /// Starts a thread for any library of the program, in place of the function of the C library. If the system starts no
  /// further thread, the process ends with one line.
  ///
  /// Dispatch would try again for ever, and with it Swift's concurrency. The library of child processes would wait for a
  /// thread that does not exist.
  @c(pthread_create)
  package func startThread(
    _ thread: UnsafeMutablePointer<pthread_t>, _ attributes: UnsafePointer<pthread_attr_t>?, _ body: ThreadBody,
    _ context: UnsafeMutableRawPointer?
  ) -> CInt {
    let code = systemStart(thread, attributes, body, context)
    if code == EAGAIN { Interruption.endWithoutThread() }
    return code
  }

#endif
