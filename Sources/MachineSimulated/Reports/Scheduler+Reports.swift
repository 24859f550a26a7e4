import MachineCore

// MARK: - Deadlocks

extension Scheduler {
  /// The circle of strands that wait for each other, beginning with this one; nil if there is none through it.
  func circle(from strand: Strand) -> [Strand]? {
    var circle = [strand]
    var turn = strand.turn
    while let holder = turn?.holder {
      if holder === strand { return circle }
      // A circle that this strand only leads into was reported when it closed.
      guard holder.state == .parked, !circle.contains(where: { $0 === holder }) else { return nil }
      circle.append(holder)
      turn = holder.turn
    }
    return nil
  }

  func reportDeadlock(_ circle: [Strand]) -> Never {
    let names = circle.map { "“\($0.turn?.label ?? "nothing")”" }.joined(separator: ", ")
    fail(
      SimulationFailure(
        .deadlock, at: Instant(nanoseconds: clock),
        "deadlock at \(milliseconds(clock)): \(circle.count) threads wait for each other's \(names)",
        waits: circle.map(wait(of:))))
  }
}

// MARK: - Lost wake-ups

extension Scheduler {
  /// Whether an import's strand is parked for a turn that nobody will pass on.
  ///
  /// Ticks re-arm themselves for ever, so "nothing left to do" proves nothing. Looked at only while no strand has a core.
  var isStalled: Bool {
    guard parkedCount > 0, freeCoreCount == cores.count, ready.isEmpty else { return false }
    return strands.contains { $0.state == .parked && $0.activities.role == .importing && isForgotten($0) }
  }

  private func isForgotten(_ strand: Strand) -> Bool {
    guard let turn = strand.turn else { return false }
    guard let holder = turn.holder else { return true }
    return holder === strand || holder.state == .idle
  }

  func reportLostWakeUp() -> Never {
    let parked = strands.filter { $0.state == .parked }
    fail(
      SimulationFailure(
        .lostWakeUp, at: Instant(nanoseconds: clock),
        "lost wake-up at \(milliseconds(clock)): \(parked.count) threads wait for what nobody will give them",
        waits: parked.map(wait(of:))))
  }
}

// MARK: - Limits

extension Scheduler {
  func reportTimeLimit() -> Never {
    fail(
      SimulationFailure(
        .timeLimit, at: Instant(nanoseconds: clock),
        "the limit of \(options.timeLimit.nanoseconds / 1_000_000_000) s of virtual time was reached",
        waits: strands.filter { $0.state == .parked }.map(wait(of:))))
  }

  func reportEventLimit() -> Never {
    fail(
      SimulationFailure(
        .eventLimit, at: Instant(nanoseconds: clock),
        "the limit of \(options.eventLimit) events was reached at \(milliseconds(clock))",
        waits: strands.filter { $0.state == .parked }.map(wait(of:))))
  }
}

// MARK: - Sentences

extension Scheduler {
  /// What a strand waits for, who holds it, and where it was asked for.
  private func wait(of strand: Strand) -> String {
    let turn = strand.turn
    let holder = turn?.holder.map { $0 === strand ? "given to itself" : "held by \(name(of: $0))" } ?? "held by nobody"
    return "\(name(of: strand)) has waited since \(milliseconds(strand.waitBegan)) for “\(turn?.label ?? "nothing")”, "
      + "\(holder); asked for in \(place(of: strand))"
  }

  private func name(of strand: Strand) -> String {
    strand.isMain ? "the main thread" : "thread \(strand.number)"
  }

  private func place(of strand: Strand) -> String {
    var places = strand.queues.map { "a block of “\($0)”" }
    if let activity = strand.activities.activities.last { places.append("\(activity)") }
    return places.isEmpty ? "the driver" : places.joined(separator: ", in ")
  }

  private func milliseconds(_ nanoseconds: Int64) -> String {
    let fraction = String(nanoseconds / 1_000 % 1_000)
    return "\(nanoseconds / 1_000_000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction) ms"
  }
}
