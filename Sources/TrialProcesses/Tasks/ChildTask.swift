/// A task that a child process does: it reads a plan and writes an answer.
///
/// The program has a hidden command for each task. `Children` runs the command in a child process, with the plan in one
/// file and the answer in another.
package protocol ChildTask: Sendable {
  associatedtype Plan: Codable & Sendable
  associatedtype Answer: Codable & Sendable

  /// The name of the hidden command that runs the task.
  static var name: String { get }

  /// Does the work on the first thread of the process, and returns the answer.
  ///
  /// - Throws: `RunFailure`, whose message the parent passes on.
  static func answer(_ plan: Plan) throws -> Answer
}

extension ChildTask {
  /// Reads the plan, does the work and writes the answer.
  ///
  /// - Throws: `RunFailure` if the plan cannot be read, the work fails or the answer cannot be written.
  package static func run(planFile: String, answerFile: String) throws {
    let plan = try JSONFile.read(Plan.self, from: planFile)
    try JSONFile.write(try answer(plan), to: answerFile)
  }
}
