/// The line with which a child process answers a plan.
struct TaskReply<Answer: Codable & Sendable>: Codable, Sendable {
  /// The answer, or nil if the task failed.
  private let answer: Answer?
  private let failure: RunFailure?
  /// True if the process can do another task after this one.
  let keepsProcess: Bool

  /// Creates the reply with an answer.
  init(_ answer: Answer, keepsProcess: Bool) {
    self.answer = answer
    failure = nil
    self.keepsProcess = keepsProcess
  }

  /// Creates the reply with a failure, after which the process may hold threads and memory of the task.
  init(_ failure: RunFailure) {
    answer = nil
    self.failure = failure
    keepsProcess = false
  }

  /// Returns the answer.
  ///
  /// - Throws: The failure of the task.
  func get() throws(RunFailure) -> Answer {
    guard let answer else { throw failure ?? .failed("sent no answer") }
    return answer
  }
}
