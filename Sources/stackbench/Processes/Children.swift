import Foundation
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
    of command: Command.Type, to plan: Command.Plan, timeLimit: Duration,
    environment: [Environment.Key: String?] = [:]
  ) async throws -> Answered<Command.Answer> {
    let folder = try scratch.makeFolder("child-\(UUID().uuidString)")
    defer { scratch.removeFolder(folder) }
    let planFile = "\(folder)/plan.json"
    let answerFile = "\(folder)/answer.json"
    try JSONFile.write(plan, to: planFile)
    guard let name = Command.configuration.commandName else { fatalError("\(command) has no name of its own") }
    let ending = try await process.run(
      [name, "--plan", planFile, "--output", answerFile], timeLimit: timeLimit, environment: environment)
    if let failure = Children.failure(ending, timeLimit: timeLimit) { throw failure }
    return Answered(answer: try JSONFile.read(Command.Answer.self, from: answerFile), remark: ending.complaint)
  }

  /// What went wrong; nil if nothing did.
  static func failure(_ ending: ChildProcess.Ending, timeLimit: Duration) -> CommandFailure? {
    let complaint = ending.complaint.map { ": \($0)" } ?? ""
    switch ending.cause {
    case .exited(status: 0):
      return nil
    case .exited(let status):
      let message = ending.complaint ?? "ended with status \(status) and said nothing"
      return CommandFailure(ExitStatus(rawValue: status) ?? .failed, message)
    case .killed(let number):
      return .failed("died of signal \(number) (\(signalName(number)))\(complaint)")
    case .timedOut:
      return .failed("was killed after \(timeLimit.components.seconds) s; use --time-limit if it only needs longer")
    }
  }

  private static func signalName(_ number: Int32) -> String {
    String(cString: strsignal(number))
  }
}
