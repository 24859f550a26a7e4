import MachineCore
import Metrics
import Testing

@Suite struct TickScheduleTests {
  private let schedule = TickSchedule(start: Instant(nanoseconds: 1_000), refreshRate: 60)

  @Test func `ticks stay exact over an hour`() {
    #expect(schedule.instant(ofTick: 0).nanoseconds == 1_000)
    #expect(schedule.instant(ofTick: 1).nanoseconds == 1_000 + 16_666_666)
    #expect(schedule.instant(ofTick: 2).nanoseconds == 1_000 + 33_333_333)
    #expect(schedule.instant(ofTick: 60).nanoseconds == 1_000 + 1_000_000_000)
    #expect(schedule.instant(ofTick: 216_000).nanoseconds == 1_000 + 3_600_000_000_000)
  }

  @Test(arguments: [1, 7, 30, 60, 90, 120, 144, 240])
  func `firstTick(atOrAfter:) returns the earliest tick from the instant on`(rate: Int) {
    let schedule = TickSchedule(start: Instant(nanoseconds: 77), refreshRate: rate)
    for tick in [0, 1, 2, 59, 60, 61, 1_234, 432_000] {
      let due = schedule.instant(ofTick: tick)
      #expect(schedule.firstTick(atOrAfter: due) == tick)
      #expect(schedule.firstTick(atOrAfter: due + TimeSpan(nanoseconds: 1)) == tick + 1)
      #expect(schedule.firstTick(atOrAfter: due - TimeSpan(nanoseconds: 1)) == max(0, tick))
    }
    #expect(schedule.firstTick(atOrAfter: Instant(nanoseconds: -5)) == 0)
  }

  @Test(arguments: 1...480)
  func `the window starts between two ticks`(rate: Int) {
    let schedule = TickSchedule(start: Instant(nanoseconds: 0), refreshRate: rate)
    let next = schedule.firstTick(atOrAfter: schedule.windowStart)
    #expect(schedule.instant(ofTick: next) > schedule.windowStart)
  }

  @Test func `the window starts 200 ms and half an interval after the ticker`() {
    #expect(schedule.windowStart.nanoseconds == 1_000 + 200_000_000 + 8_333_333)
  }
}

@Suite struct NearestRankTests {
  @Test func `a percentile is the element of rank p times n, rounded up`() {
    let ranks = NearestRank([50, 20, 15, 40, 35])
    #expect(ranks[percent: 5] == 15)
    #expect(ranks[percent: 30] == 20)
    #expect(ranks[percent: 40] == 20)
    #expect(ranks[percent: 50] == 35)
    #expect(ranks[percent: 100] == 50)
    #expect(ranks.maximum == 50)
  }

  @Test func `the 99th percentile of 100 values is the 99th value`() {
    #expect(NearestRank(1...100)[percent: 99] == 99)
    #expect(NearestRank(1...101)[percent: 99] == 100)
  }

  @Test func `an empty series has no percentile`() {
    #expect(NearestRank([])[percent: 50] == nil)
    #expect(NearestRank([]).maximum == nil)
  }

  @Test func `quotients are rounded half up`() {
    #expect(dividedHalfUp(5, by: 2) == 3)
    #expect(dividedHalfUp(7, by: 3) == 2)
    #expect(dividedHalfUp(8, by: 3) == 3)
    #expect(dividedHalfUp(Int128(3_600_000_000_000) * 1_000_000, by: 3_600_000_000_000) == 1_000_000)
  }
}

@Suite struct FrameGateTests {
  @Test func `a tick posts no frame while one is pending or running`() {
    let gate = FrameGate()
    #expect(gate.posts(tickDueAt: Instant(nanoseconds: 0)))
    #expect(!gate.posts(tickDueAt: Instant(nanoseconds: 10)))
    #expect(gate.frameEnded(at: Instant(nanoseconds: 15)) == Instant(nanoseconds: 15))
    #expect(gate.posts(tickDueAt: Instant(nanoseconds: 20)))
  }

  @Test func `a tick posts a frame if the previous one ends at the tick`() {
    let gate = FrameGate()
    #expect(gate.posts(tickDueAt: Instant(nanoseconds: 0)))
    #expect(gate.frameEnded(at: Instant(nanoseconds: 10)) == Instant(nanoseconds: 10))
    #expect(gate.posts(tickDueAt: Instant(nanoseconds: 10)))
  }

  @Test func `a tick during a frame is missed although the ticker wakes later`() {
    let gate = FrameGate()
    #expect(gate.posts(tickDueAt: Instant(nanoseconds: 0)))
    _ = gate.frameEnded(at: Instant(nanoseconds: 12))
    #expect(!gate.posts(tickDueAt: Instant(nanoseconds: 10)))
    #expect(gate.posts(tickDueAt: Instant(nanoseconds: 20)))
  }

  @Test func `a frame end reported after a tick is moved past that tick`() {
    let gate = FrameGate()
    #expect(gate.posts(tickDueAt: Instant(nanoseconds: 0)))
    // The frame ended at 9, and the main thread was delayed before this call.
    #expect(!gate.posts(tickDueAt: Instant(nanoseconds: 10)))
    #expect(gate.frameEnded(at: Instant(nanoseconds: 9)) == Instant(nanoseconds: 11))
    #expect(gate.posts(tickDueAt: Instant(nanoseconds: 20)))
  }
}
