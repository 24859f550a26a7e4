import MachineCore

// MARK: - Cores

extension Scheduler {
  /// Makes a strand ready: it gets a free core or one that it may take from another strand, or waits in line for one.
  func becomeReady(_ strand: Strand) {
    strand.state = .ready
    if freeCoreCount > 0, let core = freeCore(for: strand) { return grant(core, to: strand) }
    if device.favoursMain, strand.isFavoured, let victim = longestRunning() {
      let core = victim.core
      takeCore(from: victim)
      // The victim has not used up its slice, so it is the next to get a core.
      ready.insert(victim, at: 0)
      return grant(core, to: strand)
    }
    if device.favoursMain, strand.isFavoured {
      let place = ready.firstIndex { !$0.isFavoured } ?? ready.endIndex
      ready.insert(strand, at: place)
    } else {
      ready.append(strand)
    }
    limitSlices()
  }

  /// Returns the strand that has held its core longest among those that main may displace, or nil if main may not
  /// displace any.
  private func longestRunning() -> Strand? {
    var longest: Strand?
    for case let strand? in cores where !strand.isFavoured {
      guard let found = longest else {
        longest = strand
        continue
      }
      if (strand.grantInstant, strand.ticket) < (found.grantInstant, found.ticket) { longest = strand }
    }
    return longest
  }

  /// Returns the first free core that a strand may use, or nil if there is none.
  private func freeCore(for strand: Strand) -> Int? {
    guard bindsMain else { return cores.firstIndex { $0 == nil } }
    if strand.isMain { return cores[0] == nil ? 0 : nil }
    return cores.dropFirst().firstIndex { $0 == nil }
  }

  private func grant(_ core: Int, to strand: Strand) {
    cores[core] = strand
    freeCoreCount -= 1
    strand.core = core
    strand.state = .running
    record(.coreTaken(core), strand: strand)
    beginGrant(of: strand)
    schedule(.resume, for: strand, at: clock + strand.remaining)
    if !ready.isEmpty { limitSlices() }
  }

  /// Begins a grant: the time for which the strand holds its core counts from now.
  func beginGrant(of strand: Strand) {
    strand.grantInstant = clock
    strand.chargeBegan = clock
    strand.ticket = makeNumber()
  }

  /// Takes the core of a strand that stops running, and gives it to the next strand in line. A strand
  /// without a core is only removed from the line.
  func releaseCore(of strand: Strand) {
    // This call may have woken another strand, which has taken the core already.
    guard strand.core >= 0 else {
      ready.removeAll { $0 === strand }
      return
    }
    let core = strand.core
    leaveCore(strand)
    // A main that is bound is never in line, because no other strand takes its core.
    if !ready.isEmpty, !(bindsMain && strand.isMain) { grant(core, to: ready.removeFirst()) }
  }

  private func leaveCore(_ strand: Strand) {
    record(.coreLeft(strand.core), strand: strand)
    cores[strand.core] = nil
    freeCoreCount += 1
    strand.core = -1
  }

  /// Takes a running strand's core away; the strand pays the rest of its charge on its next core.
  private func takeCore(from strand: Strand) {
    leaveCore(strand)
    strand.remaining -= clock - strand.chargeBegan
    strand.cpu += clock - strand.chargeBegan
    strand.ticket = makeNumber()
    strand.state = .ready
  }

  /// Adds an event of a strand, under its present ticket.
  ///
  /// If the schedule is explored, the event may happen at once, unless it is a timer's.
  func schedule(_ kind: StrandEvent.Kind, for strand: Strand, at instant: Int64, isTimer: Bool = false) {
    let event = StrandEvent(
      instant: instant, kind: kind, key: orderKey(strand.ticket), ticket: strand.ticket, strand: strand.number)
    if let explorer, !isTimer {
      explorer.runnable.append(event)
    } else {
      strandEvents.insert(event)
    }
  }

  /// Returns the ticket's order among equal instants: the ticket itself, or up to 63 places later with a schedule's
  /// seed.
  private func orderKey(_ ticket: UInt64) -> UInt64 {
    guard let seed = options.scheduleSeed else { return ticket }
    var random = SeededRandom(seed: seed ^ ticket &* 0x9e37_79b9_7f4a_7c15)
    return ticket + random.next() >> 58
  }
}

// MARK: - Slices

extension Scheduler {
  /// Schedules the end of the slice of each strand that holds a core, because other strands wait for one.
  ///
  /// Slices count from when the core was granted, regardless of the reports since then.
  func limitSlices() {
    for case let strand? in cores where strand.slicedTicket != strand.ticket && !isExempt(strand) {
      strand.slicedTicket = strand.ticket
      let quantum = device.quantum.nanoseconds
      let slices = max(1, (clock - strand.grantInstant + quantum - 1) / quantum)
      schedule(.sliceEnd, for: strand, at: strand.grantInstant + slices * quantum)
    }
  }

  private func isExempt(_ strand: Strand) -> Bool {
    device.favoursMain && strand.isFavoured || bindsMain && strand.isMain
  }

  func endSlice(of strand: Strand) {
    strand.slicedTicket = 0
    guard strand.state == .running, !isExempt(strand), !ready.isEmpty else { return }
    let core = strand.core
    takeCore(from: strand)
    ready.append(strand)
    grant(core, to: ready.removeFirst())
  }
}

// MARK: - Rank

extension Scheduler {
  /// Gives main's rank to the strands that it waits for, directly or through others, and takes it back from all other
  /// strands.
  func updateInheritance() {
    guard device.favoursMain, main.state == .parked || !boosted.isEmpty else { return }
    for strand in boosted { strand.isBoosted = false }
    boosted.removeAll(keepingCapacity: true)
    if main.state == .parked {
      var turn = main.turn
      while let holder = turn?.holder, !holder.isMain, !holder.isBoosted {
        holder.isBoosted = true
        boosted.append(holder)
        turn = holder.state == .parked ? holder.turn : nil
      }
    }
    for strand in boosted where strand.state == .ready {
      guard let place = ready.firstIndex(where: { $0 === strand }) else { continue }
      ready.remove(at: place)
      becomeReady(strand)
    }
    if !ready.isEmpty { limitSlices() }
  }
}
