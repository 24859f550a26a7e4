import Foundation
import Glibc
import Subprocess

/// Runs tasks in child processes. Each child reads its plan from a file and writes its answer to another file.
package final class Children: Sendable {
  package let scratch: ScratchFolder
  private let process: ChildProcess

  package init(scratch: ScratchFolder) throws {
    self.scratch = scratch
    process = try ChildProcess()
  }

  /// The answer of a child that succeeded, and the last line of its standard error, or nil if that is empty.
  package struct Answered<Answer: Sendable>: Sendable {
    package var answer: Answer
    package var remark: String?
  }

  /// Runs a task in a child and returns its answer.
  ///
  /// - Throws: `RunFailure` with the child's own message or the way in which it died, or `CancellationError`.
  package func answer<Job: ChildTask>(
    of task: Job.Type, to plan: Job.Plan, timeLimit: Duration?,
    environment: [Environment.Key: String?] = [:]
  ) async throws -> Answered<Job.Answer> {
    let folder = try scratch.makeFolder("child-\(UUID().uuidString)")
    defer { scratch.removeFolder(folder) }
    let ending = try await run(task, plan, in: folder, timeLimit: timeLimit, environment)
    if let failure = failure(ending, timeLimit: timeLimit) { throw failure }
    let answer = try JSONFile.read(Job.Answer.self, from: Children.answerFile(in: folder))
    return Answered(answer: answer, remark: ending.complaint)
  }

  private static func answerFile(in folder: String) -> String { "\(folder)/answer.json" }

  private func run<Job: ChildTask>(
    _ task: Job.Type, _ plan: Job.Plan, in folder: String, timeLimit: Duration?,
    _ environment: [Environment.Key: String?] = [:]
  ) async throws -> ChildProcess.Ending {
    let planFile = "\(folder)/plan.json"
    try JSONFile.write(plan, to: planFile)
    return try await process.run(
      [Job.name, "--plan", planFile, "--output", Children.answerFile(in: folder)], timeLimit: timeLimit,
      environment: environment)
  }

  /// Runs a task in a child that kills itself, or that ends when its machine has stopped.
  ///
  /// - Throws: `RunFailure` with the child's own message or the other way in which it died, or `CancellationError`.
  package func runUntilKilled<Job: ChildTask>(
    _ task: Job.Type, _ plan: Job.Plan, timeLimit: Duration?
  ) async throws {
    let folder = try scratch.makeFolder("child-\(UUID().uuidString)")
    defer { scratch.removeFolder(folder) }
    let ending = try await run(task, plan, in: folder, timeLimit: timeLimit)
    if case .killed(SIGKILL) = ending.cause { return }
    if let failure = failure(ending, timeLimit: timeLimit) { throw failure }
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
    let folder = try scratch.makeFolder("child-\(UUID().uuidString)")
    defer { scratch.removeFolder(folder) }
    let ending = try await run(task, plan, in: folder, timeLimit: timeLimit)
    if case .killed = ending.cause, let sentence = ending.complaint?.split(separator: "Fatal error: ").last,
      ending.complaint?.contains("Fatal error: ") == true
    {
      return String(sentence)
    }
    if let failure = failure(ending, timeLimit: timeLimit) { throw failure }
    return nil
  }

  private func failure(_ ending: ChildProcess.Ending, timeLimit: Duration?) -> RunFailure? {
    if case .killed(SIGBUS) = ending.cause, let failure = FullDisk.failureOfMappedFile(in: scratch.path) {
      return failure
    }
    return Children.failure(ending, timeLimit: timeLimit)
  }

  /// Returns the failure of a child, or nil if it succeeded.
  static func failure(_ ending: ChildProcess.Ending, timeLimit: Duration?) -> RunFailure? {
    let complaint = ending.complaint.map { ": \($0)" } ?? ""
    switch ending.cause {
    case .exited(status: 0):
      return nil
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
