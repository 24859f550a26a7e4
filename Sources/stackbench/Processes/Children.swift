import Foundation
import Glibc
import Subprocess

/// Asks children for answers: each gets its plan in a file, and leaves its answer in one.
final class Children: Sendable {
  let scratch: ScratchFolder
  private let process: ChildProcess

  init(scratch: ScratchFolder) throws {
    self.scratch = scratch
    process = try ChildProcess()
  }

  /// An answer, and the last line that the child said on standard error nevertheless.
  struct Answered<Answer: Sendable>: Sendable {
    var answer: Answer
    var remark: String?
  }

  /// Runs `command` in a child until it has answered.
  ///
  /// - Throws: `CommandFailure` with the child's own message, or with how it died; `CancellationError`.
  func answer<Command: ChildCommand>(
    of command: Command.Type, to plan: Command.Plan, timeLimit: Duration?,
    environment: [Environment.Key: String?] = [:]
  ) async throws -> Answered<Command.Answer> {
    let folder = try scratch.makeFolder("child-\(UUID().uuidString)")
    defer { scratch.removeFolder(folder) }
    let ending = try await run(command, plan, in: folder, timeLimit: timeLimit, environment)
    if let failure = failure(ending, timeLimit: timeLimit) { throw failure }
    let answer = try JSONFile.read(Command.Answer.self, from: Children.answerFile(in: folder))
    return Answered(answer: answer, remark: ending.complaint)
  }

  private static func answerFile(in folder: String) -> String { "\(folder)/answer.json" }

  private func run<Command: ChildCommand>(
    _ command: Command.Type, _ plan: Command.Plan, in folder: String, timeLimit: Duration?,
    _ environment: [Environment.Key: String?] = [:]
  ) async throws -> ChildProcess.Ending {
    let planFile = "\(folder)/plan.json"
    try JSONFile.write(plan, to: planFile)
    guard let name = Command.configuration.commandName else { fatalError("\(command) has no name of its own") }
    return try await process.run(
      [name, "--plan", planFile, "--output", Children.answerFile(in: folder)], timeLimit: timeLimit,
      environment: environment)
  }

  /// Runs `command` in a child that kills itself, or ends where its machine has stopped.
  ///
  /// - Throws: `CommandFailure` with the child's own message, or with how else it died; `CancellationError`.
  func runUntilKilled<Command: ChildCommand>(
    _ command: Command.Type, _ plan: Command.Plan, timeLimit: Duration?
  ) async throws {
    let folder = try scratch.makeFolder("child-\(UUID().uuidString)")
    defer { scratch.removeFolder(folder) }
    let ending = try await run(command, plan, in: folder, timeLimit: timeLimit)
    if case .killed(SIGKILL) = ending.cause { return }
    if let failure = failure(ending, timeLimit: timeLimit) { throw failure }
  }

  private func failure(_ ending: ChildProcess.Ending, timeLimit: Duration?) -> CommandFailure? {
    if case .killed(SIGBUS) = ending.cause, let failure = FullDisk.failureOfMappedFile(in: scratch.path) {
      return failure
    }
    return Children.failure(ending, timeLimit: timeLimit)
  }

  /// What went wrong; nil if nothing did.
  static func failure(_ ending: ChildProcess.Ending, timeLimit: Duration?) -> CommandFailure? {
    let complaint = ending.complaint.map { ": \($0)" } ?? ""
    switch ending.cause {
    case .exited(status: 0):
      return nil
    case .exited(let status):
      let message = ending.complaint ?? "ended with status \(status) and said nothing"
      return CommandFailure(ExitStatus(rawValue: status) ?? .failed, message)
    case .killed(SIGXCPU):
      return .failed("used up its processor time; use --time-limit if it only needs more")
    case .killed(let number):
      return .failed("died of signal \(number) (\(signalName(number)))\(complaint)")
    case .timedOut:
      return .failed(
        "was killed after \(timeLimit?.components.seconds ?? 0) s; use --time-limit if it only needs longer")
    }
  }

  private static func signalName(_ number: Int32) -> String {
    String(cString: strsignal(number))
  }
}
