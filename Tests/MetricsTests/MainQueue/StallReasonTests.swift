import MachineCore
import Metrics
import Testing

/// Tests of the recorded reasons of late frames, on histories written by hand: milliseconds since t₀ at 10 Hz.
@Suite struct StallReasonTests {
  private let ledger = MainQueueLedger(tickCapacity: 16)

  init() {
    ledger.start(TickSchedule(start: Instant(nanoseconds: 0), refreshRate: 10))
  }

  private func at(_ milliseconds: Int64) -> Instant {
    Instant(nanoseconds: milliseconds * 1_000_000)
  }

  private func block(_ begin: Int64, _ end: Int64, _ body: () -> Void = {}) {
    ledger.blockBegan(at: at(begin), cpu: .zero)
    body()
    ledger.blockEnded(at: at(end), cpu: .zero)
  }

  private func activity(
    _ activity: Activity, _ begin: Int64, _ end: Int64, of count: Int = 0, in context: String? = nil,
    _ body: () -> Void = {}
  ) {
    ledger.activityBegan(activity, of: count, in: context, at: at(begin))
    body()
    ledger.activityEnded(activity, at: at(end))
  }

  private func statement(_ sql: String, _ begin: Int64, _ end: Int64) {
    sql.withCString { ledger.statementBegan(RunningStatement(text: $0), at: at(begin)) }
    ledger.statementBegan(nil, at: at(end))
  }

  private func wait(_ begin: Int64, _ end: Int64, _ label: String, _ holder: TurnHolder? = nil) {
    ledger.waitBegan(for: label, heldBy: holder, at: at(begin))
    ledger.waitEnded(at: at(end))
  }

  private func frame(_ tick: Int, _ begin: Int64, _ end: Int64) {
    block(begin, end) {
      activity(.frame, begin, end) {
        ledger.frameBegan(tick: tick, at: at(begin))
        ledger.frameEnded(at: at(end))
      }
    }
  }

  @Test func `a frame at most one interval late has no stall reason`() {
    frame(0, 0, 10)
    block(110, 200) { activity(.save, 110, 200, of: 3, in: "main") }
    frame(1, 200, 210)
    #expect(ledger.stallReasons.isEmpty)
  }

  @Test func `the context of a reason is that with the longest time of the cause`() {
    frame(0, 0, 10)
    block(100, 290) {
      activity(.save, 100, 150, of: 7, in: "screen") {}
      activity(.fetch, 150, 190, of: 40, in: "main") {}
      activity(.save, 190, 280, of: 20, in: "main") {}
    }
    frame(1, 290, 295)
    #expect(ledger.frames[1].cause == .save)
    #expect(ledger.stallReasons == [1: StallReason(context: "main", objectCount: 20)])
  }

  @Test func `a reason counts only the time since the tick`() {
    frame(0, 0, 10)
    block(20, 60) { activity(.importing, 20, 60, of: 900, in: "worker") }
    block(60, 350) {
      activity(.importing, 60, 340, of: 500, in: "main") {
        statement("SELECT 1", 60, 98)
        activity(.fetch, 99, 130, of: 10, in: "main") { statement("SELECT 2", 100, 120) }
      }
    }
    frame(1, 350, 360)
    #expect(
      ledger.stallReasons == [1: StallReason(context: "main", objectCount: 500, statement: "SELECT 2")])
  }

  @Test func `nested activities of one kind count objects and context of the outer one`() {
    frame(0, 0, 10)
    block(100, 290) {
      activity(.fetch, 100, 290, in: "main") {
        activity(.fetch, 110, 280, of: 30, in: "root") { ledger.objectsNoted(5) }
        ledger.objectsNoted(30)
      }
    }
    frame(1, 290, 300)
    #expect(ledger.stallReasons == [1: StallReason(context: "main", objectCount: 30)])
  }

  @Test func `activities inside a merge count for the merge`() {
    frame(0, 0, 10)
    block(100, 290) {
      activity(.merge, 100, 290, of: 250, in: "main") {
        for _ in 0..<9 { activity(.fault, 120, 120, of: 1, in: "root") }
      }
    }
    frame(1, 290, 300)
    #expect(ledger.stallReasons == [1: StallReason(context: "main", objectCount: 250)])
  }

  @Test func `the statement of a reason has the longest total time, first on a tie`() {
    frame(0, 0, 10)
    block(100, 290) {
      activity(.save, 100, 290, in: "main") {
        statement("BEGIN", 100, 101)
        for begin in stride(from: Int64(110), to: 150, by: 10) { statement("INSERT", begin, begin + 5) }
        statement("COMMIT", 150, 168)
        statement("UPDATE", 170, 190)
      }
    }
    frame(1, 290, 300)
    #expect(ledger.stallReasons[1]?.statement == "INSERT")
  }

  @Test func `a statement that runs across the tick counts from the tick on`() {
    frame(0, 0, 10)
    block(20, 350) {
      activity(.fetch, 20, 350, in: "main") {
        statement("SELECT long before", 20, 110)
        statement("SELECT later", 110, 130)
      }
    }
    frame(1, 350, 360)
    #expect(ledger.stallReasons[1]?.statement == "SELECT later")
  }

  @Test func `a statement reported ahead of time counts for the stall around it`() {
    frame(0, 0, 10)
    ledger.blockBegan(at: at(90), cpu: .zero)
    ledger.activityBegan(.save, of: 2, in: "main", at: at(90))
    "INSERT".withCString { ledger.statementBegan(RunningStatement(text: $0), at: at(95)) }
    // No event has been reported since 90 ms. The work until then is not reported yet.
    "COMMIT".withCString { ledger.statementBegan(RunningStatement(text: $0), at: at(160)) }
    ledger.statementBegan(nil, at: at(180))
    ledger.activityEnded(.save, at: at(280))
    ledger.blockEnded(at: at(280), cpu: .zero)
    frame(1, 280, 290)
    #expect(ledger.stallReasons[1]?.statement == "INSERT")
  }

  @Test func `the wait of a reason is the longest within the stall, with its holder`() {
    let saving = TurnHolder(queue: "root", activity: .save)
    frame(0, 0, 10)
    block(80, 350) {
      activity(.fetch, 80, 350, in: "main") {
        wait(80, 110, "store pool")
        wait(120, 150, "root", saving)
        wait(150, 170, "store writer", TurnHolder(queue: "worker", activity: .save))
        wait(180, 200, "root", saving)
      }
    }
    frame(1, 350, 360)
    let reason = ledger.stallReasons[1]
    #expect(reason?.waitedFor == "root: save")
    #expect(reason?.waited == .milliseconds(50))
    #expect(reason?.context == "main")
  }

  @Test func `each stall has its own reason`() {
    frame(0, 0, 10)
    block(100, 290) { activity(.save, 100, 290, of: 20, in: "main") { statement("INSERT", 110, 200) } }
    frame(1, 290, 300)
    block(310, 520) { activity(.merge, 310, 520, of: 3, in: "screen") }
    frame(4, 520, 530)
    // A frame that ends on the tick that posts the next one.
    block(610, 700) { activity(.push, 610, 700, of: 9, in: "root") }
    frame(6, 760, 800)
    block(800, 990) { activity(.reset, 800, 990, of: 70, in: "main") }
    frame(8, 990, 995)
    #expect(
      ledger.stallReasons == [
        1: StallReason(context: "main", objectCount: 20, statement: "INSERT"),
        4: StallReason(context: "screen", objectCount: 3),
        6: StallReason(context: "root", objectCount: 9),
        8: StallReason(context: "main", objectCount: 70),
      ])
  }

  @Test func `a stall with forty contexts and statements finds the longest ones`() {
    frame(0, 0, 10)
    block(100, 990) {
      for number in Int64(0)..<40 {
        let begin = 100 + 20 * number
        activity(.save, begin, begin + (number == 33 ? 19 : 11), of: Int(number), in: "context \(number)") {
          statement("INSERT \(number)", begin, begin + (number == 17 ? 10 : 9))
        }
      }
    }
    frame(1, 990, 999)
    #expect(
      ledger.stallReasons == [1: StallReason(context: "context 33", objectCount: 33, statement: "INSERT 17")])
  }

  @Test(
    arguments: [
      ("root", nil, "root"),
      ("root", TurnHolder(queue: "root", activity: .save), "root: save"),
      ("root", TurnHolder(queue: "root"), "root: block"),
      ("store writer", TurnHolder(queue: "worker", activity: .importing), "store writer: import on worker"),
      ("store writer", TurnHolder(queue: "worker"), "store writer: block of worker"),
      (
        "root", TurnHolder(queue: "root", activity: .save, awaited: "store writer"),
        "root: save (waits for store writer)"
      ),
    ] as [(String, TurnHolder?, String)])
  func `the text of a wait has its label and the holder's activity`(
    _ label: String, _ holder: TurnHolder?, _ text: String
  ) {
    #expect(StallReason.text(of: label, heldBy: holder) == text)
  }
}
