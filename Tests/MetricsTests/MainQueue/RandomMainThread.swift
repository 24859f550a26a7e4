import MachineCore
import Metrics

/// A main thread with a seeded random history: blocks with nested activities and waits, and a ticker's frames.
///
/// It reports every event to a ledger and keeps the raw events, from which the tests compute the measures the slow way.
struct RandomMainThread {
  struct Interval {
    var begin: Int64
    var end: Int64
    /// The activity, or nil for a wait.
    var activity: Activity?
  }

  struct Block {
    var begin: Int64
    var end: Int64
    var cpu: Int64
    /// The tick, or nil if the block is not a frame.
    var tick: Int?
    var intervals: [Interval] = []
  }

  let schedule: TickSchedule
  let ledger: MainQueueLedger
  private(set) var blocks: [Block] = []
  private var random: SeededRandom
  private var now: Int64
  private var cpu: Int64 = 0
  private let gate = FrameGate()

  /// Creates a random history of the main thread that lasts for `duration`.
  init(seed: UInt64, duration: TimeSpan, tickCapacity: Int = 16) {
    random = SeededRandom(seed: seed)
    let rates = [7, 10, 30, 50, 60, 90, 120, 144, 240]
    schedule = TickSchedule(
      start: Instant(nanoseconds: Int64(random.below(1_000_000_000))), refreshRate: rates[random.below(rates.count)])
    ledger = MainQueueLedger(tickCapacity: tickCapacity)
    now = schedule.start.nanoseconds - 1
    ledger.start(schedule)
    run(until: schedule.start.nanoseconds + duration.nanoseconds)
  }

  private mutating func run(until horizon: Int64) {
    // The blocks that other threads post are clustered, so that a backlog builds up now and then.
    var arrivals: [Int64] = []
    var arrival = now
    while arrival < horizon {
      arrival += Int64(random.below(random.below(4) == 0 ? 120_000_000 : 5_000_000))
      arrivals.append(arrival)
    }
    var nextArrival = arrivals[...]
    var tick = 0
    // Each element is the tick of a frame, or nil for any other block.
    var posted: [Int?] = []

    func due(_ tick: Int) -> Int64 { schedule.instant(ofTick: tick).nanoseconds }
    // The order of events at one instant is: end of a block, tick, arrival.
    func admit(before limit: Int64) {
      while min(due(tick), nextArrival.first ?? .max) < limit {
        if due(tick) <= nextArrival.first ?? .max {
          if gate.posts(tickDueAt: Instant(nanoseconds: due(tick))) { posted.append(tick) }
          tick += 1
        } else {
          nextArrival.removeFirst()
          posted.append(nil)
        }
      }
    }
    while now < horizon || blocks.last?.tick == nil {
      admit(before: now + 1)
      guard !posted.isEmpty else {
        now = min(due(tick), nextArrival.first ?? .max)
        continue
      }
      now += Int64(random.below(3) * random.below(2_000))
      let frame = posted.removeFirst()
      runBlock(tick: frame)
      admit(before: now)
      if frame != nil { _ = gate.frameEnded(at: Instant(nanoseconds: now)) }
    }
  }

  private mutating func runBlock(tick: Int?) {
    var block = Block(begin: now, end: now, cpu: 0, tick: tick)
    ledger.blockBegan(at: instant, cpu: TimeSpan(nanoseconds: cpu))
    if let tick {
      ledger.activityBegan(.frame, at: instant)
      ledger.frameBegan(tick: tick, at: instant)
      let begin = now
      runContents(of: &block, budget: random.below(8) == 0 ? 60_000_000 : 4_000_000, depth: 0)
      block.intervals.append(Interval(begin: begin, end: now, activity: .frame))
      ledger.frameEnded(at: instant)
      ledger.activityEnded(.frame, at: instant)
    } else {
      runContents(of: &block, budget: random.below(20) == 0 ? 700_000_000 : 20_000_000, depth: 0)
    }
    block.cpu = Int64(random.below(1_000_000))
    cpu += block.cpu
    ledger.blockEnded(at: instant, cpu: TimeSpan(nanoseconds: cpu))
    // The time that the thread spends between blocks belongs to no block.
    cpu += Int64(random.below(1_000))
    block.end = now
    blocks.append(block)
  }

  private mutating func runContents(of block: inout Block, budget: Int, depth: Int) {
    for _ in 0..<random.below(4) {
      pass(budget)
      let begin = now
      if random.below(4) == 0 {
        ledger.waitBegan(for: "a lock", at: instant)
        pass(budget)
        // A real thread begins no activity while it is parked, but the rule is that a wait takes precedence.
        if random.below(4) == 0 {
          ledger.activityBegan(.fault, at: instant)
          let inner = now
          pass(budget)
          block.intervals.append(Interval(begin: inner, end: now, activity: .fault))
          ledger.activityEnded(.fault, at: instant)
        }
        ledger.waitEnded(at: instant)
        block.intervals.append(Interval(begin: begin, end: now, activity: nil))
      } else {
        let activity = Activity.insideBlocks[random.below(Activity.insideBlocks.count)]
        ledger.activityBegan(activity, at: instant)
        if depth < 5 { runContents(of: &block, budget: budget / 2, depth: depth + 1) }
        pass(budget / 2)
        ledger.activityEnded(activity, at: instant)
        block.intervals.append(Interval(begin: begin, end: now, activity: activity))
      }
    }
    pass(budget)
  }

  /// Advances the time by a random amount, which is often zero, so that instants coincide.
  private mutating func pass(_ budget: Int) {
    if random.below(3) > 0 { now += Int64(random.below(max(1, budget / 8))) }
  }

  private var instant: Instant { Instant(nanoseconds: now) }
}
