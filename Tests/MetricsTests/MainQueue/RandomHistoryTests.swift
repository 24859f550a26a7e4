import MachineCore
import Metrics
import Testing

/// The laws over seeded random histories, and the agreement with the slow computation.
@Suite struct RandomHistoryTests {
  private static let seeds: Range<UInt64> = 1..<41

  /// Returns a window that ends at some tick which the frames of the history cover.
  private func window(of history: RandomMainThread, seed: UInt64) -> Window {
    let schedule = history.schedule
    let first = schedule.firstTick(atOrAfter: schedule.windowStart)
    let last = history.ledger.frames.last { $0.end != nil }?.tick ?? 0
    var random = SeededRandom(seed: seed, stream: "window")
    let end = first + random.below(max(1, last - first + 1))
    return Window(start: schedule.windowStart, end: schedule.instant(ofTick: end))
  }

  @Test(arguments: seeds)
  func `busy and idle time add up to the window`(seed: UInt64) {
    let history = RandomMainThread(seed: seed, duration: .seconds(3))
    let window = window(of: history, seed: seed)
    let time = history.ledger.time(in: window)
    #expect(time.mainBusy + time.frameBusy + time[.idle] == window.length)
    #expect(TimeLabel.mainBusy.count + TimeLabel.frameBusy.count + 1 == TimeLabel.allCases.count)
  }

  @Test(arguments: seeds)
  func `the time of every label equals the naive calculation`(seed: UInt64) {
    let history = RandomMainThread(seed: seed, duration: .seconds(2))
    let window = window(of: history, seed: seed)
    let time = history.ledger.time(in: window)
    let naive = NaiveMeasures(history: history)
      .time(from: window.start.nanoseconds, to: window.end.nanoseconds)
    for label in TimeLabel.allCases {
      #expect(time[label].nanoseconds == naive[label, default: 0], "\(label)")
    }
  }

  @Test(arguments: seeds)
  func `the CPU time of a block counts if the block begins in the window`(seed: UInt64) {
    let history = RandomMainThread(seed: seed, duration: .seconds(2))
    let window = window(of: history, seed: seed)
    let time = history.ledger.time(in: window)
    let began = history.blocks.filter { window.contains(Instant(nanoseconds: $0.begin)) }
    #expect(time.mainCPU.nanoseconds == began.filter { $0.tick == nil }.reduce(0) { $0 + $1.cpu })
    #expect(time.frameCPU.nanoseconds == began.filter { $0.tick != nil }.reduce(0) { $0 + $1.cpu })
  }

  @Test(arguments: seeds)
  func `every tick is either posted or missed`(seed: UInt64) {
    let history = RandomMainThread(seed: seed, duration: .seconds(3))
    let naive = NaiveMeasures(history: history)
    let window = window(of: history, seed: seed)
    let frames = FrameTimeline(schedule: history.schedule, frames: history.ledger.frames)
    let measures = frames.measures(in: window)
    let ticks = naive.ticks(in: window)
    #expect(ticks.allSatisfy { naive.isPosted($0) != naive.isMissed($0) })
    #expect(measures.ticksCount == ticks.count)
    #expect(measures.droppedCount == ticks.filter(naive.isMissed).count)
  }

  @Test(arguments: seeds)
  func `the hitches of frames sum to the intervals of missed ticks`(seed: UInt64) {
    let history = RandomMainThread(seed: seed, duration: .seconds(3))
    let naive = NaiveMeasures(history: history)
    let timeline = FrameTimeline(schedule: history.schedule, frames: history.ledger.frames)
    // No hitch crosses the borders between the first frame posted in the window and the last one shown in it.
    let window = window(of: history, seed: seed)
    let measures = timeline.measures(in: window)
    let missed = naive.ticks(in: window).filter(naive.isMissed)
    #expect(
      measures.hitchTotal.nanoseconds == missed.reduce(0) { $0 + naive.due($1 + 1) - naive.due($1) })
    let hitches = naive.frames.map { frame -> Int64 in
      let from = max(naive.due((frame.tick ?? 0) + 1), naive.ticks(in: window).first.map(naive.due) ?? .max)
      let to = min(naive.due(naive.shown(frame)), window.end.nanoseconds)
      return max(0, to - from)
    }
    #expect(measures.hitchTotal.nanoseconds == hitches.reduce(0, +))
  }

  @Test(arguments: seeds)
  func `rows of frames equal the naive calculation`(seed: UInt64) throws {
    let history = RandomMainThread(seed: seed, duration: .seconds(2))
    let naive = NaiveMeasures(history: history)
    let window = window(of: history, seed: seed)
    let origin = window.start.nanoseconds
    let rows = FrameTimeline(schedule: history.schedule, frames: history.ledger.frames).rows(in: window)
    #expect(rows.map(\.tick) == naive.ticks(in: window))
    for row in rows {
      #expect(row.due.nanoseconds == naive.due(row.tick) - origin)
      #expect(row.lateness.nanoseconds == naive.lateness(row.tick))
      let raw = naive.frames.first { $0.tick == row.tick }
      #expect((raw == nil) == (row.frame == nil))
      guard let raw, let frame = row.frame else { continue }
      #expect(frame.start.nanoseconds == raw.begin - origin)
      #expect(frame.end.nanoseconds == raw.end - origin)
      #expect(frame.shownTick == naive.shown(raw))
      #expect(frame.missedCount == naive.shown(raw) - row.tick - 1)
      #expect(frame.late.nanoseconds == raw.begin - naive.due(row.tick))
      let before = naive.time(from: naive.due(row.tick), to: raw.begin)
      let candidates = TimeLabel.mainBusy.filter { before[$0, default: 0] > 0 }
      let most = candidates.map { before[$0, default: 0] }.max()
      #expect(frame.cause == candidates.first { before[$0] == most } ?? .idle)
      #expect(frame.wait.nanoseconds == naive.time(from: raw.begin, to: raw.end)[.frameWait, default: 0])
    }
  }

  @Test(arguments: seeds)
  func `stalls, hangs and slow seconds equal the naive calculation`(seed: UInt64) {
    let history = RandomMainThread(seed: seed, duration: .seconds(4))
    let naive = NaiveMeasures(history: history)
    let window = window(of: history, seed: seed)
    let timeline = FrameTimeline(schedule: history.schedule, frames: history.ledger.frames)
    let measures = timeline.measures(in: window)
    let ticks = naive.ticks(in: window)
    let lateness = ticks.compactMap(naive.lateness).sorted()
    for percent in [50, 95, 99] {
      let rank = lateness.indices.first { 100 * ($0 + 1) >= percent * lateness.count }
      #expect(measures.stalls[percent: percent] == rank.map { lateness[$0] })
    }
    #expect(measures.stalls.maximum == lateness.last)

    let inWindow = naive.frames.filter { ticks.contains($0.tick ?? -1) }
    let late = inWindow.filter { $0.begin - naive.due($0.tick ?? 0) >= 250_000_000 }
    #expect(measures.hangsCount == late.count)
    let stalled = inWindow.filter { $0.begin > naive.due(($0.tick ?? 0) + 1) }
    #expect(timeline.stalls(in: window).map(\.tick) == stalled.compactMap(\.tick))

    let seconds = window.length.nanoseconds / 1_000_000_000
    let slow = (0..<seconds).filter { second in
      let begin = window.start.nanoseconds + second * 1_000_000_000
      let shown = naive.frames.map { naive.due(naive.shown($0)) }
      return shown.filter { $0 >= begin && $0 < begin + 1_000_000_000 }.count < 30
    }
    #expect(measures.secondsBelow30FPSCount == slow.count)
  }

  @Test(arguments: seeds)
  func `a ledger that grows measures the same as a large one`(seed: UInt64) {
    let small = RandomMainThread(seed: seed, duration: .seconds(2), tickCapacity: 0)
    let large = RandomMainThread(seed: seed, duration: .seconds(2), tickCapacity: 10_000)
    let window = window(of: small, seed: seed)
    #expect(small.ledger.time(in: window) == large.ledger.time(in: window))
    #expect(small.ledger.frames == large.ledger.frames)
  }

  @Test func `the random histories contain hangs, dropped frames and every label`() {
    // The test guards the laws above against histories without such events.
    var hangs = 0
    var dropped = 0
    var labels: Set<TimeLabel> = []
    for seed in Self.seeds {
      let history = RandomMainThread(seed: seed, duration: .seconds(3))
      let window = window(of: history, seed: seed)
      let timeline = FrameTimeline(schedule: history.schedule, frames: history.ledger.frames)
      hangs += timeline.measures(in: window).hangsCount
      dropped += timeline.measures(in: window).droppedCount
      let time = history.ledger.time(in: window)
      labels.formUnion(TimeLabel.allCases.filter { time[$0] > .zero })
    }
    #expect(hangs > 10)
    #expect(dropped > 100)
    #expect(labels == Set(TimeLabel.allCases))
  }
}
