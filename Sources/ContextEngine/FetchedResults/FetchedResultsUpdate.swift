/// Brings one event into a controller's list: one pass over the list, a binary search for each object to be placed.
///
/// O(n + m log n) for m changes in a list of n. A probe of a batch that was not loaded loads it.
struct FetchedResultsUpdate {
  private let list: FetchedObjects
  private let request: FetchRequest
  private let order: ObjectOrder
  private let evaluator: PredicateEvaluator

  /// Objects that leave the list.
  private var leaving: [ManagedObject] = []
  /// Objects of the list that changed and match: the slots say whether they may have to move.
  private var changed: [ControllerEvent.ChangedObject] = []
  /// Objects that match and may not be in the list yet.
  private var entering: [ManagedObject] = []

  /// One line of the report to the delegate.
  struct Report {
    var object: ManagedObject
    var change: FetchedResultsChange
  }

  init(list: FetchedObjects, request: FetchRequest, order: ObjectOrder, evaluator: PredicateEvaluator) {
    self.list = list
    self.request = request
    self.order = order
    self.evaluator = evaluator
  }

  var isEmpty: Bool { leaving.isEmpty && changed.isEmpty && entering.isEmpty }

  /// Picks from an event what may concern the list.
  mutating func collect(_ changes: ControllerEvent.Changes) {
    leaving = changes.deleted.filter { request.covers($0.entity) }
    for change in changes.updated + changes.refreshed where request.covers(change.object.entity) {
      if isMember(change.object) { changed.append(change) } else { leaving.append(change.object) }
    }
    entering = changes.inserted.filter { request.covers($0.entity) && isMember($0) }
  }

  /// Whether the object has a row, or is new, and matches. Fires it, as its sort keys will be needed.
  private func isMember(_ object: ManagedObject) -> Bool {
    if object.isFault, !object.isDeleted { object.fulfillOrTrap() }
    guard !object.isDeleted else { return false }
    list.context.countObjectsTested(1)
    return evaluator.matches(object)
  }

  /// Changes the list and says how, deletions first, then insertions, moves and updates.
  mutating func apply() -> [Report] {
    let positions = list.positions(of: (leaving + changed.map(\.object) + entering).map(\.objectID))
    var reports: [Report] = []
    var removed: [Int] = []
    for object in leaving {
      guard let position = positions[object.objectID] else { continue }
      reports.append(Report(object: object, change: .delete(from: position)))
      removed.append(position)
    }
    // What is placed by search: newcomers, and members whose sort keys changed.
    var placing: [Placing] = []
    var staying: [(object: ManagedObject, position: Int)] = []
    for change in changed {
      if let position = positions[change.object.objectID] {
        if change.slots & order.slots != 0 {
          placing.append(Placing(object: change.object, oldPosition: position))
          removed.append(position)
        } else {
          staying.append((change.object, position))
        }
      } else {
        placing.append(Placing(object: change.object, oldPosition: nil))
      }
    }
    for object in entering where positions[object.objectID] == nil {
      placing.append(Placing(object: object, oldPosition: nil))
    }
    reports.sort { position(of: $0) < position(of: $1) }
    removed.sort()
    list.remove(at: removed)
    var comparisonCount = 0
    placing.sort {
      comparisonCount += 1
      return order.isOrderedBefore($0.object, $1.object)
    }
    list.context.countObjectsCompared(comparisonCount)
    for index in placing.indices { placing[index].gap = list.gap(for: placing[index].object, by: order) }
    list.insert(placing.map { ($0.object, $0.gap) })
    return reports + reportsOfPlaced(placing, removed) + reportsOfStaying(staying, placing, removed)
  }

  // MARK: Positions

  private struct Placing {
    var object: ManagedObject
    /// Where it stood in the list; nil = it is new there.
    var oldPosition: Int?
    /// How many of the objects that stay come before it.
    var gap = 0
  }

  // MARK: Reports

  private func reportsOfPlaced(_ placing: [Placing], _ removed: [Int]) -> [Report] {
    var insertions: [Report] = []
    var moves: [Report] = []
    var updates: [Report] = []
    var lastOldPosition = -1
    for (index, placed) in placing.enumerated() {
      let newPosition = placed.gap + index
      guard let oldPosition = placed.oldPosition else {
        insertions.append(Report(object: placed.object, change: .insert(at: newPosition)))
        continue
      }
      // It stayed if it stands between the same neighbours, in the same order among those placed with it.
      let oldGap = oldPosition - Self.count(in: removed, below: oldPosition)
      if oldGap == placed.gap, oldPosition > lastOldPosition {
        updates.append(Report(object: placed.object, change: .update(at: newPosition)))
        lastOldPosition = oldPosition
      } else {
        moves.append(Report(object: placed.object, change: .move(from: oldPosition, to: newPosition)))
      }
    }
    return insertions + moves + updates
  }

  private func reportsOfStaying(
    _ staying: [(object: ManagedObject, position: Int)], _ placing: [Placing], _ removed: [Int]
  ) -> [Report] {
    let gaps = placing.map(\.gap)
    return staying.map { object, position in
      let kept = position - Self.count(in: removed, below: position)
      let newPosition = kept + Self.count(in: gaps, below: kept + 1)
      return Report(object: object, change: .update(at: newPosition))
    }
  }

  private func position(of report: Report) -> Int {
    if case .delete(let position) = report.change { position } else { 0 }
  }

  /// How many of the ascending numbers are below a bound. O(log n).
  private static func count(in ascending: [Int], below bound: Int) -> Int {
    var low = 0
    var high = ascending.count
    while low < high {
      let middle = (low + high) / 2
      if ascending[middle] < bound { low = middle + 1 } else { high = middle }
    }
    return low
  }
}
