import Dispatch
import Glibc
import MachineCore

/// Cancels the running work on SIGINT, SIGTERM and SIGHUP, so that the work can clean up.
///
/// Make one instance per process, before any work that needs to clean up.
package final class Interruption {
  private static let signals = [SIGINT, SIGTERM, SIGHUP]

  private let state = InterruptionState()
  private let sources: [any DispatchSourceSignal]

  package init() {
    let queue = DispatchQueue(label: "interruption")
    sources = Interruption.signals.map { number in
      // Without this, the default action ends the process before Dispatch sees the signal.
      signal(number, SIG_IGN)
      return DispatchSource.makeSignalSource(signal: number, queue: queue)
    }
    for source in sources {
      source.setEventHandler { [state] in state.interrupt() }
      source.resume()
    }
  }

  /// Runs `body` on the concurrency pool, blocks the caller until it has ended, and returns its result. A signal
  /// cancels `body`.
  ///
  /// - Throws: The error of `body`, or `RunFailure.interrupted` if `body` failed after a signal.
  package func run<Result: Sendable>(_ body: @escaping @Sendable () async throws -> Result) throws -> Result {
    let outcome = Outcome<Result>()
    let task = Task.detached {
      do {
        outcome.end(with: .success(try await body()))
      } catch {
        outcome.end(with: .failure(error))
      }
    }
    state.begin { task.cancel() }
    let result = outcome.wait()
    let wasInterrupted = state.end()
    // A result that was complete despite the signal is returned.
    if case .failure = result, wasInterrupted { throw RunFailure.interrupted }
    return try result.get()
  }
}

// MARK: - In this process

extension Interruption {
  /// Runs `body` on the calling thread. A signal cannot cancel it; it removes the folder and ends the process.
  package func run<Result>(removing scratch: ScratchFolder, _ body: () throws -> Result) rethrows -> Result {
    state.begin {
      scratch.remove()
      ErrorOutput.write("error: \(RunFailure.interrupted)\n")
      _exit(RunFailure.Kind.interrupted.rawValue)
    }
    defer { _ = state.end() }
    return try body()
  }
}

/// The state that decides what a signal does.
private final class InterruptionState: Sendable {
  private let phase = Guarded(Phase.nothingToCleanUp)

  private enum Phase {
    /// A signal ends the process at once.
    case nothingToCleanUp
    /// A signal cancels the running work, which cleans up and ends.
    case running(cancel: @Sendable () -> Void)
    case interrupted
  }

  func begin(cancel: @escaping @Sendable () -> Void) {
    phase.withLock { $0 = .running(cancel: cancel) }
  }

  /// Ends the work, and returns true if a signal arrived since `begin(cancel:)`.
  func end() -> Bool {
    phase.withLock { phase in
      if case .interrupted = phase { return true }
      phase = .nothingToCleanUp
      return false
    }
  }

  func interrupt() {
    let cancel = phase.withLock { phase -> (@Sendable () -> Void)? in
      defer { phase = .interrupted }
      switch phase {
      case .nothingToCleanUp:
        ErrorOutput.write("error: \(RunFailure.interrupted)\n")
        _exit(RunFailure.Kind.interrupted.rawValue)
      case .running(let cancel): return cancel
      case .interrupted: return nil
      }
    }
    cancel?()
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
