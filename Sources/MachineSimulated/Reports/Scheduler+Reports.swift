import MachineCore

// MARK: - Deadlocks

extension Scheduler {
  /// Returns the strands that wait for each other in a circle, beginning with this one, or nil if it is not part of a
  /// circle.
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
  /// True if a strand that does background work is parked for a turn that will not be passed on.
  ///
  /// Ticks re-arm themselves for ever, so a lost wake-up does not show by a lack of events. The value is true only
  /// while no strand has a core or waits for one.
  var isStalled: Bool {
    guard parkedCount > 0, freeCoreCount == cores.count, ready.isEmpty else { return false }
    return strands.contains { $0.state == .parked && $0.activities.role == .background && isForgotten($0) }
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
  /// Returns a sentence with the turn that a strand waits for, the strand that holds it, and where it was asked for.
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
