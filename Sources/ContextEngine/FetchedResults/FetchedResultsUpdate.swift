import MachineCore

/// An update of a controller's list by one event: one pass over the list, and a binary search for each object that is
/// placed.
///
/// O(n + m log n) for m changes in a list of n objects. A search loads the batches of the objects that it compares.
struct FetchedResultsUpdate {
  private let list: FetchedObjects
  private let order: ObjectOrder
  private let evaluator: PredicateEvaluator
  private let sectioning: Sectioning?

  /// The number of objects that were tested against the predicate.
  private var testedCount = 0

  /// The objects that leave the list, if they are in it.
  private var leaving: [ManagedObject] = []
  /// The objects that changed and match. Their changed slots show whether they may have to move.
  private var changed: [ControllerEvent.ChangedObject] = []
  /// The objects that match and may not be in the list yet.
  private var entering: [ManagedObject] = []

  init(list: FetchedObjects, order: ObjectOrder, evaluator: PredicateEvaluator, sectioning: Sectioning?) {
    self.list = list
    self.order = order
    self.evaluator = evaluator
    self.sectioning = sectioning
  }

  var isEmpty: Bool { leaving.isEmpty && changed.isEmpty && entering.isEmpty }

  /// Collects the changes of an event that may affect the list of a request.
  mutating func collect(_ changes: ControllerEvent.Changes, for request: FetchRequest) {
    leaving = changes.deleted.filter { request.covers($0.entity.index) }
    for changes in [changes.updated, changes.refreshed] {
      for change in changes where request.covers(change.object.entity.index) {
        if isMember(change.object) { changed.append(change) } else { leaving.append(change.object) }
      }
    }
    for object in changes.inserted where request.covers(object.entity.index) && isMember(object) {
      entering.append(object)
    }
    list.context.countObjectsTested(testedCount)
  }

  /// Returns true if the object has a row, or is new, and matches. It fires the object, whose sort keys will be needed.
  private mutating func isMember(_ object: ManagedObject) -> Bool {
    if object.isFault, !object.isDeleted { object.fulfillOrTrap() }
    guard !object.isDeleted else { return false }
    testedCount += 1
    return evaluator.matches(object)
  }
}

// MARK: - Applying

extension FetchedResultsUpdate {
  /// The effects of an event on a list: reports of deletions by their old positions, then of insertions, moves and
  /// updates.
  struct Outcome {
    var reports: [Report] = []
    /// The sections before the event. `newSections` are those after it.
    var oldSections: SectionTable
    var newSections: SectionTable
    var sectionChanges = SectionTable.Changes()
  }

  /// One line of the report to the delegate.
  struct Report {
    var object: ManagedObject
    /// The object's old position in the list, or nil if it was inserted.
    var old: Int?
    /// The object's new position in the list, or nil if it was deleted.
    var new: Int?
    /// True if the object changed and kept its place.
    var isUpdate = false
  }

  /// An object that is placed by a search: a new one, or one of the list whose sort keys changed.
  // The type is trivial, because its values are sorted and copied. The update's lists keep the objects alive.
  private struct Placing {
    var reference: Unmanaged<ManagedObject>
    var prefix: SortPrefix
    /// The object's old position in the list, or nil if it is new in the list.
    var oldPosition: Int?
    /// The number of staying objects that come before it.
    var gap = 0

    var object: ManagedObject { reference.takeUnretainedValue() }

    /// Calls `body` with the object without counting a reference to it.
    @inline(__always)
    func withObject<Result>(_ body: (ManagedObject) -> Result) -> Result { reference._withUnsafeGuaranteedRef(body) }
  }

  /// Changes the list and returns the changes.
  mutating func apply(_ sections: SectionTable) -> Outcome {
    let positions = list.places(of: leaving, changed.map(\.object), entering)
    var deletions: [Report] = []
    var removed: [Int] = []
    for object in leaving {
      guard let position = positions[object.objectID] else { continue }
      deletions.append(Report(object: object, old: position))
      removed.append(position)
    }
    var placing: [Placing] = []
    var staying: [(object: ManagedObject, position: Int)] = []
    for change in changed {
      let position = positions[change.object.objectID]
      // An object whose row was read ahead of its merge has already changed.
      if let position, change.slots.isDisjoint(with: order.slots),
        list.isInPlace(change.object, at: position, slots: order.slots)
      {
        staying.append((change.object, position))
        continue
      }
      placing.append(self.placing(change.object, from: position))
      if let position { removed.append(position) }
    }
    for object in entering where positions[object.objectID] == nil {
      placing.append(self.placing(object, from: nil))
    }
    deletions.sort { ($0.old ?? 0) < ($1.old ?? 0) }
    removed.sort()
    list.remove(at: removed)
    place(&placing)
    var outcome = Outcome(oldSections: sections, newSections: sections)
    follow(placing, removed: removed, outcome: &outcome)
    outcome.reports = deletions
    outcome.reports.reserveCapacity(deletions.count + placing.count + staying.count)
    reportPlaced(placing, removed: removed, outcome: &outcome)
    reportStaying(staying, placing: placing, removed: removed, outcome: &outcome)
    return outcome
  }

  private func placing(_ object: ManagedObject, from oldPosition: Int?) -> Placing {
    Placing(
      reference: .passUnretained(object), prefix: SortPrefix(of: object, order.prefixes), oldPosition: oldPosition)
  }

  /// Sorts the objects and inserts each into the list.
  private func place(_ placing: inout [Placing]) {
    if placing.isEmpty { return }
    list.keepPrefixes()
    let unsorted = placing
    var comparisonCount = 0
    // The prefixes are sorted, because sorting objects would retain and release them at every step.
    var prefixes = placing.map(\.prefix)
    let sequence = prefixes.withUnsafeBufferPointer { prefixes in
      placing.indices.sorted { left, right in
        comparisonCount += 1
        return SortPrefix.isOrderedBefore(prefixes[left], prefixes[right])
          ?? order.isOrderedBefore(unsorted[left].object, unsorted[right].object)
      }
    }
    list.context.countObjectsCompared(comparisonCount)
    placing = sequence.map { unsorted[$0] }
    for index in placing.indices {
      placing[index].gap = placing[index].withObject { list.gap(for: $0, placing[index].prefix, by: order) }
      prefixes[index] = placing[index].prefix
    }
    list.insert(placing.map(\.reference), toGaps: placing.map(\.gap), prefixes: prefixes)
  }

  private func follow(_ placing: [Placing], removed: [Int], outcome: inout Outcome) {
    guard let sectioning else {
      outcome.newSections = SectionTable(whole: list.count)
      return
    }
    outcome.sectionChanges = outcome.newSections.follow(
      removed: removed, placed: placing.map { ($0.gap, sectioning.name(of: $0.object)) })
  }

  // MARK: Reports

  private func reportPlaced(_ placing: [Placing], removed: [Int], outcome: inout Outcome) {
    var lastOldPosition = -1
    let stays = placing.indices.map { index in
      guard let oldPosition = placing[index].oldPosition else { return false }
      // The object kept its place if it is between the same neighbours, in the same order among the objects placed with
      // it, and in the same section.
      let oldGap = oldPosition - Self.count(in: removed, below: oldPosition)
      guard oldGap == placing[index].gap, oldPosition > lastOldPosition,
        outcome.keepsSection(from: oldPosition, to: placing[index].gap + index)
      else { return false }
      lastOldPosition = oldPosition
      return true
    }
    func report(_ isWanted: (Int) -> Bool) {
      for index in placing.indices where isWanted(index) {
        outcome.reports.append(
          Report(
            object: placing[index].object, old: placing[index].oldPosition, new: placing[index].gap + index,
            isUpdate: stays[index]))
      }
    }
    report { placing[$0].oldPosition == nil }
    report { placing[$0].oldPosition != nil && !stays[$0] }
    report { stays[$0] }
  }

  private func reportStaying(
    _ staying: [(object: ManagedObject, position: Int)], placing: [Placing], removed: [Int],
    outcome: inout Outcome
  ) {
    if staying.isEmpty { return }
    let gaps = placing.map(\.gap)
    for (object, position) in staying {
      let kept = position - Self.count(in: removed, below: position)
      let newPosition = kept + Self.count(in: gaps, below: kept + 1)
      outcome.reports.append(Report(object: object, old: position, new: newPosition, isUpdate: true))
    }
  }

  /// Returns the number of elements of an ascending array that are less than a bound. O(log n).
  private static func count(in ascending: [Int], below bound: Int) -> Int {
    var low = 0
    var high = ascending.count
    while low < high {
      let middle = (low + high) / 2
      let isBelow = ascending[middle] < bound
      low = isBelow ? middle + 1 : low
      high = isBelow ? high : middle
    }
    return low
  }
}

extension FetchedResultsUpdate.Outcome {
  /// Returns true if an old position and a new position are in the same section.
  func keepsSection(from old: Int, to new: Int) -> Bool {
    oldSections.count == 1 && newSections.count == 1
      || oldSections.names[oldSections.section(at: old)] == newSections.names[newSections.section(at: new)]
  }

  /// Returns the change that the delegate receives for a report.
  func change(_ report: FetchedResultsUpdate.Report) -> FetchedResultsChange {
    let old = report.old.map(oldSections.indexPath)
    let new = report.new.map(newSections.indexPath)
    return switch (old, new) {
    case (let old?, let new?): report.isUpdate ? .update(from: old, to: new) : .move(from: old, to: new)
    case (let old?, nil): .delete(from: old)
    case (nil, let new?): .insert(at: new)
    case (nil, nil): trapMisuse("a controller has a report without a position")
    }
  }
}
