import MachineCore

/// When each edit of the user was meant, acknowledged, shown and durable, and the journal of those acknowledged.
///
/// Thread-safe.
package final class EditLedger: Sendable {
  /// An acknowledged edit: `value` is what property `note` of the row must say unless a later entry overwrote it.
  package struct Entry: Hashable, Sendable, Codable {
    package let edit: Int
    package let entity: String
    /// The row's remote key, as text.
    package let key: String
    package let value: String

    package init(edit: Int, entity: String, key: String, value: String) {
      self.edit = edit
      self.entity = entity
      self.key = key
      self.value = value
    }
  }

  private let state: Guarded<State>

  private struct State {
    var edits: [Edit] = []
    var journal: [Entry] = []
    /// Positions in `edits` of those that the open main block performed.
    var pending: [Int] = []
  }

  private struct Edit {
    let number: Int
    let intended: Instant
    var blockEnd: Instant?
    var acknowledged: Instant?
    var durable: Instant?
  }

  /// - Parameter capacity: for how many edits there is room before the ledger must grow.
  package init(capacity: Int) {
    var state = State()
    state.edits.reserveCapacity(capacity)
    state.journal.reserveCapacity(capacity)
    state.pending.reserveCapacity(8)
    self.state = Guarded(state)
  }
}

// MARK: - What happens to an edit

extension EditLedger {
  /// The main block that runs now performs edit `edit`, which was due at `intended`; each number once.
  ///
  /// Call on the main thread inside a block: the edit is shown by the first frame after that block.
  package func performed(_ edit: Int, intended: Instant) {
    state.withLock { state in
      state.pending.append(state.edits.count)
      state.edits.append(Edit(number: edit, intended: intended))
    }
  }

  /// The save of the UI context that `performed` announced returned at `instant`.
  package func acknowledged(_ entry: Entry, at instant: Instant) {
    state.withLock { state in
      let index = index(of: entry.edit, in: state)
      state.edits[index].acknowledged = instant
      state.journal.append(entry)
    }
  }

  /// The COMMIT that holds edit `edit` returned at `instant`; the first counts.
  package func durable(_ edit: Int, at instant: Instant) {
    state.withLock { state in
      let index = index(of: edit, in: state)
      state.edits[index].durable = state.edits[index].durable ?? instant
    }
  }

  /// The main block that runs now ends.
  package func blockEnded(at instant: Instant) {
    state.withLock { state in
      for index in state.pending {
        state.edits[index].blockEnd = instant
      }
      state.pending.removeAll(keepingCapacity: true)
    }
  }

  /// Edits come in the order of their numbers or nearly so: the search from the end finds them at once.
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

  /// When each edit was meant, acknowledged, durable and shown.
  package func moments(shownBy frames: FrameTimeline) -> [Moments] {
    state.withLock { state in
      state.edits.map { edit in
        Moments(
          number: edit.number, due: edit.intended, acknowledged: edit.acknowledged, durable: edit.durable,
          shown: shown(edit, by: frames))
      }
    }
  }

  /// Whether every acknowledged edit is durable.
  package var isAllDurable: Bool {
    state.withLock { $0.edits.allSatisfy { $0.acknowledged == nil || $0.durable != nil } }
  }

  package func measures(frames: FrameTimeline) -> EditMeasures {
    state.withLock { state in
      var responses: [Int64] = []
      var atRisk: [Span] = []
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

  /// The last instant at which an acknowledged edit was shown or durable, the beginning of time without one.
  ///
  /// nil while an edit waits for its frame.
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

/// How fast and how safe the edits of a trial were; nil without edits.
package struct EditMeasures: Sendable {
  /// From the intended instant to the frame that shows it, in nanoseconds.
  package var responses: NearestRank?
  /// The longest time for which an edit was shown and not durable; nil unless all became durable.
  package var atRiskMaximum: Span?
}
