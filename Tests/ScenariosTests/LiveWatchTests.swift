import MachineCore
import Testing
import TrialProcesses

@testable import Experiments

/// The watch of a live machine finds deadlocks and standstills by the order of events alone.
@Suite struct LiveWatchTests {
  private let watch = LiveWatch(StepRecorder { _ in })
  private static let child = ScheduleQueue(label: "child", number: 1)
  private static let main = ScheduleQueue(label: "main", number: 2)

  private func record(_ event: ScheduleEvent, on strand: Int) {
    watch.record(event, strand: strand, at: Instant(nanoseconds: 0))
  }

  /// Begins a posted block of `child` on thread 2, and a posted block of `main` on the main thread.
  private func beginBlocks() {
    for (queue, number) in [(Self.child, 1), (Self.main, 2)] {
      record(.posted(queue: queue, number: number, role: .background, due: nil), on: 1)
    }
    record(.bodyBegan(queue: Self.child, role: .background, cause: .post(1)), on: 2)
    record(.bodyBegan(queue: Self.main, role: .background, cause: .post(2)), on: 0)
  }

  @Test func `two threads that wait for each other's queues are a deadlock`() {
    beginBlocks()
    record(.waitBegan(for: "child", holder: nil), on: 0)
    record(.waitBegan(for: "main", holder: 0), on: 2)
    let error = #expect(throws: LiveWatch.Deadlock.self) { try watch.waitForStandstill() }
    #expect(error?.message == "deadlock: 2 threads wait for each other's “main”, “child”")
  }

  @Test func `a caller that main has served is not part of a circle, even if it has not noticed`() throws {
    beginBlocks()
    record(.waitBegan(for: "main", holder: 0), on: 2)
    record(.bodyEnded(queue: Self.main), on: 0)
    record(.bodyBegan(queue: Self.main, role: .background, cause: .call(from: 2)), on: 0)
    record(.bodyEnded(queue: Self.main), on: 0)
    record(.posted(queue: Self.main, number: 3, role: .background, due: nil), on: 1)
    record(.bodyBegan(queue: Self.main, role: .background, cause: .post(3)), on: 0)
    record(.waitBegan(for: "child", holder: 2), on: 0)
    record(.waitEnded, on: 2)
    record(.bodyEnded(queue: Self.child), on: 2)
    record(.waitEnded, on: 0)
    record(.bodyEnded(queue: Self.main), on: 0)
    try watch.waitForStandstill()
  }

  @Test func `a turn that its holder has given up closes no circle`() throws {
    beginBlocks()
    record(.waitBegan(for: "child", holder: 2), on: 0)
    record(.bodyEnded(queue: Self.child), on: 2)
    record(.waitBegan(for: "main", holder: 0), on: 2)
    record(.waitEnded, on: 0)
    record(.bodyEnded(queue: Self.main), on: 0)
    try watch.waitForStandstill()
  }

  @Test func `a circle of waits on real threads ends the side with a deadlock`() throws {
    let scenario = try #require(ScenarioLibrary.all.first { $0.id == "wait-for-child-save" })
    let run = try Recorded.run(scenario.trouble, on: .live)
    #expect(Symptom.deadlock.finding(in: run, against: run).isShown)
    #expect(run.circle.count == 2)
  }
}
