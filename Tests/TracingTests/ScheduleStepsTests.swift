import MachineCore
import Testing

@testable import TrialProcesses

/// The steps of a machine's threads, also of a machine that stopped before they ended.
@Suite struct ScheduleStepsTests {
  private static let main = ScheduleQueue(label: "main", number: 1)
  private static let worker = ScheduleQueue(label: "worker", number: 2)

  private func event(_ event: ScheduleEvent, _ strand: Int, at nanoseconds: Int64) -> RecordedEvent {
    RecordedEvent(event: event, strand: strand, instant: Instant(nanoseconds: nanoseconds))
  }

  private func began(_ queue: ScheduleQueue, post: Int, _ strand: Int, at nanoseconds: Int64) -> RecordedEvent {
    event(.bodyBegan(queue: queue, role: .user, cause: .post(post)), strand, at: nanoseconds)
  }

  @Test func `steps that have not ended are cut off and marked, at every depth`() {
    var builder = ScheduleSteps(from: Instant(nanoseconds: 0))
    let events = [
      began(Self.worker, post: 1, 2, at: 10), event(.bodyEnded(queue: Self.worker), 2, at: 20),
      began(Self.worker, post: 2, 2, at: 30), event(.waitBegan(for: "main", holder: 0), 2, at: 40),
    ]
    for (order, event) in events.enumerated() { builder.take(event, order) }
    let steps = builder.steps(cutOffAt: Instant(nanoseconds: 100))
    #expect(steps[2].map(\.isUnfinished) == [false, true])
    #expect(steps[2].map(\.duration.nanoseconds) == [10, 70])
    #expect(steps[2][1].children.map(\.kind) == [.wait])
    #expect(steps[2][1].children.map(\.isUnfinished) == [true])
  }

  @Test func `a note is a moment of the innermost open step, and is left out without one`() {
    var builder = ScheduleSteps(from: Instant(nanoseconds: 0))
    builder.note("too early", strand: 0, at: Instant(nanoseconds: 5), 0)
    builder.take(began(Self.main, post: 1, 0, at: 10), 1)
    builder.note("calls the worker", strand: 0, at: Instant(nanoseconds: 12), 2)
    builder.take(event(.bodyEnded(queue: Self.main), 0, at: 20), 3)
    let steps = builder.steps(of: [])
    #expect(steps[0].count == 1)
    #expect(steps[0][0].children.map(\.text) == ["calls the worker"])
    #expect(steps[0][0].children[0].duration == .zero)
  }

  @Test func `an unfinished step is not merged with a finished one`() {
    var step = ScheduleStep(
      kind: .wait, queue: "main", thread: "main", text: "waits", begin: Instant(nanoseconds: 0), beginOrder: 0,
      end: Instant(nanoseconds: 1), endOrder: 1, duration: TimeSpan(nanoseconds: 1))
    let finished = step
    step.isUnfinished = true
    #expect(ScheduleStep.merging([finished, step]).count == 2)
    #expect(ScheduleStep.merging([finished, finished]).count == 1)
  }
}
