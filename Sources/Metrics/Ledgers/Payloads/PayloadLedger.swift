import MachineCore

/// The instants at which each payload arrived, became durable, and was held by each screen.
///
/// The ledger is thread-safe. Payload p belongs to lane p mod `laneCount`. All memory is allocated at the start.
package final class PayloadLedger: Sendable {
  package let payloadCount: Int
  package let laneCount: Int
  package let screenCount: Int
  private let state: Guarded<State>

  private struct State {
    /// The arrivals a_p, each nil until the payload has arrived.
    var arrivals: [Instant?]
    /// The instants d_p at which payloads became durable.
    var durables: [Instant?]
    /// The instants u_p,s at which screens came to hold payloads, at index p · screens + s.
    var held: [Instant?]
    /// True if screen s must show payload p, at the same index.
    var concerned: [Bool]
    /// True if screen s has received payload p, in the open main block or before, at the same index.
    var received: [Bool]
    /// The payloads that the last of their screens has received since the last call of `takeNewlyReceived()`.
    var newlyReceived: [Int] = []
    /// The payloads that screens received during the open main block.
    var pending: [(payload: Int, screen: Int)] = []
    var agreement: ScreenAgreement
    var isCausedByPayload = false
    /// The end of the last main block that a payload caused.
    var lastCausedBlockEnd: Instant?

    init(payloadCount: Int, screenCount: Int) {
      arrivals = Array(repeating: nil, count: payloadCount)
      durables = Array(repeating: nil, count: payloadCount)
      held = Array(repeating: nil, count: payloadCount * screenCount)
      concerned = Array(repeating: true, count: payloadCount * screenCount)
      received = Array(repeating: false, count: payloadCount * screenCount)
      agreement = ScreenAgreement(screenCount: screenCount)
      pending.reserveCapacity(16 * max(1, screenCount))
    }
  }

  package init(payloadCount: Int, laneCount: Int, screenCount: Int) {
    self.payloadCount = payloadCount
    self.laneCount = laneCount
    self.screenCount = screenCount
    state = Guarded(State(payloadCount: payloadCount, screenCount: screenCount))
  }

  /// Forgets all events, before the payloads arrive again. Call it at rest.
  package func restart() {
    state.withLock { $0 = State(payloadCount: payloadCount, screenCount: screenCount) }
  }
}

// MARK: - Recording events

extension PayloadLedger {
  /// Records that a payload was due to arrive at an instant.
  ///
  /// - Parameters:
  ///   - payload: The number of the payload.
  ///   - intended: The instant at which it was due to arrive.
  ///   - screens: The screens that show any part of it, or nil for all screens.
  package func arrived(_ payload: Int, at intended: Instant, concerning screens: [Int]? = nil) {
    state.withLock { state in
      state.arrivals[payload] = intended
      guard let screens else { return }
      for screen in 0..<screenCount {
        state.concerned[payload * screenCount + screen] = screens.contains(screen)
      }
    }
  }

  /// Records that a COMMIT that holds rows of a payload returned at an instant. The latest instant counts, so each unit
  /// may report its own.
  package func durable(_ payload: Int, at instant: Instant) {
    state.withLock { state in
      state.durables[payload] = max(instant, state.durables[payload] ?? instant)
    }
  }

  /// Records that, in the running main block, the context and the controller of a screen received all of a payload.
  ///
  /// Call it on the main thread inside a block: the recorded instant is the end of that block. Earlier payloads of the
  /// same lane count as held too, so that a later overwrite does not hide them.
  package func held(payload: Int, screen: Int) {
    state.withLock { state in
      if !isReceived(payload, in: state) {
        state.received[payload * screenCount + screen] = true
        if isReceived(payload, in: state) { state.newlyReceived.append(payload) }
      }
      state.pending.append((payload, screen))
      state.isCausedByPayload = true
    }
  }

  /// Records that a save of the import is committed. Saves of the screens' contexts do not count.
  package func saved() {
    state.withLock { $0.agreement.saved() }
  }

  /// Records that a screen begins to fetch its list again in the running main block, with all saves so far.
  package func fetched(by screen: Int) {
    state.withLock { $0.agreement.fetched(by: screen) }
  }

  /// Records that a payload caused the running main block, even if no screen received data in it.
  package func causedBlock() {
    state.withLock { $0.isCausedByPayload = true }
  }

  /// Records that the running main block ends.
  package func blockEnded(at instant: Instant) {
    state.withLock { state in
      state.agreement.blockEnded(at: instant)
      guard state.isCausedByPayload else { return }
      state.isCausedByPayload = false
      state.lastCausedBlockEnd = instant
      for (payload, screen) in state.pending {
        // All payloads of the lane before a held one are held as well, so the loop ends there.
        var earlier = payload
        while earlier >= 0, state.held[earlier * screenCount + screen] == nil {
          state.held[earlier * screenCount + screen] = instant
          earlier -= laneCount
        }
      }
      state.pending.removeAll(keepingCapacity: true)
    }
  }
}

// MARK: - Waiting payloads

extension PayloadLedger {
  /// The payloads that have arrived and are not durable, with the instants of their arrival.
  package var unsaved: [(payload: Int, arrival: Instant)] {
    state.withLock { state in
      (0..<payloadCount).compactMap { payload in
        state.durables[payload] == nil ? state.arrivals[payload].map { (payload, $0) } : nil
      }
    }
  }

  /// The payloads that have arrived and that a screen has yet to show, with the instants of their arrival.
  package var unshown: [(payload: Int, arrival: Instant)] {
    state.withLock { state in
      (0..<payloadCount).compactMap { payload in
        let isShown = (0..<screenCount).allSatisfy { screen in
          let place = payload * screenCount + screen
          return !state.concerned[place] || state.held[place] != nil
        }
        return isShown ? nil : state.arrivals[payload].map { (payload, $0) }
      }
    }
  }

  /// The number of payloads that have arrived.
  package var arrivedCount: Int { state.withLock { $0.arrivals.count { $0 != nil } } }

  /// The number of payloads that are durable.
  package var durableCount: Int { state.withLock { $0.durables.count { $0 != nil } } }

  /// The number of payloads that have arrived and that all screens that must show them have received.
  package var receivedCount: Int {
    state.withLock { state in (0..<payloadCount).count { state.arrivals[$0] != nil && isReceived($0, in: state) } }
  }

  /// Returns true if all screens that must show a payload have received it.
  private func isReceived(_ payload: Int, in state: State) -> Bool {
    (payload * screenCount..<(payload + 1) * screenCount).allSatisfy { !state.concerned[$0] || state.received[$0] }
  }

  /// Returns the payloads that the last of their screens has received since the last call. Call it in a separate main
  /// block.
  package func takeNewlyReceived() -> [Int] {
    state.withLock { state in
      defer { state.newlyReceived = [] }
      return state.newlyReceived
    }
  }
}

// MARK: - Measures

extension PayloadLedger {
  /// True if at least one payload has arrived and every payload that arrived is durable.
  package var isAllDurable: Bool {
    state.withLock { state in
      state.arrivals.contains { $0 != nil }
        && zip(state.arrivals, state.durables).allSatisfy { $0 == nil || $1 != nil }
    }
  }

  package func measures(in window: Window, frames: FrameTimeline) -> PayloadMeasures {
    state.withLock { state in
      let arrived = (0..<payloadCount).filter { state.arrivals[$0] != nil }
      let visibles = arrived.map { visible($0, in: state, frames: frames) }
      var measures = PayloadMeasures()
      if let durables = complete(arrived.map { state.durables[$0] }) {
        measures.importTime = durables.max().map { $0 - window.start }
        measures.timesToDurable = NearestRank(sinceArrival(durables, of: arrived, in: state))
      }
      if screenCount > 0, let visibles = complete(visibles) {
        measures.visibleTime = visibles.max().map { $0 - window.start }
        measures.timesToVisible = NearestRank(sinceArrival(visibles, of: arrived, in: state))
        measures.disagreement = state.agreement.disagreement(in: window, shownBy: frames)
        if let durables = complete(arrived.map { state.durables[$0] }) {
          measures.atRiskMaximum = zip(durables, visibles).map { max(.zero, $0 - $1) }.max()
        }
      }
      return measures
    }
  }

  /// Returns the last instant at which a payload became durable or visible or, if payloads do not all become visible,
  /// at which a main block caused by a payload ended.
  ///
  /// Returns nil while a change that a screen holds waits for its frame.
  func lastInstant(shownBy frames: FrameTimeline) -> Instant? {
    state.withLock { state in
      var last = state.durables.lazy.compactMap(\.self).max() ?? Instant(nanoseconds: .min)
      var isEverythingHeld = screenCount > 0
      for payload in 0..<payloadCount where state.arrivals[payload] != nil {
        for screen in 0..<screenCount where state.concerned[payload * screenCount + screen] {
          guard let held = state.held[payload * screenCount + screen] else {
            isEverythingHeld = false
            continue
          }
          guard let shown = frames.instantShown(whatIsHeldAt: held) else { return nil }
          last = max(last, shown)
        }
      }
      if !isEverythingHeld, let end = state.lastCausedBlockEnd { last = max(last, end) }
      return last
    }
  }

  /// Returns the instants at which each payload that arrived did so, became durable and became visible.
  package func moments(shownBy frames: FrameTimeline) -> [Moments] {
    state.withLock { state in
      (0..<payloadCount).compactMap { payload in
        state.arrivals[payload].map { arrival in
          let visible = screenCount > 0 ? visible(payload, in: state, frames: frames) : nil
          return Moments(
            number: payload, due: arrival, acknowledged: nil, durable: state.durables[payload], shown: visible)
        }
      }
    }
  }

  /// Returns v_p, the instant of the last frame that shows the payload on a screen that must show it, or nil if such a
  /// screen does not hold it or has not shown it yet.
  ///
  /// A payload that no screen must show is visible when it arrives.
  private func visible(_ payload: Int, in state: State, frames: FrameTimeline) -> Instant? {
    var last = state.arrivals[payload]
    for screen in 0..<screenCount where state.concerned[payload * screenCount + screen] {
      guard
        let held = state.held[payload * screenCount + screen],
        let shown = frames.instantShown(whatIsHeldAt: held)
      else { return nil }
      last = max(shown, last ?? shown)
    }
    return last
  }

  private func sinceArrival(_ instants: [Instant], of payloads: [Int], in state: State) -> [Int64] {
    zip(instants, payloads).compactMap { instant, payload in
      state.arrivals[payload].map { (instant - $0).nanoseconds }
    }
  }

  /// Returns the instants, or nil if one is missing.
  private func complete(_ instants: [Instant?]) -> [Instant]? {
    let known = instants.compactMap(\.self)
    return known.count == instants.count ? known : nil
  }
}
