import MachineCore
import Testing

@testable import TrialProcesses

/// The steps of a machine's threads, also of a machine that stopped before they ended.
@Suite struct ScheduleStepsTests {
  private func event(_ content: RecordedEvent.Content, _ strand: Int, at nanoseconds: Int64) -> RecordedEvent {
    RecordedEvent(content, strand: strand, at: Instant(nanoseconds: nanoseconds))
  }

  private func began(_ queue: String, post: Int, _ strand: Int, at nanoseconds: Int64) -> RecordedEvent {
    event(.bodyBegan(queue: queue, post: post, caller: nil), strand, at: nanoseconds)
  }

  @Test func `steps that have not ended are cut off and marked, at every depth`() {
    let events = [
      began("worker", post: 1, 2, at: 10), event(.bodyEnded, 2, at: 20), began("worker", post: 2, 2, at: 30),
      event(.waitBegan("main", holder: 0), 2, at: 40), event(.waitEnded, 0, at: 100),
    ]
    let steps = ScheduleSteps(events, cutsOff: true).threads
    #expect(steps[2].map(\.isUnfinished) == [false, true])
    #expect(steps[2].map(\.duration.nanoseconds) == [10, 70])
    #expect(steps[2][1].children.map(\.kind) == [.wait])
    #expect(steps[2][1].children.map(\.isUnfinished) == [true])
    #expect(steps[2][1].children.map(\.wait?.place) == ["block of worker"])
    #expect(ScheduleSteps(events).threads[2].count == 1)
  }

  @Test func `a noted call is a step of the innermost open one, and is left out without one`() {
    let events = [
      event(.noted(.called("too early")), 0, at: 5), began("main", post: 1, 0, at: 10),
      event(.noted(.called("calls the worker")), 0, at: 12), event(.bodyEnded, 0, at: 20),
    ]
    let steps = ScheduleSteps(events).threads
    #expect(steps[0].count == 1)
    #expect(steps[0][0].children.map(\.text) == ["calls the worker"])
    #expect(steps[0][0].children[0].duration == .zero)
  }

  @Test func `repetitions of a statement are one step with their number`() {
    let events = [
      began("main", post: 1, 0, at: 10), event(.statement(connection: "writer", sql: "INSERT INTO ZNOTE"), 0, at: 11),
      event(.repeated(9), 0, at: 19), event(.bodyEnded, 0, at: 20),
    ]
    let steps = ScheduleSteps(events).threads
    #expect(steps[0][0].lines().map(\.depth) == [0, 1])
    #expect(steps[0][0].children.map(\.count) == [10])
  }

  @Test func `an unfinished step is not merged with a finished one`() {
    let finished = ScheduleStep(.wait, "waits", queue: "main", thread: "main", at: Instant(nanoseconds: 0), order: 0)
    var unfinished = finished
    unfinished.isUnfinished = true
    #expect(ScheduleStep.merging([finished, unfinished]).count == 2)
    #expect(ScheduleStep.merging([finished, finished]).count == 1)
  }
}
