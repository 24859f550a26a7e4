import MachineCore
import Metrics
import Testing

@Suite struct FrameTimelineTests {
  /// 10 Hz from 0, so that instants read as milliseconds; w₀ = 250 ms.
  private let schedule = TickSchedule(start: Instant(nanoseconds: 0), refreshRate: 10)

  private func frame(_ tick: Int, _ start: Int64, _ end: Int64, _ cause: TimeLabel = .other) -> PostedFrame {
    PostedFrame(
      tick: tick, start: Instant(nanoseconds: start * 1_000_000), end: Instant(nanoseconds: end * 1_000_000),
      cause: cause)
  }

  private func timeline(_ frames: [PostedFrame]) -> FrameTimeline {
    FrameTimeline(schedule: schedule, frames: frames)
  }

  private func window(endingAtTick tick: Int) -> Window {
    Window(start: schedule.windowStart, end: schedule.instant(ofTick: tick))
  }

  @Test func `a late frame misses ticks and is shown at the next tick`() {
    // Tick 3 starts 120 ms late and ends at 520. Ticks 4 and 5 are missed, and the frame is shown at 600.
    let frames = timeline([frame(3, 420, 520, .save), frame(6, 600, 610), frame(7, 700, 710)])
    let measures = frames.measures(in: window(endingAtTick: 7))
    #expect(measures.ticksCount == 4)
    #expect(measures.droppedCount == 2)
    #expect(measures.hitchTotal == .milliseconds(200))
    // The hitches are 200 ms of 450 ms.
    #expect(measures.hitchMicrosecondsPerSecond == 444_444)
    #expect(measures.hangsCount == 0)
    // L_3 = 120, L_4 = 20 (it starts after tick 4), L_5 = 100, L_6 = 0.
    #expect(measures.stalls[percent: 50] == 20_000_000)
    #expect(measures.stalls.maximum == 120_000_000)

    let rows = frames.rows(in: window(endingAtTick: 7))
    #expect(rows.map(\.lateness) == [.milliseconds(120), .milliseconds(20), .milliseconds(100), .zero])
    #expect(rows.map { $0.frame?.missedCount } == [2, nil, nil, 0])
    #expect(rows.map { $0.frame?.shownTick } == [6, nil, nil, 7])
    #expect(rows.map(\.due) == [50, 150, 250, 350].map { TimeSpan.milliseconds($0) })
    #expect(
      frames.stalls(in: window(endingAtTick: 7)) == [
        StallRow(tick: 3, start: .milliseconds(50), duration: .milliseconds(120), cause: .save)
      ])
  }

  @Test func `a frame that ends at the next tick drops no frames`() {
    let measures = timeline([frame(3, 300, 400), frame(4, 400, 401), frame(5, 500, 501)])
      .measures(in: window(endingAtTick: 5))
    #expect(measures.droppedCount == 0)
    #expect(measures.hitchTotal == .zero)
    #expect(measures.stalls.maximum == 0)
  }

  @Test func `a stall is later than one interval, and a hang starts at 250 ms`() {
    let frames = timeline([frame(3, 400, 401), frame(5, 750, 751), frame(8, 1_049, 1_050), frame(11, 1_100, 1_101)])
    #expect(frames.stalls(in: window(endingAtTick: 11)).map(\.tick) == [5, 8])
    #expect(frames.measures(in: window(endingAtTick: 11)).hangsCount == 1)
  }

  @Test func `the hitch ratio is rounded to a whole number`() {
    // One missed interval of 100 ms in 1,600: 62,500 µs/s exactly; in 1,650: 60,606.06.
    let frames = timeline(
      (0..<20).compactMap { $0 == 4 ? nil : frame($0, Int64($0) * 100, Int64($0) * 100 + ($0 == 3 ? 150 : 1)) })
    let measures = frames.measures(in: window(endingAtTick: 19))
    #expect(measures.droppedCount == 1)
    #expect(measures.hitchMicrosecondsPerSecond == 60_606)
  }

  @Test func `only whole seconds count as slow`() {
    // A refresh rate of 10 Hz never shows 30 frames a second, and 3.05 s contain three whole seconds.
    let frames = timeline((0..<40).map { frame($0, Int64($0) * 100, Int64($0) * 100 + 1) })
    #expect(frames.measures(in: window(endingAtTick: 33)).secondsBelow30FPSCount == 3)
    #expect(frames.measures(in: window(endingAtTick: 32)).secondsBelow30FPSCount == 2)
  }

  @Test func `a frame shows what the screen holds when the frame starts`() {
    let frames = timeline([frame(3, 310, 320), frame(4, 400, 450), frame(5, 500, 501)])
    func shown(_ held: Int64) -> Int64? {
      frames.instantShown(whatIsHeldAt: Instant(nanoseconds: held * 1_000_000)).map { $0.nanoseconds / 1_000_000 }
    }
    #expect(shown(300) == 400)
    #expect(shown(310) == 400)
    #expect(shown(311) == 500)
    #expect(shown(500) == 600)
    #expect(shown(501) == nil)
  }

  @Test func `a frame posted during another frame stops the process`() async {
    await #expect(processExitsWith: .failure) {
      let schedule = TickSchedule(start: Instant(nanoseconds: 0), refreshRate: 10)
      let first = PostedFrame(tick: 0, start: Instant(nanoseconds: 0), end: Instant(nanoseconds: 150_000_000))
      let second = PostedFrame(tick: 1, start: Instant(nanoseconds: 150_000_000), end: nil)
      _ = FrameTimeline(schedule: schedule, frames: [first, second])
    }
  }
}
