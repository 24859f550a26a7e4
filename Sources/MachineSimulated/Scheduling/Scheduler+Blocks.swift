import MachineCore

// MARK: - Blocks

extension Scheduler {
  func post(_ body: @escaping @Sendable () -> Void, on turn: SimulatedTurn) {
    let strand = caller
    settle(strand)
    let block = SimulatedTurn.Block(number: makePostNumber(), role: strand.activities.role, body: body)
    record(.posted(queue: turn.name, number: block.number, role: block.role, due: nil), strand: strand)
    explorer?.note(turn.label, number: turn.number, by: strand)
    append(.block(block), to: turn)
    yield(strand)
  }

  func post(_ body: @escaping @Sendable () -> Void, on turn: SimulatedTurn, at deadline: Int64) {
    let strand = caller
    settle(strand)
    if drops(due: deadline) { return }
    let block = SimulatedTurn.Block(number: makePostNumber(), role: strand.activities.role, body: body)
    record(
      .posted(queue: turn.name, number: block.number, role: block.role, due: Instant(nanoseconds: deadline)),
      strand: strand)
    if deadline > clock {
      posts.insert(PostEvent(instant: deadline, number: makeNumber(), turn: turn, block: block))
      return
    }
    // Blocks that were posted earlier for this instant come first in line.
    deliverDuePosts()
    explorer?.note(turn.label, number: turn.number, by: strand)
    append(.block(block), to: turn)
    yield(strand)
  }

  /// Puts the blocks that are due by now in line.
  func deliverDuePosts() {
    while let due = posts.min, due.instant <= clock {
      _ = posts.popMin()
      explorer?.note(due.turn.label, number: due.turn.number, by: nil)
      append(.block(due.block), to: due.turn)
    }
  }

  /// Runs a body on the main strand while the caller is parked. The caller pays for its reported work first.
  func call(_ call: HandedOverCall, onMain turn: SimulatedTurn, from strand: Strand) {
    settle(strand)
    explorer?.note(turn.label, number: turn.number, by: strand)
    append(.call(call, strand), to: turn)
    park(strand, for: turn)
  }

  /// Puts an entry in line. Wakes the main strand if it holds the turn and is idle, or assigns a strand if the turn is
  /// free.
  func append(_ entry: SimulatedTurn.Entry, to turn: SimulatedTurn) {
    turn.line.append(entry)
    if turn.holder === main {
      if main.state == .idle { beWoken(main, inRole: entry.role) }
    } else if turn.holder == nil {
      dispatch(turn, inRole: entry.role)
    }
  }

  /// Runs blocks until the line is empty or its first entry is a strand, and then passes the turn on.
  func drain(_ turn: SimulatedTurn, on strand: Strand) {
    while true {
      switch turn.line.first {
      case .block(let block)?:
        _ = turn.line.popFirst()
        run(block, of: turn, on: strand)
        settle(strand)
        record(.bodyEnded(queue: turn.name), strand: strand)
      case nil, .strand?, .call?:
        return passOn(turn)
      }
    }
  }

  // The method is not inlined and consumes the block, so that the block's captures are released before the turn passes
  // on.
  @inline(never)
  private func run(_ block: consuming SimulatedTurn.Block, of turn: SimulatedTurn, on strand: Strand) {
    let role = block.role
    let body = block.body
    beginBody(of: turn, inRole: role, because: .post(block.number), strand)
    let outside = strand.activities.beginBlock(inRole: role)
    body()
    strand.activities.endBlock(of: turn.label, outside)
    strand.queues.removeLast()
  }

  func beginBody(
    of turn: SimulatedTurn, inRole role: WorkRole, because cause: ScheduleEvent.BodyCause, _ strand: Strand
  ) {
    fingerprint.fold(turn.number &* 2)
    fingerprint.fold(clock)
    record(.bodyBegan(queue: turn.name, role: role, cause: cause), strand: strand)
    strand.queues.append(turn.label)
    if strand.isCold {
      strand.isCold = false
      count(Work(.coldStart), inRole: role, of: strand)
      let microseconds = min(strand.slept, device.coldAfter.nanoseconds) / 1_000
      if microseconds > 0 { count(Work(.timeSlept, count: Int(microseconds)), inRole: role, of: strand) }
    }
  }
}

// MARK: - The main queue

extension Scheduler {
  /// Runs the entries in line for the main queue until the line is empty.
  func runMainBlocks(_ turn: SimulatedTurn) {
    while let entry = turn.line.popFirst() {
      observer?.blockBegan(at: Instant(nanoseconds: clock), cpu: TimeSpan(nanoseconds: main.cpu))
      let caller = run(consume entry, of: turn)
      settle(main)
      observer?.blockEnded(at: Instant(nanoseconds: clock), cpu: TimeSpan(nanoseconds: main.cpu))
      record(.bodyEnded(queue: turn.name), strand: main)
      if let caller {
        wake(caller)
        yield(main)
      }
    }
  }

  /// Runs an entry and returns the strand that is parked until it has run, or nil for a posted block.
  @inline(never)
  private func run(_ entry: consuming SimulatedTurn.Entry, of turn: SimulatedTurn) -> Strand? {
    switch consume entry {
    case .block(let block):
      run(block, of: turn, on: main)
      return nil
    case .call(let call, let caller):
      beginBody(of: turn, inRole: call.role, because: .call(from: caller.number), main)
      let outside = main.activities.beginBlock(inRole: call.role)
      call.perform()
      main.activities.endBlock(of: turn.label, outside)
      main.queues.removeLast()
      return caller
    case .strand: trapMisuse("A strand stands in line for the main queue without a body.")
    }
  }
}
