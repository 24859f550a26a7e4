import Foundation
import Glibc

/// A task that a child process does: it gets a plan and gives an answer.
///
/// The program has a hidden command for each task. `Children` runs the command in a child process, which reads plans
/// from standard input and writes answers to standard output, as lines of JSON.
package protocol ChildTask: Sendable {
  associatedtype Plan: Codable & Sendable
  associatedtype Answer: Codable & Sendable

  /// The name of the hidden command that runs the task.
  static var name: String { get }

  /// Does the work on the first thread of the process, and returns the answer.
  ///
  /// - Throws: `RunFailure`, whose message the parent passes on.
  static func answer(_ plan: Plan) throws -> Answer

  /// Returns the folder whose files only this task makes, if one process may do several such tasks. Returns nil for a
  /// task that needs a process of its own, which is the default.
  static func sharedFolder(_ plan: Plan) -> String?

  /// Returns true if the process can do another task after this answer. The default is true.
  static func keepsProcess(after answer: Answer) -> Bool
}

extension ChildTask {
  package static func sharedFolder(_ plan: Plan) -> String? { nil }
  package static func keepsProcess(after answer: Answer) -> Bool { true }

  /// Answers the plans that arrive at standard input, one after the other. The process ends as soon as standard input is
  /// closed, even in the middle of a task.
  ///
  /// - Parameter failure: A function that returns the failure for an error of a task.
  package static func serve(_ failure: (any Error) -> RunFailure) -> Never {
    Lifeline.watch()
    Lines.each(of: STDIN_FILENO) { plan in
      let reply = reply(to: plan, failure)
      #if UNDER_SANITIZER
        LeakCheck.run()
      #endif
      Lines.write(reply, to: STDOUT_FILENO)
    }
    _exit(EXIT_SUCCESS)
  }

  /// Does the work of a plan, and returns the line with the answer or the failure.
  static func reply(to plan: String, _ failure: (any Error) -> RunFailure) -> [UInt8] {
    do {
      let answer = try answer(try decoded(plan))
      return Array(try JSONEncoder().encode(TaskReply(answer, keepsProcess: keepsProcess(after: answer))))
    } catch {
      return Lines.json(TaskReply<Answer>(failure(error)))
    }
  }

  private static func decoded(_ plan: String) throws -> Plan {
    do {
      return try JSONDecoder().decode(Plan.self, from: Data(plan.utf8))
    } catch {
      throw RunFailure.usage("\(name): not a plan: \(error)")
    }
  }
}
