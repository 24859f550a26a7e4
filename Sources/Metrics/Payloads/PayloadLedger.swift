import MachineCore

/// When each payload arrived, became durable, and was held by each screen.
///
/// Thread-safe. Payload p belongs to lane p mod `laneCount`. Everything is allocated at the start.
package final class PayloadLedger: Sendable {
  package let payloadCount: Int
  package let laneCount: Int
  package let screenCount: Int
  private let state: Guarded<State>

  private struct State {
    /// a_p; nil of a payload that has not arrived.
    var arrivals: [Instant?]
    /// d_p.
    var durables: [Instant?]
    /// u_p,s at p · screens + s.
    var held: [Instant?]
    /// Whether screen s must show p, likewise.
    var concerned: [Bool]
    /// What screens took in during the open main block.
    var pending: [(payload: Int, screen: Int)] = []
    var isCausedByPayload = false
    /// The end of the last main block that a payload caused.
    var lastCausedBlockEnd: Instant?
  }

  package init(payloadCount: Int, laneCount: Int, screenCount: Int) {
    self.payloadCount = payloadCount
    self.laneCount = laneCount
    self.screenCount = screenCount
    var state = State(
      arrivals: Array(repeating: nil, count: payloadCount),
      durables: Array(repeating: nil, count: payloadCount),
      held: Array(repeating: nil, count: payloadCount * screenCount),
      concerned: Array(repeating: true, count: payloadCount * screenCount))
    state.pending.reserveCapacity(16 * max(1, screenCount))
    self.state = Guarded(state)
  }
}

// MARK: - What happens to a payload

extension PayloadLedger {
  /// Payload `payload` was due to arrive at `intended`; only `screens` show anything of it, all if nil.
  package func arrived(_ payload: Int, at intended: Instant, concerning screens: [Int]? = nil) {
    state.withLock { state in
      state.arrivals[payload] = intended
      guard let screens else { return }
      for screen in 0..<screenCount {
        state.concerned[payload * screenCount + screen] = screens.contains(screen)
      }
    }
  }

  /// A COMMIT that holds rows of `payload` returned at `instant`; the latest counts, so each unit may report its own.
  package func durable(_ payload: Int, at instant: Instant) {
    state.withLock { state in
      state.durables[payload] = max(instant, state.durables[payload] ?? instant)
    }
  }

  /// In the main block that runs now, the context and the controller of `screen` took in all of `payload`.
  ///
  /// Call on the main thread inside a block: the instant is the end of that block. Earlier payloads of the same lane
  /// count as held too, so a later overwrite hides nothing.
  package func held(payload: Int, screen: Int) {
    state.withLock { state in
      state.pending.append((payload, screen))
      state.isCausedByPayload = true
    }
  }

  /// A payload caused the main block that runs now, whether or not a screen takes anything in.
  package func causedBlock() {
    state.withLock { $0.isCausedByPayload = true }
  }

  /// The main block that runs now ends.
  package func blockEnded(at instant: Instant) {
    state.withLock { state in
      guard state.isCausedByPayload else { return }
      state.isCausedByPayload = false
      state.lastCausedBlockEnd = instant
      for (payload, screen) in state.pending {
        // Whatever lies before one that is held is held as well, so the walk ends there.
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

// MARK: - Measures

extension PayloadLedger {
  /// Whether every payload that arrived is durable; false while none has arrived.
  package var isAllDurable: Bool {
    state.withLock { state in
      state.arrivals.contains { $0 != nil }
        && zip(state.arrivals, state.durables).allSatisfy { $0 == nil || $1 != nil }
    }
  }

  package func measures(in window: Window, frames: FrameTimeline) -> PayloadMeasures {
    state.withLock { state in
      let arrived = (0..<payloadCount).filter { state.arrivals[$0] != nil }
      let visibles = arrived.map { visible($0, in: state, frames) }
      var measures = PayloadMeasures()
      if let durables = complete(arrived.map { state.durables[$0] }) {
        measures.importTime = durables.max().map { $0 - window.start }
        measures.timesToDurable = NearestRank(sinceArrival(durables, arrived, state))
      }
      if screenCount > 0, let visibles = complete(visibles) {
        measures.visibleTime = visibles.max().map { $0 - window.start }
        measures.timesToVisible = NearestRank(sinceArrival(visibles, arrived, state))
        if let durables = complete(arrived.map { state.durables[$0] }) {
          measures.atRiskMaximum = zip(durables, visibles).map { max(.zero, $0 - $1) }.max()
        }
      }
      return measures
    }
  }

  /// The last instant at which a payload became durable or visible or, where payloads do not all become visible, at
  /// which a main block that one caused ended.
  ///
  /// nil while something that a screen holds waits for its frame.
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

  /// When each payload that arrived did, and when it became durable and visible.
  package func moments(shownBy frames: FrameTimeline) -> [Moments] {
    state.withLock { state in
      (0..<payloadCount).compactMap { payload in
        state.arrivals[payload].map { arrival in
          let visible = screenCount > 0 ? visible(payload, in: state, frames) : nil
          return Moments(number: payload, due: arrival, durable: state.durables[payload], shown: visible)
        }
      }
    }
  }

  /// v_p: the last of the frames that show it on the screens concerned; nil if one does not hold it.
  private func visible(_ payload: Int, in state: State, _ frames: FrameTimeline) -> Instant? {
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

  private func sinceArrival(_ instants: [Instant], _ payloads: [Int], _ state: State) -> [Int64] {
    zip(instants, payloads).compactMap { instant, payload in
      state.arrivals[payload].map { (instant - $0).nanoseconds }
    }
  }

  /// The instants, if there is one for every payload.
  private func complete(_ instants: [Instant?]) -> [Instant]? {
    let known = instants.compactMap(\.self)
    return known.count == instants.count ? known : nil
  }
}
