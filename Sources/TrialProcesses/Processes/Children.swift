import Foundation
import Glibc

/// Runs tasks in child processes.
package final class Children: Sendable {
  package let scratch: ScratchFolder
  private let workers: Workers

  package convenience init(scratch: ScratchFolder) {
    self.init(scratch: scratch, workers: .shared)
  }

  init(scratch: ScratchFolder, workers: Workers) {
    self.scratch = scratch
    self.workers = workers
  }

  /// Runs a task in a child and returns its answer.
  ///
  /// - Parameters:
  ///   - task: The task.
  ///   - plan: The plan of the task.
  ///   - timeLimit: The time after which the child is killed, or nil for no limit.
  ///   - environment: The variables that are set in addition to those of this process. A variable that is nil is
  ///     removed. The child does no other task if there are any.
  /// - Returns: The answer of the child.
  /// - Throws: `RunFailure` with the child's own message or the way in which it died, or `CancellationError`.
  package func answer<Job: ChildTask>(
    of task: Job.Type, to plan: Job.Plan, timeLimit: Duration?, environment: [String: String?] = [:]
  ) async throws -> Job.Answer {
    switch try await outcome(of: task, plan: plan, timeLimit: timeLimit, environment: environment) {
    case .answered(let answer): return answer
    case .ended(let ending): throw failure(ending, timeLimit: timeLimit)
    }
  }

  /// Runs a task in a child that kills itself, or that ends when its machine has stopped.
  ///
  /// - Throws: `RunFailure` with the child's own message or the other way in which it died, or `CancellationError`.
  package func runUntilKilled<Job: ChildTask>(
    _ task: Job.Type, plan: Job.Plan, timeLimit: Duration?
  ) async throws {
    guard case .ended(let ending) = try await outcome(of: task, plan: plan, timeLimit: timeLimit) else { return }
    if case .killed(SIGKILL) = ending.cause { return }
    throw failure(ending, timeLimit: timeLimit)
  }

  /// Runs a task in a child that misuse may stop.
  ///
  /// - Parameters:
  ///   - task: The task.
  ///   - plan: The plan of the task.
  ///   - timeLimit: The time after which the child is killed, or nil for no limit.
  /// - Returns: The message of the misuse that stopped the child, without the place in the sources, or nil if the task
  ///   succeeded.
  /// - Throws: `RunFailure` with the child's own message or the other way in which it died, or `CancellationError`.
  package func crash<Job: ChildTask>(of task: Job.Type, _ plan: Job.Plan, timeLimit: Duration?) async throws -> String?
  {
    guard case .ended(let ending) = try await outcome(of: task, plan: plan, timeLimit: timeLimit) else { return nil }
    if case .killed = ending.cause, let misuse = ending.misuse { return misuse }
    throw failure(ending, timeLimit: timeLimit)
  }

  private enum Outcome<Answer> {
    case answered(Answer)
    case ended(ChildProcess.Ending)
  }

  /// Runs a task, a second time in a new process if a process that has done other tasks may have died of them.
  private func outcome<Job: ChildTask>(
    of task: Job.Type, plan: Job.Plan, timeLimit: Duration?, environment: [String: String?] = [:]
  ) async throws -> Outcome<Job.Answer> {
    let folder = environment.isEmpty ? Job.sharedFolder(plan) : nil
    let line: [UInt8]
    do {
      line = Array(try JSONEncoder().encode(plan))
    } catch {
      throw RunFailure.unexpected(error)
    }
    var isSecondTry = false
    while true {
      try Task.checkCancellation()
      let worker = try workers.take(
        Job.name, isNew: folder == nil || isSecondTry, environment: environment)
      let report = await worker.report(on: line, timeLimit: timeLimit)
      switch report {
      case .line(let line):
        let reply = try Children.reply(in: line, to: Job.self)
        if folder != nil, reply.keepsProcess {
          workers.putBack(worker, doing: Job.name)
        } else {
          await worker.end()
        }
        return .answered(try reply.get())
      case .ended(let ending):
        try Task.checkCancellation()
        guard let folder, !isSecondTry, ending.isWorthAnotherTry else { return .ended(ending) }
        isSecondTry = true
        try scratch.empty(folder)
      }
    }
  }

  private static func reply<Job: ChildTask>(in line: String, to task: Job.Type) throws -> TaskReply<Job.Answer> {
    do {
      return try JSONDecoder().decode(TaskReply<Job.Answer>.self, from: Data(line.utf8))
    } catch {
      throw RunFailure.failed("\(Job.name): sent a line that is no answer: \(error)")
    }
  }

  private func failure(_ ending: ChildProcess.Ending, timeLimit: Duration?) -> RunFailure {
    if case .killed(SIGBUS) = ending.cause, let failure = FullDisk.failureOfMappedFile(in: scratch.path) {
      return failure
    }
    return Children.failure(ending, timeLimit: timeLimit)
  }

  /// Returns the failure of a child that has ended without an answer.
  static func failure(_ ending: ChildProcess.Ending, timeLimit: Duration?) -> RunFailure {
    let complaint = ending.complaint.map { ": \($0)" } ?? ""
    switch ending.cause {
    case .exited(let status):
      let message = ending.complaint ?? "ended with status \(status) and no message"
      return RunFailure(kind: RunFailure.Kind(rawValue: status) ?? .failed, message)
    case .killed(SIGXCPU):
      return RunFailure(
        kind: .failed, ["used up its processor time; use ", .setting(.timeLimit), " if it only needs more"])
    case .killed(let number):
      return .failed("was ended by signal \(number) (\(signalName(number)))\(complaint)")
    case .timedOut:
      return RunFailure(
        kind: .failed,
        [
          "was killed after \(timeLimit?.components.seconds ?? 0) s; use ", .setting(.timeLimit),
          " if it only needs longer",
        ])
    }
  }

  static func signalName(_ number: Int32) -> String {
    String(cString: strsignal(number))
  }
}

extension ChildProcess.Ending {
  /// The message of the misuse that stopped the process, without the place in the sources, or nil if the process wrote
  /// none.
  fileprivate var misuse: String? {
    guard let complaint, complaint.contains("Fatal error: ") else { return nil }
    return complaint.split(separator: "Fatal error: ").last.map(String.init)
  }

  /// True if the process was killed for a reason that its task need not have caused.
  fileprivate var isWorthAnotherTry: Bool {
    if case .killed(let signal) = cause { signal != SIGXCPU && misuse == nil } else { false }
  }
}
