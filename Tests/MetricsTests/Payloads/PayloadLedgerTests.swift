import MachineCore
import Metrics
import Testing

/// 10 Hz from 0, with frames of 1 ms at every tick. The objects that are held at t are shown one interval after the
/// next tick.
private let schedule = TickSchedule(start: Instant(nanoseconds: 0), refreshRate: 10)

private let steadyFrames = FrameTimeline(
  schedule: schedule,
  frames: (0..<100).map { tick in
    let due = schedule.instant(ofTick: tick)
    return PostedFrame(tick: tick, start: due, end: due + .milliseconds(1))
  })

private func at(_ milliseconds: Int64) -> Instant {
  Instant(nanoseconds: milliseconds * 1_000_000)
}

@Suite struct PayloadLedgerTests {
  private let window = Window(start: schedule.windowStart, end: at(2_000))

  @Test func `a payload is visible when a frame shows the block that delivers the payload`() {
    let ledger = PayloadLedger(payloadCount: 1, laneCount: 1, screenCount: 1)
    ledger.arrived(0, at: at(250))
    ledger.held(payload: 0, screen: 0)
    ledger.blockEnded(at: at(350))
    ledger.durable(0, at: at(900))
    let measures = ledger.measures(in: window, frames: steadyFrames)
    // The payload is held at 350, drawn by the frame at 400 and shown at 500.
    #expect(measures.timesToVisible?.maximum == 250_000_000)
    #expect(measures.visibleTime == .milliseconds(250))
    #expect(measures.timesToDurable?.maximum == 650_000_000)
    #expect(measures.importTime == .milliseconds(650))
    #expect(measures.atRiskMaximum == .milliseconds(400))
  }

  @Test func `a payload that is durable before it is visible is never at risk`() {
    let ledger = PayloadLedger(payloadCount: 1, laneCount: 1, screenCount: 1)
    ledger.arrived(0, at: at(250))
    ledger.durable(0, at: at(300))
    ledger.held(payload: 0, screen: 0)
    ledger.blockEnded(at: at(350))
    #expect(ledger.measures(in: window, frames: steadyFrames).atRiskMaximum == .zero)
  }

  @Test func `a payload is visible when every concerned screen shows the payload`() {
    let ledger = PayloadLedger(payloadCount: 1, laneCount: 1, screenCount: 3)
    ledger.arrived(0, at: at(250), concerning: [0, 2])
    ledger.held(payload: 0, screen: 0)
    ledger.blockEnded(at: at(300))
    #expect(ledger.measures(in: window, frames: steadyFrames).timesToVisible == nil)
    ledger.held(payload: 0, screen: 2)
    ledger.blockEnded(at: at(410))
    #expect(ledger.measures(in: window, frames: steadyFrames).visibleTime == .milliseconds(350))
  }

  @Test func `screens disagree while the display shows lists that were fetched after different saves`() {
    let ledger = PayloadLedger(payloadCount: 1, laneCount: 1, screenCount: 2)
    ledger.arrived(0, at: at(250))
    ledger.saved()
    ledger.fetched(by: 0)
    ledger.blockEnded(at: at(300))
    ledger.saved()
    // A block without a fetch has no effect.
    ledger.blockEnded(at: at(500))
    ledger.fetched(by: 0)
    ledger.fetched(by: 1)
    for screen in 0..<2 { ledger.held(payload: 0, screen: screen) }
    ledger.blockEnded(at: at(610))
    // Screen 0 has the first save on the display from 400 on, and both screens have both saves from 800 on.
    #expect(ledger.measures(in: window, frames: steadyFrames).disagreement == .milliseconds(400))
  }

  @Test func `screens that fetch in one block disagree only if a save comes between their fetches`() {
    for (isSavedBetween, expected) in [(false, TimeSpan.zero), (true, .milliseconds(1_600))] {
      let ledger = PayloadLedger(payloadCount: 1, laneCount: 1, screenCount: 2)
      ledger.arrived(0, at: at(250))
      ledger.saved()
      ledger.fetched(by: 0)
      if isSavedBetween { ledger.saved() }
      ledger.fetched(by: 1)
      for screen in 0..<2 { ledger.held(payload: 0, screen: screen) }
      ledger.blockEnded(at: at(300))
      // The disagreement lasts until the end of the window, at 2,000.
      #expect(ledger.measures(in: window, frames: steadyFrames).disagreement == expected)
    }
  }

  @Test func `a single screen never disagrees`() {
    let ledger = PayloadLedger(payloadCount: 1, laneCount: 1, screenCount: 1)
    ledger.arrived(0, at: at(250))
    ledger.saved()
    ledger.fetched(by: 0)
    ledger.held(payload: 0, screen: 0)
    ledger.blockEnded(at: at(350))
    #expect(ledger.measures(in: window, frames: steadyFrames).disagreement == .zero)
  }

  @Test func `a later payload of a lane makes the earlier ones visible`() {
    let ledger = PayloadLedger(payloadCount: 4, laneCount: 2, screenCount: 1)
    for payload in 0..<4 { ledger.arrived(payload, at: at(250)) }
    ledger.held(payload: 2, screen: 0)
    ledger.blockEnded(at: at(300))
    #expect(ledger.measures(in: window, frames: steadyFrames).timesToVisible == nil)
    ledger.held(payload: 3, screen: 0)
    ledger.held(payload: 0, screen: 0)
    ledger.blockEnded(at: at(500))
    let times = ledger.measures(in: window, frames: steadyFrames).timesToVisible
    // Payloads 0 and 2 are held since 300 and shown at 400. Payloads 1 and 3 are held since 500 and shown at 600.
    #expect(times?[percent: 50] == 150_000_000)
    #expect(times?[percent: 75] == 350_000_000)
  }

  @Test func `the first block in which a screen holds a payload counts`() {
    let ledger = PayloadLedger(payloadCount: 1, laneCount: 1, screenCount: 1)
    ledger.arrived(0, at: at(250))
    for end: Int64 in [300, 800] {
      ledger.held(payload: 0, screen: 0)
      ledger.blockEnded(at: at(end))
    }
    #expect(ledger.measures(in: window, frames: steadyFrames).visibleTime == .milliseconds(150))
  }

  @Test func `the last COMMIT with rows of a payload makes it durable`() {
    let ledger = PayloadLedger(payloadCount: 2, laneCount: 1, screenCount: 0)
    ledger.arrived(0, at: at(250))
    ledger.durable(0, at: at(300))
    ledger.durable(0, at: at(700))
    ledger.durable(0, at: at(600))
    // Payload 1 never arrived, and is not counted.
    #expect(ledger.measures(in: window, frames: steadyFrames).importTime == .milliseconds(450))
    #expect(ledger.isAllDurable)
  }

  @Test func `the visibility measures are nil without screens`() {
    let ledger = PayloadLedger(payloadCount: 1, laneCount: 1, screenCount: 0)
    ledger.arrived(0, at: at(250))
    ledger.durable(0, at: at(300))
    let measures = ledger.measures(in: window, frames: steadyFrames)
    #expect(measures.timesToVisible == nil)
    #expect(measures.visibleTime == nil)
    #expect(measures.atRiskMaximum == nil)
    #expect(measures.importTime == .milliseconds(50))
  }

  @Test func `the time to durable is nil if a payload is not durable`() {
    let ledger = PayloadLedger(payloadCount: 2, laneCount: 1, screenCount: 0)
    ledger.arrived(0, at: at(250))
    ledger.arrived(1, at: at(260))
    ledger.durable(0, at: at(300))
    #expect(!ledger.isAllDurable)
    #expect(ledger.measures(in: window, frames: steadyFrames).timesToDurable == nil)
  }

  @Test(arguments: 1..<31 as Range<UInt64>)
  func `the visibility of random payloads equals the naive calculation`(seed: UInt64) {
    var random = SeededRandom(seed: seed)
    let lanes = 1 + random.below(3)
    let screens = 1 + random.below(3)
    let payloads = 1 + random.below(12)
    let ledger = PayloadLedger(payloadCount: payloads, laneCount: lanes, screenCount: screens)
    var arrivals: [Int64] = []
    var concerned: [[Int]] = []
    for payload in 0..<payloads {
      arrivals.append(250 + Int64(random.below(100)))
      concerned.append((0..<screens).filter { _ in random.below(4) > 0 })
      ledger.arrived(payload, at: at(arrivals[payload]), concerning: concerned[payload])
    }
    // (payload, screen, end of the block)
    var held: [(Int, Int, Int64)] = []
    var now: Int64 = 400
    for _ in 0..<20 {
      var block: [(Int, Int)] = []
      for _ in 0..<random.below(4) { block.append((random.below(payloads), random.below(screens))) }
      for (payload, screen) in block { ledger.held(payload: payload, screen: screen) }
      now += Int64(random.below(150))
      ledger.blockEnded(at: at(now))
      held += block.map { ($0.0, $0.1, now) }
    }
    let visibles = (0..<payloads).map { payload -> Int64? in
      let shown = concerned[payload].map { screen -> Int64? in
        let since = held.filter { $0.0 >= payload && ($0.0 - payload) % lanes == 0 && $0.1 == screen }.map(\.2).min()
        return since.map { ($0 + 99) / 100 * 100 + 100 }
      }
      guard shown.allSatisfy({ $0 != nil }) else { return nil }
      return shown.compactMap(\.self).max() ?? arrivals[payload]
    }
    let measures = ledger.measures(in: window, frames: steadyFrames)
    if visibles.contains(nil) {
      #expect(measures.timesToVisible == nil)
    } else {
      let times = zip(visibles, arrivals).map { ($0 ?? 0) - $1 }
      #expect(measures.timesToVisible?.maximum == times.max().map { $0 * 1_000_000 })
      #expect(measures.timesToVisible?[percent: 50] == times.sorted()[(payloads - 1) / 2] * 1_000_000)
    }
  }
}

@Suite struct EditLedgerTests {
  private func edit(_ number: Int, in ledger: EditLedger, due: Int64, blockEnd: Int64, durable: Int64?) {
    ledger.performed(number, intended: at(due))
    ledger.acknowledged(
      EditLedger.Entry(edit: number, entity: "Product", key: "7", value: "note \(number)"), at: at(blockEnd - 1))
    ledger.blockEnded(at: at(blockEnd))
    if let durable { ledger.durable(number, at: at(durable)) }
  }

  @Test func `the response of an edit lasts from its intended time to its frame`() {
    let ledger = EditLedger(capacity: 4)
    edit(0, in: ledger, due: 260, blockEnd: 290, durable: 291)
    edit(1, in: ledger, due: 500, blockEnd: 710, durable: 1_250)
    let measures = ledger.measures(frames: steadyFrames)
    // The edits are shown at 400 and at 900.
    #expect(measures.responses?[percent: 50] == 140_000_000)
    #expect(measures.responses?.maximum == 400_000_000)
    #expect(measures.atRiskMaximum == .milliseconds(350))
    #expect(ledger.journal.map(\.value) == ["note 0", "note 1"])
  }

  @Test func `an edit without acknowledgement is not counted`() {
    let ledger = EditLedger(capacity: 4)
    ledger.performed(0, intended: at(260))
    ledger.blockEnded(at: at(290))
    #expect(ledger.measures(frames: steadyFrames).responses == nil)
    #expect(ledger.journal.isEmpty)
    #expect(ledger.isAllDurable)
  }

  @Test func `the time at risk is nil if an acknowledged edit is not durable`() {
    let ledger = EditLedger(capacity: 4)
    edit(0, in: ledger, due: 260, blockEnd: 290, durable: nil)
    #expect(!ledger.isAllDurable)
    #expect(ledger.measures(frames: steadyFrames).atRiskMaximum == nil)
    #expect(ledger.measures(frames: steadyFrames).responses != nil)
  }
}

@Suite struct WindowTests {
  private func window(_ payloads: PayloadLedger, _ edits: EditLedger = EditLedger(capacity: 1)) -> Window? {
    Window(schedule: schedule, payloads: payloads, edits: edits, frames: steadyFrames)
  }

  private func payload(durable: Int64, held: Int64? = nil, screens: Int = 1) -> PayloadLedger {
    let ledger = PayloadLedger(payloadCount: 1, laneCount: 1, screenCount: screens)
    ledger.arrived(0, at: at(250))
    ledger.durable(0, at: at(durable))
    if let held {
      ledger.held(payload: 0, screen: 0)
      ledger.blockEnded(at: at(held))
    }
    return ledger
  }

  @Test func `a window starts half an interval after a tick and ends at a tick`() {
    #expect(window(payload(durable: 601, held: 300)) == Window(start: at(250), end: at(700)))
    #expect(window(payload(durable: 600, held: 300))?.end == at(600))
  }

  @Test func `a window lasts until the last payload is visible`() {
    #expect(window(payload(durable: 300, held: 820))?.end == at(1_000))
  }

  @Test func `a window without visible payloads lasts until their last main block`() {
    let ledger = payload(durable: 300)
    ledger.causedBlock()
    ledger.blockEnded(at: at(730))
    ledger.blockEnded(at: at(1_900))
    #expect(window(ledger)?.end == at(800))
  }

  @Test func `a window with visible payloads ignores their last main block`() {
    let ledger = payload(durable: 300, held: 320)
    ledger.causedBlock()
    ledger.blockEnded(at: at(1_500))
    #expect(window(ledger)?.end == at(500))
  }

  @Test func `a window lasts until the last edit is shown and durable`() {
    let edits = EditLedger(capacity: 1)
    edits.performed(0, intended: at(600))
    edits.acknowledged(EditLedger.Entry(edit: 0, entity: "Item", key: "1", value: "x"), at: at(650))
    edits.blockEnded(at: at(660))
    #expect(window(payload(durable: 300, held: 320), edits)?.end == at(800))
    edits.durable(0, at: at(1_101))
    #expect(window(payload(durable: 300, held: 320), edits)?.end == at(1_200))
  }

  @Test func `the window is nil while a payload waits for its frame`() {
    #expect(window(payload(durable: 300, held: 50_000)) == nil)
  }
}
