#if UNDER_SANITIZER
  import Glibc

  /// The check for leaked memory in a build with the address sanitizer. A child process does not reach the one that the
  /// sanitizer makes when a process exits.
  enum LeakCheck {
    private static let check = dlsym(nil, "__lsan_do_recoverable_leak_check").map {
      unsafeBitCast($0, to: (@convention(c) () -> CInt).self)
    }

    /// Ends the process if memory was leaked, after the sanitizer has printed where it was allocated.
    static func run() {
      if let check, check() != 0 { _exit(RunFailure.Kind.failed.rawValue) }
    }
  }
#endif
