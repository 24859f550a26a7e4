import Dispatch
import Glibc
import MachineCore
import OutputFiles
import Synchronization

/// Ends the program on SIGINT, SIGTERM and SIGHUP, after it has cleaned up.
///
/// A program calls `begin()` first. Signals have their default action before it, when there is nothing to clean up. From
/// then on a handler counts them, and one thread obeys them: the first signal cancels the task of `run`. If no such task
/// runs, the thread removes the leftovers and ends the process.
///
/// The handler is used in place of a blocked signal that a thread waits for. The library that watches child processes
/// unblocks all signals in its own thread, and a signal may be sent to one thread. The system replaces handlers by the
/// default actions in child programs.
package enum Interruption {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  /// The semaphore that wakes the thread, once for each signal.
  private nonisolated(unsafe) static let arrival = UnsafeMutablePointer<sem_t>.allocate(capacity: 1)
  /// The number of signals that have arrived and that the thread has not obeyed yet.
  private static let waitingCount = Atomic(0)
  private static let hasBegun = Atomic(false)
  private static let phase = Guarded(Phase.idle(hasResult: false))

  /// The state that decides what a signal does.
  private enum Phase {
    /// A signal ends the process at once. `hasResult` is true if a task has ended with a result.
    case idle(hasResult: Bool)
    /// A signal cancels the task, which cleans up and ends. The task may not exist yet.
    case running(cancel: (@Sendable () -> Void)?)
    case interrupted
    /// The process has printed its last line. A signal ends it without a further line.
    case ending
  }

  /// Holds signals back until the program that this process becomes calls `begin()`.
  package static func hold() {
    mask(SIG_BLOCK)
  }

  private static func mask(_ change: CInt) {
    var set = sigset_t()
    sigemptyset(&set)
    for number in signals { sigaddset(&set, number) }
    pthread_sigmask(change, &set, nil)
  }

  /// Obeys signals from now on. Call it once, before the program does anything else.
  package static func begin() {
    sem_init(arrival, 0, 0)
    waitingCount.store(0, ordering: .relaxed)
    hasBegun.store(true, ordering: .relaxed)
    var action = sigaction()
    action.__sigaction_handler.sa_handler = { _ in
      // A signal handler may make both calls: an atomic addition, and a call that POSIX permits.
      Interruption.waitingCount.add(1, ordering: .sequentiallyConsistent)
      sem_post(Interruption.arrival)
    }
    action.sa_flags = SA_RESTART
    for number in signals { sigaction(number, &action, nil) }
    // The parent may have blocked them. A signal that has waited since then arrives now.
    mask(SIG_UNBLOCK)
    _ = OwnThread {
      while true {
        if sem_wait(arrival) == 0 { obey() }
      }
    }
  }

  private static func obey() {
    let cancel = phase.withLock { phase -> (@Sendable () -> Void)? in
      waitingCount.subtract(1, ordering: .sequentiallyConsistent)
      switch phase {
      case .idle(let hasResult): end(with: hasResult ? .interruptedAfterwards : .interrupted)
      case .running(let cancel):
        phase = .interrupted
        return cancel
      case .interrupted: return nil
      case .ending: _exit(RunFailure.Kind.interrupted.rawValue)
      }
    }
    cancel?()
  }

  private static func end(with failure: RunFailure, _ status: CInt = RunFailure.Kind.interrupted.rawValue) -> Never {
    Leftovers.removeAll {
      ErrorOutput.write("error: \(failure)\n")
      _exit(status)
    }
  }
}

// MARK: - Work

extension Interruption {
  /// Runs `body` on the concurrency pool, blocks the caller until it has ended, and returns its result. A signal
  /// cancels `body`.
  ///
  /// - Throws: The error of `body`, or `RunFailure.interrupted` if `body` failed after a signal.
  package static func run<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws -> Result {
    let outcome = Outcome<Result>()
    // A signal is kept for the task from here on.
    phase.withLock { $0 = .running(cancel: nil) }
    let task = Task.detached {
      do {
        outcome.end(with: .success(try await body()))
      } catch {
        outcome.end(with: .failure(error))
      }
    }
    let isCancelled = phase.withLock { phase in
      guard case .running = phase else { return true }
      phase = .running { task.cancel() }
      return false
    }
    if isCancelled { task.cancel() }
    let result = outcome.wait()
    return try phase.withLock { phase in
      var wasInterrupted = hasWaiting
      if case .interrupted = phase { wasInterrupted = true }
      if case .failure = result, wasInterrupted {
        phase = .interrupted
        throw RunFailure.interrupted
      }
      // A result that was complete despite the signal is returned.
      phase = .idle(hasResult: (try? result.get()) != nil)
      return try result.get()
    }
  }

  /// Prints the last line of the process, in place of the line that a signal would print.
  package static func printLast(_ print: () -> Void) {
    phase.withLock { phase in
      phase = .ending
      print()
    }
  }

  /// Ends the process with a status, or with that of a signal that has arrived and waits. Later signals have no effect.
  package static func exit(_ status: CInt) -> Never {
    phase.withLock { phase in
      guard case .idle = phase, hasWaiting else { Glibc.exit(status) }
      phase = .idle(hasResult: true)
    }
    while true { pause() }
  }

  private static var hasWaiting: Bool { waitingCount.load(ordering: .sequentiallyConsistent) > 0 }

  /// Ends the process because the system starts no further thread for it. Only the parent of a hidden command, which
  /// does not obey signals, needs the status of its own.
  static func endWithoutThread() -> Never {
    let status = (hasBegun.load(ordering: .relaxed) ? RunFailure.Kind.failed : .noFurtherThread).rawValue
    phase.withLock { phase -> Never in
      if case .ending = phase { _exit(status) }
      end(with: .noFurtherThread, status)
    }
  }
}

/// The result of a task, for a thread that waits for it.
private final class Outcome<Value: Sendable>: Sendable {
  private let result = Guarded<Result<Value, any Error>?>(nil)
  private let hasEnded = DispatchSemaphore(value: 0)

  func end(with result: Result<Value, any Error>) {
    self.result.withLock { $0 = result }
    hasEnded.signal()
  }

  func wait() -> Result<Value, any Error> {
    hasEnded.wait()
    guard let result = result.withLock({ $0 }) else {
      fatalError("a task ended without a result")
    }
    return result
  }
}
