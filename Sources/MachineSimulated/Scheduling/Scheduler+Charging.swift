import MachineCore

// MARK: - Charges

extension Scheduler {
  /// Takes a report of work: counts it, and charges the calling strand for it.
  ///
  /// CPU time becomes a debt, which the next call of the seam settles; storage time passes at once. The grain of reports
  /// therefore changes nothing in virtual time.
  func account(_ work: Work) {
    let strand = caller
    ledger.add(work, for: strand.activities.role)
    fingerprint.fold(work.count &* 64 &+ Int(work.kind.rawValue))
    fingerprint.fold(work.bytes &* 2 &+ Int(strand.activities.role.rawValue))
    hear(.worked(work, role: strand.activities.role), strand)
    let cost = device.costs[work.kind]
    let count = Int64(work.count)
    let bytes = Int64(work.bytes)
    strand.debt += count * cost.cpuPerCount + bytes * cost.cpuPerByte
    let storage = count * cost.storagePerCount + bytes * cost.storagePerByte
    if storage > 0 {
      settle(strand)
      waitForStorage(strand, nanoseconds: (storage + 500) / 1_000)
    } else if options.settlement == .atOnce {
      settle(strand)
    }
  }

  /// Charges the calling strand CPU time that no kind of work stands for.
  func spend(_ span: Span) {
    let strand = caller
    strand.debt += span.nanoseconds * 1_000
    settle(strand)
  }

  /// Lets as much virtual time pass as the strand owes; others whose events come first go first.
  ///
  /// Whole nanoseconds are paid, the rest stays owed: so nothing is rounded away, however fine the reports.
  @inline(__always)
  func settle(_ strand: Strand) {
    if strand.debt >= 1_000 { pay(strand) }
  }

  private func pay(_ strand: Strand) {
    let nanoseconds = strand.debt / 1_000
    strand.debt -= nanoseconds * 1_000
    let end = clock + nanoseconds
    if isQuiet(until: end) {
      pass(to: end, on: strand)
      return
    }
    strand.remaining = nanoseconds
    schedule(.resume, strand, at: end)
    switchAway(from: strand)
  }

  /// Whether no strand has an event up to and including this instant, and no post comes before it.
  private func isQuiet(until instant: Int64) -> Bool {
    if let event = strandEvents.min, event.instant <= instant { return false }
    if let post = posts.min, post.instant < instant { return false }
    return instant <= options.timeLimit.nanoseconds
  }

  private func pass(to instant: Int64, on strand: Strand) {
    strand.cpu += instant - clock
    strand.chargeBegan = instant
    clock = instant
  }

  /// The strand's core is free while storage works for it.
  private func waitForStorage(_ strand: Strand, nanoseconds: Int64) {
    let end = clock + nanoseconds
    hear(.storageBegan, strand)
    if ready.isEmpty, isQuiet(until: end) {
      // Nobody could have taken the core meanwhile: the same outcome, without two events.
      _ = makeNumber()
      clock = end
      beginGrant(of: strand)
    } else {
      wait(strand, until: end)
    }
    hear(.storageEnded, strand)
  }

  /// The CPU time that all strands have used so far.
  var totalCPU: Int64 {
    strands.reduce(0) { sum, strand in
      sum + strand.cpu + (strand.state == .running ? clock - strand.chargeBegan : 0)
    }
  }
}

// MARK: - Time

extension Scheduler {
  func now() -> Int64 {
    settle(caller)
    return clock
  }

  func wait(until deadline: Int64) {
    let strand = caller
    settle(strand)
    guard deadline > clock else { return }
    reportWait(of: strand, for: "clock", holder: nil)
    wait(strand, until: deadline)
    reportWaitEnded(of: strand)
  }

  private func wait(_ strand: Strand, until instant: Int64) {
    strand.state = .waiting
    strand.ticket = makeNumber()
    strand.remaining = 0
    schedule(.wake, strand, at: instant)
    releaseCore(of: strand)
    switchAway(from: strand)
  }

  private func reportWait(of strand: Strand, for label: String, holder: Strand?) {
    hear(.waitBegan(for: label, holder: holder?.number), strand)
    if strand.isMain { observer?.waitBegan(for: label, at: Instant(nanoseconds: clock)) }
  }

  private func reportWaitEnded(of strand: Strand) {
    hear(.waitEnded, strand)
    if strand.isMain { observer?.waitEnded(at: Instant(nanoseconds: clock)) }
  }
}

// MARK: - Turns

extension Scheduler {
  /// Takes the turn, parking in line while it is another's; the caller has seen to it that it is not its own already.
  func take(_ turn: SimulatedTurn, _ strand: Strand) {
    settle(strand)
    if turn.holder == nil {
      turn.holder = strand
      return
    }
    turn.line.append(.strand(strand))
    park(strand, for: turn)
  }

  /// Gives the turn to the first in line.
  func giveBack(_ turn: SimulatedTurn, _ strand: Strand) {
    settle(strand)
    passOn(turn)
    yield(strand)
  }

  /// The strand stands in line; returns when it has been woken and has a core again.
  private func park(_ strand: Strand, for turn: SimulatedTurn) {
    strand.turn = turn
    strand.waitBegan = clock
    strand.state = .parked
    parkedCount += 1
    reportWait(of: strand, for: turn.label, holder: turn.holder)
    fingerprint.fold(turn.number &* 2 &+ 1)
    fingerprint.fold(strand.number)
    if let circle = circle(from: strand) { reportDeadlock(circle) }
    releaseCore(of: strand)
    updateInheritance()
    switchAway(from: strand)
    turn.totalWait += clock - strand.waitBegan
    reportWaitEnded(of: strand)
  }

  /// A parked strand has got what it waited for.
  private func wake(_ strand: Strand) {
    if losesNextTurn {
      losesNextTurn = false
      return
    }
    parkedCount -= 1
    strand.turn = nil
    strand.remaining = 0
    becomeReady(strand)
    updateInheritance()
  }

  private func passOn(_ turn: SimulatedTurn) {
    switch turn.line.first {
    case nil: turn.holder = nil
    case .strand(let strand)?:
      _ = turn.line.popFirst()
      turn.holder = strand
      wake(strand)
    case .block?:
      dispatch(turn)
    case .call?: trapMisuse("A call for the main thread stands in line for “\(turn.label)”.")
    }
    if main.state == .parked { updateInheritance() }
  }

  /// Lets a strand run the blocks in line.
  private func dispatch(_ turn: SimulatedTurn) {
    let strand = takeIdleStrand()
    strand.assignment = .drain(turn)
    turn.holder = strand
    becomeReady(strand)
  }

  /// If the strand's core went to another during its call, waits until it has one again.
  @inline(__always)
  private func yield(_ strand: Strand) {
    if strand.state != .running { switchAway(from: strand) }
  }
}

// MARK: - Blocks

extension Scheduler {
  func post(_ body: @escaping @Sendable () -> Void, on turn: SimulatedTurn) {
    let strand = caller
    settle(strand)
    hear(.posted(queue: turn.label, role: strand.activities.role, due: nil), strand)
    append(.block(SimulatedTurn.Block(role: strand.activities.role, body: body)), to: turn)
    yield(strand)
  }

  func post(_ body: @escaping @Sendable () -> Void, on turn: SimulatedTurn, at deadline: Int64) {
    let strand = caller
    settle(strand)
    if drops(due: deadline) { return }
    let block = SimulatedTurn.Block(role: strand.activities.role, body: body)
    hear(.posted(queue: turn.label, role: block.role, due: Instant(nanoseconds: deadline)), strand)
    if deadline > clock {
      posts.insert(PostEvent(instant: deadline, number: makeNumber(), turn: turn, block: block))
      return
    }
    // Those posted earlier for this instant stand in line first.
    while let due = posts.min, due.instant <= clock {
      _ = posts.popMin()
      append(.block(due.block), to: due.turn)
    }
    append(.block(block), to: turn)
    yield(strand)
  }

  /// Runs a body on the main strand while the caller is parked.
  func call(_ call: HandedOverCall, onMain turn: SimulatedTurn, _ strand: Strand) {
    settle(strand)
    append(.call(call, strand), to: turn)
    park(strand, for: turn)
  }

  /// Puts an entry in line, and sees to it that somebody serves the line.
  func append(_ entry: SimulatedTurn.Entry, to turn: SimulatedTurn) {
    turn.line.append(entry)
    if turn.holder === main {
      if main.state == .idle { becomeReady(main) }
    } else if turn.holder == nil {
      dispatch(turn)
    }
  }

  /// Runs blocks until the line is empty or a strand is the first in it.
  func drain(_ turn: SimulatedTurn, on strand: Strand) {
    while true {
      switch turn.line.first {
      case .block(let block)?:
        _ = turn.line.popFirst()
        run(block, of: turn, on: strand)
        settle(strand)
        hear(.bodyEnded(queue: turn.label), strand)
      case nil, .strand?, .call?:
        return passOn(turn)
      }
    }
  }

  // Not inlined, and consuming: what the block captured is released before the turn goes to the next.
  @inline(never)
  private func run(_ block: consuming SimulatedTurn.Block, of turn: SimulatedTurn, on strand: Strand) {
    let role = block.role
    let body = block.body
    beginBody(of: turn, inRole: role, isPosted: true, strand)
    let outside = strand.activities.beginBlock(inRole: role)
    body()
    strand.activities.endBlock(of: turn.label, outside)
    strand.queues.removeLast()
  }

  func beginBody(of turn: SimulatedTurn, inRole role: WorkRole, isPosted: Bool, _ strand: Strand) {
    fingerprint.fold(turn.number &* 2)
    fingerprint.fold(clock)
    hear(.bodyBegan(queue: turn.label, role: role, isPosted: isPosted), strand)
    strand.queues.append(turn.label)
  }
}

// MARK: - The main queue

extension Scheduler {
  /// Runs what is in line for the main queue until nothing is.
  func runMainBlocks(_ turn: SimulatedTurn) {
    while let entry = turn.line.popFirst() {
      observer?.blockBegan(at: Instant(nanoseconds: clock), cpu: Span(nanoseconds: main.cpu))
      let caller = run(consume entry, of: turn)
      settle(main)
      observer?.blockEnded(at: Instant(nanoseconds: clock), cpu: Span(nanoseconds: main.cpu))
      hear(.bodyEnded(queue: turn.label), main)
      if let caller {
        wake(caller)
        yield(main)
      }
    }
  }

  /// Runs an entry, and returns whoever is parked until it has run.
  @inline(never)
  private func run(_ entry: consuming SimulatedTurn.Entry, of turn: SimulatedTurn) -> Strand? {
    switch consume entry {
    case .block(let block):
      run(block, of: turn, on: main)
      return nil
    case .call(let call, let caller):
      beginBody(of: turn, inRole: call.role, isPosted: false, main)
      let outside = main.activities.beginBlock(inRole: call.role)
      call.perform()
      main.activities.endBlock(of: turn.label, outside)
      main.queues.removeLast()
      return caller
    case .strand: trapMisuse("A strand stands in line for the main queue without a body.")
    }
  }
}

// MARK: - Activities

extension Scheduler {
  func begin(_ activity: Activity) {
    let strand = caller
    // Only where somebody hears the instant must the clock be exact.
    if strand.isMain && observer != nil || trace != nil {
      settle(strand)
      hear(.activityBegan(activity), strand)
      if strand.isMain { observer?.activityBegan(activity, at: Instant(nanoseconds: clock)) }
    }
    strand.activities.begin(activity)
  }

  func end(_ activity: Activity) {
    let strand = caller
    if strand.isMain && observer != nil || trace != nil {
      settle(strand)
      hear(.activityEnded(activity), strand)
      if strand.isMain { observer?.activityEnded(activity, at: Instant(nanoseconds: clock)) }
    }
    strand.activities.end(activity)
  }
}
