#if UNDER_SANITIZER
  import Foundation
  import Glibc

  /// The check for leaked memory in a build with the address sanitizer. A child process does not reach the one that the
  /// sanitizer makes when a process exits.
  enum LeakCheck {
    private static let check = dlsym(nil, "__lsan_do_recoverable_leak_check").map {
      unsafeBitCast($0, to: (@convention(c) () -> CInt).self)
    }

    /// Ends the process if memory was leaked, after the sanitizer has printed where it was allocated. Blocks for half a
    /// second, and then until no other thread runs, for up to ten seconds.
    ///
    /// Blocks of timers and blocks that are about to end still hold objects. The sanitizer does not find the counts of
    /// their weak references, because an object refers to them by a shifted pointer.
    static func run() {
      var tries = 0
      usleep(500_000)
      while runningThreads > 1, tries < 1_000 {
        usleep(10_000)
        tries += 1
      }
      if let check, check() != 0 { _exit(RunFailure.Kind.failed.rawValue) }
    }

    /// The number of threads that run or can run, with this one.
    private static var runningThreads: Int {
      let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
      return threads.count { thread in
        let line = (try? String(contentsOfFile: "/proc/self/task/\(thread)/stat", encoding: .utf8)) ?? ""
        // The state follows the thread's name, which stands in parentheses.
        return line.split(separator: ")").last?.hasPrefix(" R") == true
      }
    }
  }
#endif
