import MachineCore
import Metrics
import Testing

/// A hand-written history of the main thread, in milliseconds since t₀ at 10 Hz: w₀ = 250 ms, ticks at 300, 400, …
private struct Script {
  let ledger = MainQueueLedger(tickCapacity: 4)
  let schedule = TickSchedule(start: Instant(nanoseconds: 0), refreshRate: 10)

  init() {
    ledger.start(schedule)
  }

  func block(_ begin: Int64, _ end: Int64, cpu: Int64 = 0, _ body: () -> Void = {}) {
    ledger.blockBegan(at: at(begin), cpu: .zero)
    body()
    ledger.blockEnded(at: at(end), cpu: .milliseconds(cpu))
  }

  func activity(_ activity: Activity, _ begin: Int64, _ end: Int64, _ body: () -> Void = {}) {
    ledger.activityBegan(activity, at: at(begin))
    body()
    ledger.activityEnded(activity, at: at(end))
  }

  func wait(_ begin: Int64, _ end: Int64) {
    ledger.waitBegan(for: "writer", at: at(begin))
    ledger.waitEnded(at: at(end))
  }

  func frame(_ tick: Int, _ begin: Int64, _ end: Int64, cpu: Int64 = 0, _ body: () -> Void = {}) {
    block(begin, end, cpu: cpu) {
      activity(.frame, begin, end) {
        ledger.frameBegan(tick: tick, at: at(begin))
        body()
        ledger.frameEnded(at: at(end))
      }
    }
  }

  func time(until end: Int64) -> MainQueueTime {
    ledger.time(in: Window(start: schedule.windowStart, end: at(end)))
  }

  func at(_ milliseconds: Int64) -> Instant {
    Instant(nanoseconds: milliseconds * 1_000_000)
  }
}

@Suite struct MainQueueLedgerTests {
  @Test func `a block counts only with its part inside the window`() {
    let script = Script()
    script.block(200, 280, cpu: 50) { script.activity(.save, 210, 270) }
    script.block(390, 450, cpu: 30)
    let time = script.time(until: 400)
    #expect(time[.save] == .milliseconds(20))
    #expect(time[.other] == .milliseconds(10 + 10))
    #expect(time.mainBusy == .milliseconds(40))
    #expect(time[.idle] == .milliseconds(110))
    // The CPU of the first block counts before the window, all of the second's in it.
    #expect(time.mainCPU == .milliseconds(30))
  }

  @Test func `a block that begins at the window's end is outside the window`() {
    let script = Script()
    script.block(400, 420, cpu: 7)
    #expect(script.time(until: 400).mainCPU == .zero)
    #expect(script.time(until: 400).mainBusy == .zero)
  }

  @Test func `time counts for the innermost activity`() {
    let script = Script()
    script.block(300, 400) {
      script.activity(.importing, 310, 390) {
        script.activity(.fetch, 320, 350) { script.activity(.fault, 330, 335) }
      }
    }
    let time = script.time(until: 400)
    #expect(time[.other] == .milliseconds(20))
    #expect(time[.importing] == .milliseconds(50))
    #expect(time[.fetch] == .milliseconds(25))
    #expect(time[.fault] == .milliseconds(5))
  }

  @Test(arguments: [Activity.merge, .reset])
  func `activities inside a merge or reset count as its time, except waits`(activity: Activity) {
    let script = Script()
    script.block(300, 400) {
      script.activity(.save, 300, 400) {
        script.activity(activity, 310, 390) {
          script.activity(.fault, 320, 360) { script.wait(330, 350) }
        }
      }
    }
    let time = script.time(until: 400)
    #expect(time[activity == .merge ? .merge : .reset] == .milliseconds(60))
    #expect(time[.wait] == .milliseconds(20))
    #expect(time[.save] == .milliseconds(20))
    #expect(time[.fault] == .zero)
  }

  @Test func `faults and waits inside a frame count as parts of the frame`() {
    let script = Script()
    script.frame(3, 300, 340, cpu: 9) {
      script.activity(.fault, 305, 320) {
        script.wait(307, 310)
        script.activity(.fetch, 310, 315)
      }
      script.wait(325, 330)
    }
    script.frame(4, 400, 401)
    let time = script.time(until: 400)
    #expect(time.frameBusy == .milliseconds(40))
    #expect(time[.frameFault] == .milliseconds(12))
    #expect(time[.frameWait] == .milliseconds(8))
    #expect(time.mainBusy == .zero)
    #expect(time.frameCPU == .milliseconds(9))
    #expect(time.mainCPU == .zero)
    #expect(script.ledger.frames.map(\.wait) == [.milliseconds(8), .zero])
  }

  @Test func `a block with a frame counts as frame time from begin to end`() {
    let script = Script()
    script.block(300, 320) {
      script.activity(.frame, 303, 317) {
        script.ledger.frameBegan(tick: 3, at: script.at(304))
        script.ledger.frameEnded(at: script.at(316))
      }
    }
    script.frame(4, 400, 401)
    #expect(script.time(until: 400).frameBusy == .milliseconds(20))
    #expect(script.time(until: 400).mainBusy == .zero)
  }

  @Test func `the cause of a late frame is the longest label since its tick`() {
    let script = Script()
    script.block(280, 360) { script.activity(.importing, 280, 310) }
    script.block(360, 420) { script.activity(.merge, 360, 420) }
    script.frame(3, 425, 430)
    script.frame(5, 510, 515)
    script.block(599, 601)
    script.frame(6, 690, 695)
    // The time since tick 3 has 10 ms of import, 50 ms without an activity and 60 ms of merging. The next frame has an
    // idle queue before it, and the last one 1 ms of other work.
    #expect(script.ledger.frames.map(\.cause) == [.merge, .idle, .other])
  }

  @Test func `onBlockEnd receives the instant at which each block ends`() {
    let script = Script()
    var ends: [Instant] = []
    script.ledger.onBlockEnd = { ends.append($0) }
    script.block(300, 310)
    script.frame(3, 310, 320)
    #expect(ends == [script.at(310), script.at(320)])
  }

  @Test func `activities outside a block count as idle time`() {
    let script = Script()
    script.activity(.fetch, 300, 350)
    script.block(400, 410)
    #expect(script.time(until: 400)[.idle] == .milliseconds(150))
  }

  @Test func `activities nest a thousand levels deep`() {
    let script = Script()
    script.block(300, 400) {
      for _ in 0..<1_000 { script.ledger.activityBegan(.push, at: script.at(310)) }
      for _ in 0..<1_000 { script.ledger.activityEnded(.push, at: script.at(390)) }
    }
    #expect(script.time(until: 400)[.push] == .milliseconds(80))
    #expect(script.time(until: 400)[.other] == .milliseconds(20))
  }

  @Test func `a misused ledger stops the process`() async {
    await #expect(processExitsWith: .failure) {
      let ledger = MainQueueLedger(tickCapacity: 1)
      ledger.frameBegan(tick: 0, at: Instant(nanoseconds: 0))
    }
    await #expect(processExitsWith: .failure) {
      let ledger = MainQueueLedger(tickCapacity: 1)
      ledger.blockBegan(at: Instant(nanoseconds: 0), cpu: .zero)
      ledger.activityBegan(.save, at: Instant(nanoseconds: 0))
      ledger.activityEnded(.save, at: Instant(nanoseconds: 1))
      ledger.activityBegan(.frame, at: Instant(nanoseconds: 1))
    }
  }
}
