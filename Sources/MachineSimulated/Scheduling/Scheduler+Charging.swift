import MachineCore

// MARK: - Charges

extension Scheduler {
  /// Takes a report of work: counts it, and charges the calling strand for it.
  ///
  /// CPU time becomes a debt, which the next call of the seam settles; storage time passes at once. The grain of reports
  /// therefore changes nothing in virtual time.
  func account(_ work: Work) {
    let strand = caller
    count(work, on: strand)
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

  /// Adds work to the ledger of all strands and, if the main strand did it, to the main strand's.
  func count(_ work: Work, on strand: Strand) {
    ledger.add(work, for: strand.activities.role)
    if strand.isMain { mainLedger.add(work, for: strand.activities.role) }
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

  func reportWait(of strand: Strand, for label: String, holder: Strand?) {
    hear(.waitBegan(for: label, holder: holder?.number), strand)
    if strand.isMain, let observer {
      observer.waitBegan(for: label, heldBy: holder.map(doing), at: Instant(nanoseconds: clock))
    }
  }

  private func doing(_ strand: Strand) -> TurnHolder {
    // A strand that has been woken for a queue's blocks has not begun the first yet.
    let next: String? = if case .drain(let turn)? = strand.assignment { turn.label } else { nil }
    return TurnHolder(
      queue: strand.queues.last ?? next, activity: strand.activities.innermost,
      awaited: strand.state == .parked ? strand.turn?.label : nil)
  }

  func reportWaitEnded(of strand: Strand) {
    hear(.waitEnded, strand)
    if strand.isMain { observer?.waitEnded(at: Instant(nanoseconds: clock)) }
  }
}

// MARK: - Activities

extension Scheduler {
  func begin(_ activity: Activity, of objectCount: Int, in context: String?) {
    let strand = caller
    // Only where the ledgers hear the instant must the clock be exact.
    if strand.isMain, let observer {
      settle(strand)
      observer.activityBegan(activity, of: objectCount, in: context, at: Instant(nanoseconds: clock))
    }
    hear(.activityBegan(activity), strand)
    strand.activities.begin(activity)
  }

  func end(_ activity: Activity) {
    let strand = caller
    if strand.isMain, let observer {
      settle(strand)
      observer.activityEnded(activity, at: Instant(nanoseconds: clock))
    }
    hear(.activityEnded(activity), strand)
    strand.activities.end(activity)
  }
}

// MARK: - Reasons

extension Scheduler {
  func note(objectCount: Int) {
    if caller.isMain { observer?.objectsNoted(objectCount) }
  }

  /// The instant counts what the strand owes and what it has yet to report. It is not made to pay: reasons change nothing.
  func note(statement: UnsafePointer<CChar>?, after unreported: () -> [Work]) {
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
