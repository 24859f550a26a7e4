import Dispatch
import Glibc
import HeapModule
import MachineCore

/// Who runs next, and what time it is then.
///
/// One strand has the baton and runs; calls of the seam are where it may have to give it away. Virtual time passes only
/// here: running code takes none, what it reports does.
// `@unchecked`: guarded by the baton.
final class Scheduler: @unchecked Sendable {
  let device: SimulatedDevice
  let options: SimulatedMachineOptions
  let ledger: WorkLedger
  /// The part of it that the main strand did.
  let mainLedger: WorkLedger
  let observer: (any MainThreadObserver)?
  let trace: (any ScheduleObserver)?

  /// Nanoseconds.
  var clock: Int64 = 0
  var fingerprint = Fingerprint()

  // Events.
  var strandEvents = Heap<StrandEvent>()
  var posts = Heap<PostEvent>()
  private var lastNumber: UInt64 = 0
  private var lastTurnNumber = 0
  private var lastPostNumber = 0
  private(set) var eventCount = 0
  /// How often the baton went to another strand.
  private(set) var handOffCount = 0

  // Strands.
  var strands: [Strand] = []
  var idle: [Strand] = []
  let main: Strand
  /// The strand with the baton.
  unowned(unsafe) var current: Strand
  let hostCore: Int?

  // Cores.
  var cores: [Strand?]
  var freeCoreCount: Int
  /// Could run but have no core; in the order in which they get one.
  var ready: [Strand] = []
  /// Those that inherit main's rank.
  var boosted: [Strand] = []

  // The end.
  var failure: SimulationFailure?
  private var driver: Strand?
  private var isEnding = false
  private let hasEnded = DispatchSemaphore(value: 0)
  /// How many strands are parked.
  var parkedCount = 0
  /// Loses the next turn that is handed on: a fault for tests of the report.
  var losesNextTurn = false

  init(
    device: SimulatedDevice, options: SimulatedMachineOptions, ledger: WorkLedger, mainLedger: WorkLedger,
    observer: (any MainThreadObserver)?, trace: (any ScheduleObserver)?
  ) {
    guard device.cores >= 1 else { trapMisuse("A device with \(device.cores) cores runs nothing; at least 1.") }
    guard device.quantum > .zero else { trapMisuse("A quantum of \(device.quantum.nanoseconds) ns never ends.") }
    self.device = device
    self.options = options
    self.ledger = ledger
    self.mainLedger = mainLedger
    self.observer = observer
    self.trace = trace
    cores = Array(repeating: nil, count: device.cores)
    freeCoreCount = device.cores
    main = Strand(number: 0, isMain: true)
    current = main
    hostCore = options.hostCore ?? HostCore.current
  }

  func makeNumber() -> UInt64 {
    lastNumber += 1
    return lastNumber
  }

  func makeTurnNumber() -> Int {
    lastTurnNumber += 1
    return lastTurnNumber
  }

  func makePostNumber() -> Int {
    lastPostNumber += 1
    return lastPostNumber
  }

  /// The instant counts what the strand still owes. It is not made to pay for being heard: that would be an event more,
  /// and a trace must change nothing.
  func hear(_ event: @autoclosure () -> ScheduleEvent, _ strand: Strand) {
    guard let trace else { return }
    let ahead = strand.state == .running ? strand.debt / 1_000 : 0
    trace.heard(event(), strand: strand.number, at: Instant(nanoseconds: clock + ahead))
  }
}

// MARK: - The calling strand

extension Scheduler {
  /// The strand that calls. Traps on any other thread: it would run beside the one with the baton.
  @inline(__always)
  var caller: Strand {
    let strand = current
    guard strand.thread == pthread_self() else { trapForeignThread() }
    return strand
  }

  @inline(never)
  private func trapForeignThread() -> Never {
    trapMisuse("A simulated machine was called from a thread that is none of its own; call it inside its `run`.")
  }
}

// MARK: - Beginning and end

extension Scheduler {
  /// Runs `body` on a strand of its own, to its end, and everything else until it comes to rest.
  ///
  /// Blocks the calling thread, which is none of the machine's.
  func run(mainTurn: SimulatedTurn, _ body: @escaping () -> Void) {
    guard driver == nil else { trapMisuse("A simulated machine runs once; make another for another run.") }
    strands.append(main)
    start(main, serving: mainTurn)
    let driver = makeStrand()
    self.driver = driver
    driver.assignment = .drive(body)
    current = driver
    becomeReady(driver)
    let next = nextStrand()
    current = next
    next.baton.signal()
    hasEnded.wait()
    endThreads()
  }

  private func endThreads() {
    // Parked strands cannot be unwound: after a failure they stay until the process ends.
    for strand in strands where strand.state == .idle {
      strand.isEnding = true
      strand.baton.signal()
      strand.ownThread?.join()
    }
    idle.removeAll()
  }

  /// The driver's body has returned: what can still run does, what is not due yet never will.
  func driverEnded() {
    isEnding = true
    deliverDuePosts()
    var dropped: [PostEvent] = []
    while let post = posts.popMin() { dropped.append(post) }
    // What the blocks captured dies here, on a strand, and may call the seam.
    dropped.removeAll()
  }

  /// Ends the simulation with a report; the calling strand never returns.
  func fail(_ failure: SimulationFailure) -> Never {
    self.failure = failure
    let strand = current
    if strand.state == .idle { strand.state = .parked }
    hasEnded.signal()
    while true { strand.baton.wait() }
  }

  /// Whether a block with a deadline will never be run.
  func drops(due instant: Int64) -> Bool { isEnding && instant > clock }
}

// MARK: - The baton

extension Scheduler {
  /// Gives the baton to whoever is next, and returns once the strand has it again.
  func switchAway(from strand: Strand) {
    let next = nextStrand()
    guard next !== strand else {
      current = strand
      return
    }
    handOffCount += 1
    current = next
    next.baton.signal()
    strand.baton.wait()
  }

  /// Gives the baton away for good.
  ///
  /// The next may be the strand itself, which then finds its own signal.
  func passBaton(from strand: Strand) {
    guard let next = nextStrand(orEnd: true) else {
      hasEnded.signal()
      return
    }
    if next !== strand { handOffCount += 1 }
    current = next
    next.baton.signal()
  }

  private func nextStrand() -> Strand {
    guard let next = nextStrand(orEnd: false) else { trapMisuse("A simulation ended under a strand that runs.") }
    return next
  }

  /// Lets events happen until one makes a strand run.
  ///
  /// - Returns: nil if nothing is left and the driver has ended.
  private func nextStrand(orEnd: Bool) -> Strand? {
    while true {
      if isStalled { reportLostWakeUp() }
      guard let instant = nextInstant else {
        if isEnding && orEnd { return nil }
        if isEnding { endUnderParkedStrand() }
        reportLostWakeUp()
      }
      eventCount += 1
      if instant > options.timeLimit.nanoseconds { reportTimeLimit() }
      if eventCount > options.eventLimit { reportEventLimit() }
      clock = instant
      if let strand = happen() { return strand }
    }
  }

  private var nextInstant: Int64? {
    switch (strandEvents.min?.instant, posts.min?.instant) {
    case (let strand?, let post?): min(strand, post)
    case (let strand?, nil): strand
    case (nil, let post): post
    }
  }

  /// The driver has ended and the rest waits for each other: nobody is there to hear of it.
  private func endUnderParkedStrand() -> Never {
    let strand = current
    hasEnded.signal()
    while true { strand.baton.wait() }
  }

  /// The earliest event; strands before posts at equal instants, so that a block that ends at a tick has ended.
  private func happen() -> Strand? {
    if let post = posts.min, strandEvents.min.map({ post.instant < $0.instant }) ?? true {
      _ = posts.popMin()
      append(.block(post.block), to: post.turn)
      return nil
    }
    guard let event = strandEvents.popMin() else { return nil }
    let strand = strands[event.strand]
    guard strand.ticket == event.ticket else { return nil }
    switch event.kind {
    case .resume:
      strand.cpu += clock - strand.chargeBegan
      strand.chargeBegan = clock
      strand.remaining = 0
      fingerprint.fold(clock)
      fingerprint.fold(strand.number)
      return strand
    case .wake:
      becomeReady(strand)
    case .sliceEnd:
      endSlice(of: strand)
    }
    return nil
  }
}
