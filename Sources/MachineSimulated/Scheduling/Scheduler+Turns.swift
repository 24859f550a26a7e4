import MachineCore

// MARK: - Turns

extension Scheduler {
  /// Takes the turn, parking in line while another strand has it. The caller must check beforehand that the strand does
  /// not have the turn already.
  func take(_ turn: SimulatedTurn, for strand: Strand) {
    settle(strand)
    explorer?.note(turn.label, number: turn.number, by: strand)
    if turn.holder == nil {
      turn.holder = strand
      return
    }
    turn.line.append(.strand(strand))
    park(strand, for: turn)
  }

  /// Gives the turn to the first in line, or frees it if the line is empty.
  func giveBack(_ turn: SimulatedTurn, for strand: Strand) {
    settle(strand)
    passOn(turn)
    yield(strand)
  }

  /// Parks a strand that is in line for a turn, and returns when it has been woken and has a core again.
  func park(_ strand: Strand, for turn: SimulatedTurn) {
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

  /// Lets an idle or parked strand run, because another strand has work for it or a block of the main queue is due.
  /// `role` is the role of the work for which the strand is woken.
  ///
  /// The latency of waking, if it is at least half a nanosecond, passes before the strand can have a core, and the
  /// strand pays for the waking before anything that it does itself. The cost of a cold start for an idle strand, with
  /// other threads' data in the core's caches, is paid inside the block that the strand then runs.
  func beWoken(_ strand: Strand, inRole role: WorkRole) {
    count(Work(.threadWoken), inRole: role, of: strand)
    strand.remaining = strand.debt / 1_000
    strand.debt -= strand.remaining * 1_000
    if strand.state == .idle {
      strand.isCold = true
      strand.slept = clock - strand.sleepBegan
    }
    let latency = (device.costs[.threadWoken].latencyPerCount + 500) / 1_000
    guard latency > 0 else { return becomeReady(strand) }
    strand.state = .waiting
    strand.ticket = makeNumber()
    schedule(.wake, for: strand, at: clock + latency)
  }

  /// Wakes a parked strand that has received what it waited for.
  func wake(_ strand: Strand) {
    parkedCount -= 1
    strand.turn = nil
    beWoken(strand, inRole: strand.activities.role)
    updateInheritance()
  }

  func passOn(_ turn: SimulatedTurn) {
    switch turn.line.first {
    case nil: turn.holder = nil
    case .strand(let strand)?:
      _ = turn.line.popFirst()
      turn.holder = strand
      wake(strand)
    case .block(let block)?:
      dispatch(turn, inRole: block.role)
    case .call?: trapMisuse("A call for the main thread stands in line for “\(turn.label)”.")
    }
    if main.state == .parked { updateInheritance() }
  }

  /// Assigns the blocks in line to an idle strand, which takes the turn. `role` is the role of the first block.
  func dispatch(_ turn: SimulatedTurn, inRole role: WorkRole) {
    let strand = takeIdleStrand()
    strand.assignment = .drain(turn)
    turn.holder = strand
    beWoken(strand, inRole: role)
  }

  /// If the strand's core went to another during its call, waits until it has one again.
  @inline(__always)
  func yield(_ strand: Strand) {
    if strand.state != .running { switchAway(from: strand) }
  }
}
