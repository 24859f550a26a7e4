import MachineCore

// MARK: - Charges

extension Scheduler {
  /// Counts reported work and charges the calling strand for it.
  ///
  /// CPU time becomes a debt, which the next call of the seam settles; storage time passes at once. Virtual time
  /// therefore does not depend on how finely work is reported.
  func account(_ work: Work) {
    let strand = caller
    count(work, inRole: strand.activities.role, of: strand)
    let cost = device.costs[work.kind]
    let storage = Int64(work.count) * cost.storagePerCount + Int64(work.bytes) * cost.storagePerByte
    if storage > 0 {
      explorer?.note("store", number: 0, by: strand)
      settle(strand)
      waitForStorage(strand, nanoseconds: (storage + 500) / 1_000)
    } else if options.settlement == .atOnce {
      settle(strand)
    }
  }

  /// Adds work to the ledgers and the fingerprint, and its CPU time to the strand's debt.
  @inline(__always)
  func count(_ work: Work, inRole role: WorkRole, of strand: Strand) {
    ledger.addAlone(work, for: role)
    if strand.isMain { mainLedger.addAlone(work, for: role) }
    fingerprint.fold(work.count &* 64 &+ Int(work.kind.rawValue))
    fingerprint.fold(work.bytes &* 2 &+ Int(role.rawValue))
    record(.worked(work, role: role), strand: strand)
    let cost = device.costs[work.kind]
    strand.debt += Int64(work.count) * cost.cpuPerCount + Int64(work.bytes) * cost.cpuPerByte
  }

  /// Charges CPU time to the calling strand for work that has no kind.
  func spend(_ span: TimeSpan) {
    let strand = caller
    strand.debt += span.nanoseconds * 1_000
    settle(strand)
  }

  /// Lets virtual time pass for the strand's debt; strands whose events come earlier run first.
  ///
  /// Whole nanoseconds are paid, and the rest stays owed, so that time is not lost by rounding, however fine the
  /// reports.
  ///
  /// If the schedule is explored, other strands may go on here even if nothing is owed.
  @inline(__always)
  func settle(_ strand: Strand) {
    if strand.debt >= 1_000 || explorer != nil { pay(strand) }
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
    schedule(.resume, for: strand, at: end)
    switchAway(from: strand)
  }

  /// Returns true if time can pass without a switch: no strand has an event up to and including this instant, no post
  /// comes before it, and it is within the time limit.
  private func isQuiet(until instant: Int64) -> Bool {
    if let explorer, !explorer.runnable.isEmpty || nextTimer != nil { return false }
    if let event = strandEvents.min, event.instant <= instant { return false }
    if let post = posts.min, post.instant < instant { return false }
    return instant <= options.timeLimit.nanoseconds
  }

  private func pass(to instant: Int64, on strand: Strand) {
    strand.cpu += instant - clock
    strand.chargeBegan = instant
    clock = instant
  }

  /// Lets the strand wait for storage; its core is free while it waits.
  private func waitForStorage(_ strand: Strand, nanoseconds: Int64) {
    let end = clock + nanoseconds
    record(.storageBegan, strand: strand)
    if ready.isEmpty, isQuiet(until: end) {
      // No other strand could have taken the core, so the outcome is the same without two events.
      _ = makeNumber()
      clock = end
      beginGrant(of: strand)
    } else {
      wait(strand, until: end)
    }
    record(.storageEnded, strand: strand)
  }

  /// The CPU time that all strands have used so far.
  var totalCPU: Int64 {
    strands.reduce(0) { $0 + cpu(of: $1) }
  }

  /// The CPU time that a strand has used so far.
  func cpu(of strand: Strand) -> Int64 {
    strand.cpu + (strand.state == .running ? clock - strand.chargeBegan : 0)
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
    wait(strand, until: deadline, isTimer: true)
    reportWaitEnded(of: strand)
  }

  private func wait(_ strand: Strand, until instant: Int64, isTimer: Bool = false) {
    strand.state = .waiting
    strand.ticket = makeNumber()
    strand.remaining = 0
    schedule(.wake, for: strand, at: instant, isTimer: isTimer)
    releaseCore(of: strand)
    switchAway(from: strand)
  }

  func reportWait(of strand: Strand, for label: String, holder: Strand?) {
    record(.waitBegan(for: label, holder: holder?.number), strand: strand)
    if strand.isMain, let observer {
      observer.waitBegan(for: label, heldBy: holder.map(doing), at: Instant(nanoseconds: clock))
    }
  }

  private func doing(_ strand: Strand) -> TurnHolder {
    // A strand that was woken for a queue's blocks may not have begun the first one.
    let next: String? = if case .drain(let turn)? = strand.assignment { turn.label } else { nil }
    return TurnHolder(
      queue: strand.queues.last ?? next, activity: strand.activities.innermost,
      awaited: strand.state == .parked ? strand.turn?.label : nil)
  }

  func reportWaitEnded(of strand: Strand) {
    record(.waitEnded, strand: strand)
    if strand.isMain { observer?.waitEnded(at: Instant(nanoseconds: clock)) }
  }
}

// MARK: - Activities

extension Scheduler {
  func begin(_ activity: Activity, of objectCount: Int, in context: String?) {
    let strand = caller
    // The clock must be exact only if the observer receives the instant.
    if strand.isMain, let observer {
      settle(strand)
      observer.activityBegan(activity, of: objectCount, in: context, at: Instant(nanoseconds: clock))
    }
    record(.activityBegan(activity), strand: strand)
    strand.activities.begin(activity)
  }

  func end(_ activity: Activity) {
    let strand = caller
    if strand.isMain, let observer {
      settle(strand)
      observer.activityEnded(activity, at: Instant(nanoseconds: clock))
    }
    record(.activityEnded(activity), strand: strand)
    strand.activities.end(activity)
  }
}

// MARK: - Reasons

extension Scheduler {
  func add(objectCount: Int) {
    if caller.isMain { observer?.objectsNoted(objectCount) }
  }

  /// Reports a statement of the main strand to the observer.
  ///
  /// The instant includes the strand's debt and the work that is not reported yet. The strand does not pay the debt
  /// here, because a note must not change the schedule.
  func begin(_ statement: RunningStatement?, after unreported: () -> [Work]) {
    let strand = caller
    guard strand.isMain, let observer else { return }
    var picoseconds = strand.debt
    for work in unreported() {
      let cost = device.costs[work.kind]
      picoseconds += Int64(work.count) * cost.cpuPerCount + Int64(work.bytes) * cost.cpuPerByte
    }
    observer.statementBegan(statement, at: Instant(nanoseconds: clock + picoseconds / 1_000))
  }
}
