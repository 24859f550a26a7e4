import Foundation
import InputFiles
import MachineCore
import MachineSimulated
import Testing

@testable import TrialProcesses

/// Tasks of child processes: their plans, their answers, and the failures that arrive at the parent.
@Suite struct ChildTaskTests {
  /// A task that doubles a number.
  private enum DoublingTask: ChildTask {
    static let name = "double"

    struct Plan: Codable, Sendable {
      var number: Int
    }

    static func answer(_ plan: Plan) throws -> Int {
      guard plan.number > 0 else { throw RunFailure.usage("\(plan.number): not positive; use a number above 0") }
      return plan.number * 2
    }
  }

  /// Runs the task with a text as its plan, and returns its answer.
  private func answer(plan: String) throws -> Int {
    let line = DoublingTask.reply(to: plan) { .unexpected($0) }
    return try JSONDecoder().decode(TaskReply<Int>.self, from: Data(line)).get()
  }

  private func failure(plan: String) -> RunFailure? {
    #expect(throws: RunFailure.self) { _ = try answer(plan: plan) }
  }

  @Test func `a task answers its plan`() throws {
    #expect(try answer(plan: #"{"number": 21}"#) == 42)
  }

  @Test func `a damaged plan is bad usage`() throws {
    let damaged = try #require(failure(plan: #"{"number": "x"}"#))
    #expect(damaged.kind == .badUsage)
    #expect(damaged.description.hasPrefix("double: not a plan: "))
  }

  @Test func `the failure of a task arrives as it was thrown`() {
    let thrown = RunFailure(kind: .diskFull, ["full; use ", .setting(.scratchFolder), "\nelsewhere"])
    let line = DoublingTask.reply(to: #"{"number": 0}"#) { _ in thrown }
    #expect(throws: thrown) { try JSONDecoder().decode(TaskReply<Int>.self, from: Data(line)).get() }
    #expect(failure(plan: #"{"number": 0}"#) == .usage("0: not positive; use a number above 0"))
  }

  @Test(arguments: [
    (Int32(1), RunFailure.Kind.failed), (64, .badUsage), (71, .noFurtherThread), (73, .diskFull), (130, .interrupted),
    (2, .failed),
    (7, .failed),
  ])
  func `the exit status of a child decides the kind of failure`(status: Int32, kind: RunFailure.Kind) {
    let ending = ChildProcess.Ending(cause: .exited(status: status), complaint: "no room")
    #expect(Children.failure(ending, timeLimit: nil) == RunFailure(kind: kind, "no room"))
    let silent = ChildProcess.Ending(cause: .exited(status: status), complaint: nil)
    #expect(Children.failure(silent, timeLimit: nil).description == "ended with status \(status) and no message")
  }

  @Test func `a killed or timed-out child is a failure with a message`() {
    func failure(_ cause: ChildProcess.Ending.Cause, _ limit: Duration? = nil) -> RunFailure {
      Children.failure(ChildProcess.Ending(cause: cause, complaint: nil), timeLimit: limit)
    }
    #expect(failure(.killed(signal: 11)).description == "was ended by signal 11 (Segmentation fault)")
    #expect(
      failure(.timedOut, .seconds(3)).text { "the option \($0)" }
        == "was killed after 3 s; use the option timeLimit if it only needs longer")
  }

  @Test func `the message of a failure begins with its step, except for bad usage`() {
    #expect(RunFailure.failed("died").during("all-main, trial 2") == .failed("all-main, trial 2: died"))
    #expect(RunFailure.usage("x: not known").during("all-main") == .usage("x: not known"))
    #expect(RunFailure(kind: .failed, "two\nlines").description == "two lines")
  }

  @Test func `an error of Foundation is one sentence with its file`() {
    let error = CocoaError(.fileReadCorruptFile, userInfo: [NSFilePathErrorKey: "/a/b"])
    let text = RunFailure.unexpected(error).description
    #expect(text.hasPrefix("/a/b: ") && !text.contains("Domain") && !text.contains("Code="), "\(text)")
  }

  @Test func `a deadlock in a child prints the whole report as one line`() throws {
    let failure = try #require(deadlock())
    #expect(failure.code == .deadlock)
    let arrived = TrialTask.failure(failure)
    #expect(arrived == .failed("\(failure)"))
    #expect(arrived.description.hasPrefix("deadlock at "))
    for part in ["“first”", "“second”", "held by", "asked for in"] {
      #expect(arrived.description.contains(part), "\(part)")
    }
  }

  /// Returns the failure of a machine on which two threads take two locks in opposite orders.
  private func deadlock() -> SimulationFailure? {
    guard let profile = try? ProfileLibrary.profile(named: "host") else { return nil }
    let machine = SimulatedMachine(profile.device(), ledger: WorkLedger())
    let locks = [machine.makeLock(label: "first"), machine.makeLock(label: "second")]
    let queues = ["one", "two"].map { machine.makeSerialQueue(label: $0) }
    return #expect(throws: SimulationFailure.self) {
      try machine.run {
        for (queue, order) in zip(queues, [locks, locks.reversed()]) {
          queue.async {
            order[0].withLock {
              machine.spend(.milliseconds(5))
              order[1].withLock {}
            }
          }
        }
        machine.wait(until: machine.now + .seconds(1))
      }
    }
  }
}
