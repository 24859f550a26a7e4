import MachineCore

/// A child process that does tasks of one kind, one after the other.
final class Worker: Sendable {
  private let process: ChildProcess
  private let mailbox: Mailbox

  /// Starts a process.
  ///
  /// - Parameters:
  ///   - arguments: The arguments of the program, such as the name of the hidden command that does the tasks.
  ///   - executable: The path of the program, or nil for this one.
  ///   - environment: The variables that are set in addition to the parent's. A variable that is nil is removed.
  /// - Throws: `RunFailure` if the process cannot be started.
  init(_ arguments: [String], executable: String?, environment: [String: String?]) throws {
    let mailbox = Mailbox()
    self.mailbox = mailbox
    process = try ChildProcess(arguments, executable: executable, environment: environment) { mailbox.put($0) }
  }

  /// Sends a plan and waits for the report that answers it.
  ///
  /// If the calling task is cancelled or the time is over, the process is killed, and the report is its end.
  ///
  /// - Parameters:
  ///   - plan: The plan, as one line. Send the next one after the report.
  ///   - timeLimit: The time after which the process is killed, or nil for no limit.
  /// - Returns: The line of an answer, or the end of the process.
  func report(on plan: [UInt8], timeLimit: Duration?) async -> ChildProcess.Report {
    process.forgetErrors()
    let timer = timeLimit.map { limit in
      Task { [process] in
        try await Task.sleep(for: limit)
        process.kill(isTimedOut: true)
      }
    }
    defer { timer?.cancel() }
    return await withTaskCancellationHandler {
      process.send(plan)
      return await mailbox.next()
    } onCancel: {
      process.kill()
    }
  }

  /// Ends the process between two tasks.
  func end() async {
    process.close()
    _ = await mailbox.next()
  }

  /// Ends the process between two tasks, and blocks until it has ended.
  func endAndWait() {
    process.close()
    process.join()
  }
}

/// The next report of a process, for a task that waits for it.
private final class Mailbox: Sendable {
  private let state = Guarded(State())

  private struct State: Sendable {
    var report: ChildProcess.Report?
    var waiting: CheckedContinuation<ChildProcess.Report, Never>?
  }

  func put(_ report: ChildProcess.Report) {
    let waiting = state.withLock { state in
      if state.waiting == nil { state.report = report }
      return state.waiting.take()
    }
    waiting?.resume(returning: report)
  }

  func next() async -> ChildProcess.Report {
    await withCheckedContinuation { continuation in
      let report = state.withLock { state in
        if state.report == nil { state.waiting = continuation }
        return state.report.take()
      }
      if let report { continuation.resume(returning: report) }
    }
  }
}
