import MachineCore

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

  /// Another strand, or the clock, lets an idle or parked strand run: what that takes the system is the first that the
  /// woken strand pays, before anything it does itself.
  func beWoken(_ strand: Strand) {
    strand.remaining = device.handOver.nanoseconds
    becomeReady(strand)
  }

  /// A parked strand has got what it waited for.
  func wake(_ strand: Strand) {
    if losesNextTurn {
      losesNextTurn = false
      return
    }
    parkedCount -= 1
    strand.turn = nil
    beWoken(strand)
    updateInheritance()
  }

  func passOn(_ turn: SimulatedTurn) {
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
  func dispatch(_ turn: SimulatedTurn) {
    let strand = takeIdleStrand()
    strand.assignment = .drain(turn)
    turn.holder = strand
    beWoken(strand)
  }

  /// If the strand's core went to another during its call, waits until it has one again.
  @inline(__always)
  func yield(_ strand: Strand) {
    if strand.state != .running { switchAway(from: strand) }
  }
}
