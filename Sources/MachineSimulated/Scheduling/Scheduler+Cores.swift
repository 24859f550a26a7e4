import MachineCore

// MARK: - Cores

extension Scheduler {
  /// The strand could run: it gets a free core, or one that it may take away, or stands in line for one.
  func becomeReady(_ strand: Strand) {
    strand.state = .ready
    if freeCoreCount > 0 { return grantCore(to: strand) }
    if device.favoursMain, strand.isFavoured, let victim = longestRunning() {
      takeCore(from: victim)
      // It has not had its slice: it is the next to get a core.
      ready.insert(victim, at: 0)
      return grantCore(to: strand)
    }
    if device.favoursMain, strand.isFavoured {
      let place = ready.firstIndex { !$0.isFavoured } ?? ready.endIndex
      ready.insert(strand, at: place)
    } else {
      ready.append(strand)
    }
    limitSlices()
  }

  /// Of the strands that main may displace, the one that has held its core longest.
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

  private func grantCore(to strand: Strand) {
    guard let core = cores.firstIndex(where: { $0 == nil }) else { trapMisuse("A core was granted that nobody left.") }
    cores[core] = strand
    freeCoreCount -= 1
    strand.core = core
    strand.state = .running
    hear(.coreTaken(core), strand)
    beginGrant(of: strand)
    schedule(.resume, strand, at: clock + strand.remaining)
    if !ready.isEmpty { limitSlices() }
  }

  /// The strand's hold of its core counts from now.
  func beginGrant(of strand: Strand) {
    strand.grantInstant = clock
    strand.chargeBegan = clock
    strand.ticket = makeNumber()
  }

  /// The strand with the baton stops running: its core goes to the next in line.
  func releaseCore(of strand: Strand) {
    // The call that makes it stop may have woken somebody who took the core already.
    guard strand.core >= 0 else {
      ready.removeAll { $0 === strand }
      return
    }
    leaveCore(strand)
    if !ready.isEmpty { grantCore(to: ready.removeFirst()) }
  }

  private func leaveCore(_ strand: Strand) {
    hear(.coreLeft(strand.core), strand)
    cores[strand.core] = nil
    freeCoreCount += 1
    strand.core = -1
  }

  /// Takes a running strand's core away; what is left of its charge it pays on the next.
  private func takeCore(from strand: Strand) {
    leaveCore(strand)
    strand.remaining -= clock - strand.chargeBegan
    strand.cpu += clock - strand.chargeBegan
    strand.ticket = makeNumber()
    strand.state = .ready
  }

  /// Puts an event of a strand into the heap, under its present ticket.
  func schedule(_ kind: StrandEvent.Kind, _ strand: Strand, at instant: Int64) {
    strandEvents.insert(
      StrandEvent(
        instant: instant, kind: kind, key: orderKey(strand.ticket), ticket: strand.ticket, strand: strand.number))
  }

  /// The ticket's place among equal instants: its own number, or moved by up to 64 places.
  private func orderKey(_ ticket: UInt64) -> UInt64 {
    guard let seed = options.scheduleSeed else { return ticket }
    var random = SeededRandom(seed: seed ^ ticket &* 0x9e37_79b9_7f4a_7c15)
    return ticket + random.next() >> 58
  }
}

// MARK: - Slices

extension Scheduler {
  /// Somebody is in line: whoever holds a core gives it up at the end of a slice.
  ///
  /// Slices count from when the core was granted, whatever was reported since.
  func limitSlices() {
    for case let strand? in cores where strand.slicedTicket != strand.ticket && !isExempt(strand) {
      strand.slicedTicket = strand.ticket
      let quantum = device.quantum.nanoseconds
      let slices = max(1, (clock - strand.grantInstant + quantum - 1) / quantum)
      schedule(.sliceEnd, strand, at: strand.grantInstant + slices * quantum)
    }
  }

  private func isExempt(_ strand: Strand) -> Bool { device.favoursMain && strand.isFavoured }

  func endSlice(of strand: Strand) {
    strand.slicedTicket = 0
    guard strand.state == .running, !isExempt(strand), !ready.isEmpty else { return }
    takeCore(from: strand)
    ready.append(strand)
    grantCore(to: ready.removeFirst())
  }
}

// MARK: - Rank

extension Scheduler {
  /// Lends main's rank to whoever it waits for, directly or through others, and takes it back from all others.
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
