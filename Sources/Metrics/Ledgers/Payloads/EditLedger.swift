import MachineCore

/// The instants at which each edit of the user was intended, acknowledged, shown and durable, and the journal of the
/// acknowledged edits.
///
/// The ledger is thread-safe.
package final class EditLedger: Sendable {
  /// An acknowledged edit. The row's property `note` must equal `value` unless a later entry overwrote it.
  package struct Entry: Hashable, Sendable, Codable {
    package let edit: Int
    package let entity: String
    /// The row's remote key as text.
    package let key: String
    package let value: String

    package init(edit: Int, entity: String, key: String, value: String) {
      self.edit = edit
      self.entity = entity
      self.key = key
      self.value = value
    }
  }

  private let capacity: Int
  private let state: Guarded<State>

  private struct State {
    var edits: [Edit] = []
    var journal: [Entry] = []
    /// The positions in `edits` of the edits that the open main block performed or brought to the screens.
    var pending: [Int] = []

    init(capacity: Int) {
      edits.reserveCapacity(capacity)
      journal.reserveCapacity(capacity)
      pending.reserveCapacity(8)
    }
  }

  private struct Edit {
    let number: Int
    let intended: Instant
    /// False until the screens' context has the edit.
    var isHeld: Bool
    var blockEnd: Instant?
    var acknowledged: Instant?
    var durable: Instant?
  }

  /// - Parameter capacity: The number of edits for which memory is reserved. The ledger grows beyond it.
  package init(capacity: Int) {
    self.capacity = capacity
    state = Guarded(State(capacity: capacity))
  }

  /// Forgets all edits. Call it at rest.
  package func restart() {
    state.withLock { $0 = State(capacity: capacity) }
  }
}

// MARK: - Recording events

extension EditLedger {
  /// Records that the running main block performs an edit. Call it once for each number.
  ///
  /// Call it on the main thread inside a block. If the edit is held, the first frame after that block shows it.
  ///
  /// - Parameters:
  ///   - edit: The number of the edit.
  ///   - intended: The instant at which the edit was due.
  ///   - isHeld: True if the screens' context has the edit at the end of the block, and false if a later block brings it
  ///     there. The default is true.
  package func performed(_ edit: Int, intended: Instant, isHeld: Bool = true) {
    state.withLock { state in
      if isHeld { state.pending.append(state.edits.count) }
      state.edits.append(Edit(number: edit, intended: intended, isHeld: isHeld))
    }
  }

  /// Records that the screens' context has an edit at the end of the running main block. Only the first call for an edit
  /// counts, and none for an edit that was held when it was performed.
  package func held(_ edit: Int) {
    state.withLock { state in
      let index = index(of: edit, in: state)
      guard !state.edits[index].isHeld else { return }
      state.edits[index].isHeld = true
      state.pending.append(index)
    }
  }

  /// Records that the UI context's save of an edit announced with `performed` returned at an instant.
  package func acknowledged(_ entry: Entry, at instant: Instant) {
    state.withLock { state in
      let index = index(of: entry.edit, in: state)
      state.edits[index].acknowledged = instant
      state.journal.append(entry)
    }
  }

  /// Records that the COMMIT that holds an edit returned at an instant. Only the first call for an edit counts.
  package func durable(_ edit: Int, at instant: Instant) {
    state.withLock { state in
      let index = index(of: edit, in: state)
      state.edits[index].durable = state.edits[index].durable ?? instant
    }
  }

  /// Records that the running main block ends.
  package func blockEnded(at instant: Instant) {
    state.withLock { state in
      for index in state.pending {
        state.edits[index].blockEnd = instant
      }
      state.pending.removeAll(keepingCapacity: true)
    }
  }

  /// Returns the position of an edit. Traps if it was not performed.
  ///
  /// Edits arrive approximately in the order of their numbers, so the search from the end finds them quickly.
  private func index(of edit: Int, in state: borrowing State) -> Int {
    guard let index = state.edits.lastIndex(where: { $0.number == edit }) else {
      trapMisuse("Edit \(edit) was acknowledged or durable before it was performed.")
    }
    return index
  }
}

// MARK: - Measures

extension EditLedger {
  /// The acknowledged edits, in the order of their acknowledgement.
  package var journal: [Entry] {
    state.withLock { $0.journal }
  }

  /// Returns the instants at which each edit was intended, acknowledged, durable and shown.
  package func moments(shownBy frames: FrameTimeline) -> [Moments] {
    state.withLock { state in
      state.edits.map { edit in
        Moments(
          number: edit.number, due: edit.intended, acknowledged: edit.acknowledged, durable: edit.durable,
          shown: shown(edit, by: frames))
      }
    }
  }

  /// True if every acknowledged edit is durable.
  package var isAllDurable: Bool {
    state.withLock { $0.edits.allSatisfy { $0.acknowledged == nil || $0.durable != nil } }
  }

  package func measures(frames: FrameTimeline) -> EditMeasures {
    state.withLock { state in
      var responses: [Int64] = []
      var atRisk: [TimeSpan] = []
      var measures = EditMeasures()
      for edit in state.edits where edit.acknowledged != nil {
        guard let shown = shown(edit, by: frames) else { return EditMeasures() }
        responses.append((shown - edit.intended).nanoseconds)
        if let durable = edit.durable { atRisk.append(max(.zero, durable - shown)) }
      }
      guard !responses.isEmpty else { return EditMeasures() }
      measures.responses = NearestRank(responses)
      measures.atRiskMaximum = atRisk.count == responses.count ? atRisk.max() : nil
      return measures
    }
  }

  /// Returns the last instant at which an acknowledged edit was shown or became durable, or the earliest representable
  /// instant if there is no such edit.
  ///
  /// Returns nil while an edit waits for its frame.
  func lastInstant(shownBy frames: FrameTimeline) -> Instant? {
    state.withLock { state in
      var last = Instant(nanoseconds: .min)
      for edit in state.edits where edit.acknowledged != nil {
        guard let shown = shown(edit, by: frames) else { return nil }
        last = max(last, shown, edit.durable ?? shown)
      }
      return last
    }
  }

  private func shown(_ edit: Edit, by frames: FrameTimeline) -> Instant? {
    edit.blockEnd.flatMap { frames.instantShown(whatIsHeldAt: $0) }
  }
}

/// The response times and the safety of a trial's edits; all nil if there were no acknowledged edits or one was not
/// shown.
package struct EditMeasures: Sendable {
  /// The times from the intended instant to the frame that shows the edit, in nanoseconds.
  package var responses: NearestRank?
  /// The longest time for which an edit was shown but not durable; nil unless all edits became durable.
  package var atRiskMaximum: TimeSpan?
}
