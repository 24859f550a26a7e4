import Glibc
import HeapModule
import MachineCore

/// The scheduler of a simulated machine, which decides which strand runs next and what time it is then.
///
/// One strand has the baton and runs, and may have to give the baton away in calls of the seam. Virtual time passes
/// only in the scheduler: running code takes no time, but the work that it reports does.
// `@unchecked`: guarded by the baton.
final class Scheduler: @unchecked Sendable {
  let device: SimulatedDevice
  let options: SimulatedMachineOptions
  let ledger: WorkLedger
  /// The ledger for the part of the work that the main strand did.
  let mainLedger: WorkLedger
  let observer: (any MainThreadObserver)?
  let trace: (any ScheduleObserver)?
  /// The explorer that chooses the order of the strands, or nil for the order of their instants.
  let explorer: ScheduleExplorer?

  /// The virtual time in nanoseconds.
  var clock: Int64 = 0
  var fingerprint = Fingerprint()

  // Events.
  var strandEvents = Heap<StrandEvent>()
  var posts = Heap<PostEvent>()
  private var lastNumber: UInt64 = 0
  private var lastTurnNumber = 0
  private var lastPostNumber = 0
  private(set) var eventCount = 0
  /// The number of times that the baton passed to another strand.
  private(set) var handOffCount = 0

  // Strands.
  var strands: [Strand] = []
  var idle: [Strand] = []
  let main: Strand
  /// The strand with the baton.
  unowned(unsafe) var current: Strand
  private let hostCore: Int?
  private var mainTurn: SimulatedTurn?
  /// The thread of this computer on which all strands run.
  private var thread = pthread_t()
  /// The coroutine that begins and ends the simulation on that thread.
  private var host: Coroutine?

  // Cores.
  var cores: [Strand?]
  var freeCoreCount: Int
  /// True if only main uses the first core, and main uses no other.
  let bindsMain: Bool
  /// The strands that can run but have no core, in the order in which they get one.
  var ready: [Strand] = []
  /// The strands that inherit main's rank.
  var boosted: [Strand] = []

  // The end.
  var failure: SimulationFailure?
  private var driver: Strand?
  private var isEnding = false
  /// The number of parked strands.
  var parkedCount = 0

  init(
    device: SimulatedDevice, options: SimulatedMachineOptions, ledger: WorkLedger, mainLedger: WorkLedger,
    observer: (any MainThreadObserver)?, trace: (any ScheduleObserver)?
  ) {
    guard device.cores >= 1 else { trapMisuse("A device with \(device.cores) cores runs nothing; at least 1.") }
    guard device.quantum > .zero else { trapMisuse("A quantum of \(device.quantum.nanoseconds) ns never ends.") }
    self.device = device
    self.options = options
    explorer = options.explorer
    self.ledger = ledger
    self.mainLedger = mainLedger
    self.observer = observer
    self.trace = trace
    // Each strand of an explored schedule has a core, so that the explorer alone chooses.
    let coreCount = options.explorer == nil ? device.cores : Self.exploredCoreCount
    cores = Array(repeating: nil, count: coreCount)
    freeCoreCount = coreCount
    bindsMain = options.bindsMain && device.cores > 1
    main = Strand(number: 0, isMain: true)
    current = main
    hostCore = options.hostCore ?? HostCore.current
  }

  private static let exploredCoreCount = 1_024

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

  /// Passes an event to the trace, if there is one.
  ///
  /// The instant includes the strand's debt. The strand does not pay the debt here: that would be another event, and a
  /// trace must not change the run.
  func record(_ event: @autoclosure () -> ScheduleEvent, strand: Strand) {
    guard let trace else { return }
    let ahead = strand.state == .running ? strand.debt / 1_000 : 0
    trace.record(event(), strand: strand.number, at: Instant(nanoseconds: clock + ahead))
  }
}

// MARK: - The calling strand

extension Scheduler {
  /// The calling strand. Traps on any other thread, which would run at the same time as the strand with the baton.
  @inline(__always)
  var caller: Strand {
    guard thread == pthread_self() else { trapForeignThread() }
    return current
  }

  @inline(never)
  private func trapForeignThread() -> Never {
    trapMisuse("A simulated machine was called from a thread that is none of its own; call it inside its `run`.")
  }
}

// MARK: - Beginning and end

extension Scheduler {
  /// Runs `body` on a new strand until it ends, and everything else until it comes to rest.
  ///
  /// Blocks the calling thread, which must not be one of the machine's.
  func run(mainTurn: SimulatedTurn, _ body: @escaping () -> Void) {
    guard driver == nil else { trapMisuse("A simulated machine runs once; make another for another run.") }
    strands.append(main)
    let driver = makeStrand()
    self.driver = driver
    driver.assignment = .drive(body)
    OwnThread { [self] in
      if let hostCore { HostCore.bind(to: hostCore) }
      thread = pthread_self()
      let host = Coroutine()
      self.host = host
      self.mainTurn = mainTurn
      current = driver
      becomeReady(driver)
      let next = nextStrand()
      current = next
      host.pass(to: coroutine(of: next))
      endStrands(host)
      (thread, self.host, self.mainTurn) = (pthread_t(), nil, nil)
    }.join()
  }

  /// Returns the coroutine of a strand, which is made when the strand gets the baton for the first time.
  private func coroutine(of strand: Strand) -> Coroutine {
    if let known = strand.coroutine { return known }
    guard let host, let mainTurn else { trapMisuse("A strand of a simulation has begun outside of its `run`.") }
    let made = Coroutine(before: host) { [unowned(unsafe) self, unowned(unsafe) strand] in
      serve(strand, mainTurn: mainTurn)
    }
    strand.coroutine = made
    return made
  }

  private func endStrands(_ host: Coroutine) {
    // Parked strands cannot be unwound: after a failure they stay until the process ends.
    for strand in strands where strand.state == .idle {
      strand.isEnding = true
      if let coroutine = strand.coroutine { host.pass(to: coroutine) }
    }
    idle.removeAll()
  }

  /// Prepares the end after the driver's body has returned: strands that can run continue, and posts that are not due
  /// yet are dropped. Their blocks are released by this call, on the calling strand.
  func driverEnded() {
    isEnding = true
    deliverDuePosts()
    var dropped: [PostEvent] = []
    while let post = posts.popMin() { dropped.append(post) }
    // Objects that the blocks captured are released here, on a strand, because their deinitializers may call the seam.
    dropped.removeAll()
  }

  /// Ends the simulation with a report; the calling strand never returns.
  func fail(_ failure: SimulationFailure) -> Never {
    self.failure = failure
    if current.state == .idle { current.state = .parked }
    end()
  }

  /// Ends the simulation. The calling strand never returns.
  private func end() -> Never {
    while true { passToHost(from: current) }
  }

  private func passToHost(from strand: Strand) {
    if let host { coroutine(of: strand).pass(to: host) }
  }

  /// Returns true if a block with this deadline will never run.
  func drops(due instant: Int64) -> Bool { isEnding && instant > clock }
}

// MARK: - The baton

extension Scheduler {
  /// Gives the baton to the next strand, and returns once this strand has it again.
  func switchAway(from strand: Strand) {
    let next = nextStrand()
    guard next !== strand else {
      current = strand
      return
    }
    handOffCount += 1
    resume(next, from: strand)
  }

  /// Gives the baton of an idle strand away, or ends the simulation if no event is left. Returns when the strand has the
  /// baton again, which is at once if it is the next.
  func passBaton(from strand: Strand) {
    guard let next = nextStrand(orEnd: true) else { return passToHost(from: strand) }
    guard next !== strand else { return }
    handOffCount += 1
    resume(next, from: strand)
  }

  private func resume(_ next: Strand, from strand: Strand) {
    current = next
    coroutine(of: strand).pass(to: coroutine(of: next))
  }

  private func nextStrand() -> Strand {
    guard let next = nextStrand(orEnd: false) else { trapMisuse("A simulation ended under a strand that runs.") }
    return next
  }

  /// Handles events until one makes a strand run.
  ///
  /// - Parameter orEnd: True if the simulation may end here.
  /// - Returns: The strand, or nil if no event is left, the driver has ended and the simulation may end.
  private func nextStrand(orEnd: Bool) -> Strand? {
    while true {
      if isStalled { reportLostWakeUp() }
      if let event = explorer?.next(after: current.number, timer: nextTimer, at: clock) {
        pass(to: event.instant)
        if let strand = happen(event) { return strand }
        continue
      }
      guard let instant = nextTimer else {
        if isEnding && orEnd { return nil }
        if isEnding { endUnderParkedStrand() }
        reportLostWakeUp()
      }
      pass(to: instant)
      if let strand = happen() { return strand }
    }
  }

  /// Moves the clock to the instant of an event, unless an explored schedule has passed it, and checks the limits.
  private func pass(to instant: Int64) {
    eventCount += 1
    if instant > options.timeLimit.nanoseconds { reportTimeLimit() }
    if eventCount > options.eventLimit { reportEventLimit() }
    clock = explorer == nil ? instant : max(clock, instant)
  }

  /// The instant of the earliest event, or nil. If the schedule is explored, only timers count.
  var nextTimer: Int64? {
    switch (strandEvents.min?.instant, posts.min?.instant) {
    case (let strand?, let post?): min(strand, post)
    case (let strand?, nil): strand
    case (nil, let post): post
    }
  }

  /// Ends the simulation without a report, because the driver has ended and the remaining strands wait for each other.
  private func endUnderParkedStrand() -> Never {
    end()
  }

  /// Handles the earliest event and returns the strand that it makes run, or nil. Strands come before posts at equal
  /// instants, so that a block that ends at a tick has ended.
  private func happen() -> Strand? {
    if let post = posts.min, strandEvents.min.map({ post.instant < $0.instant }) ?? true {
      _ = posts.popMin()
      explorer?.note(post.turn.label, number: post.turn.number, by: nil)
      append(.block(post.block), to: post.turn)
      return nil
    }
    return strandEvents.popMin().flatMap(happen)
  }

  private func happen(_ event: StrandEvent) -> Strand? {
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
