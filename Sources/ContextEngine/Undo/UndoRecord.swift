/// What one event changed in a context's objects, as far as it takes to change it back. Keeps the objects.
struct UndoRecord: Sendable {
  var entries: [Entry] = []

  struct Entry: Sendable {
    var object: ManagedObject
    var change: Change
  }

  enum Change: Sendable {
    case inserted
    case deleted(Deleted)
    case updated(Updated)
  }

  struct Deleted: Sendable {
    var row: Row
    var changedSlots: UInt64
    var hadChanges: Bool
    /// Whether it had never been saved.
    var wasInserted: Bool
    var toManys: [ToManyState]
    /// The objects of each to-many relationship, of those that were read.
    var members: [[ObjectID]]
  }

  struct Updated: Sendable {
    /// What the changed slots held before.
    var values: [(slot: Int, value: Value)]
    var toManys: [ToManyChange]
  }

  /// What an event did to one to-many relationship.
  struct ToManyChange: Sendable {
    var place: Int
    var added: [ObjectID]
    var removed: [ObjectID]
    /// The members of an ordered relationship as they stood before, where they had been read.
    var order: [ObjectID]?
  }

  /// Compares objects with what they were before an event; nil where nothing is different.
  init?(_ touched: [UndoRecorder.Before], _ identities: IdentityMap) {
    for before in touched {
      guard let change = Self.change(of: before, identities) else { continue }
      entries.append(Entry(object: before.object, change: change))
    }
    if entries.isEmpty { return nil }
  }

  private static func change(of before: UndoRecorder.Before, _ identities: IdentityMap) -> Change? {
    let object = before.object
    guard let state = before.state else { return object.isDeleted ? nil : .inserted }
    if object.isDeleted {
      // Delete rules have read what they needed since.
      let members = object.entity.toManys.indices.map { place -> [ObjectID] in
        let toMany = state.toManys.isEmpty ? ToManyState() : state.toManys[place]
        let base = toMany.base ?? (object.toManys.isEmpty ? nil : object.toManys[place].base)
        return base.map { toMany.current(over: $0, identities) } ?? toMany.added.elements
      }
      return .deleted(
        Deleted(
          row: state.row, changedSlots: state.changedSlots, hadChanges: state.hadChanges,
          wasInserted: state.wasInserted, toManys: state.toManys,
          members: members))
    }
    if object.isFault { return nil }
    let current = object.currentRow
    let values = object.entity.slots.indices.filter { !current.isEqual(to: state.row, at: $0) }
      .map { (slot: $0, value: state.row.value(at: $0)) }
    let toManys = object.toManys.indices.compactMap { place in
      ToManyChange(
        place: place, isOrdered: object.entity.toManys[place].isOrdered,
        from: state.toManys.isEmpty ? ToManyState() : state.toManys[place], to: object.toManys[place], identities)
    }
    return values.isEmpty && toManys.isEmpty ? nil : .updated(Updated(values: values, toManys: toManys))
  }
}

extension UndoRecord.ToManyChange {
  /// Nil where nothing is different.
  fileprivate init?(
    place: Int, isOrdered: Bool, from before: ToManyState, to after: ToManyState, _ identities: IdentityMap
  ) {
    added =
      after.added.filter { !before.added.contains($0) } + before.removed.filter { !after.removed.contains($0) }
    removed =
      after.removed.filter { !before.removed.contains($0) } + before.added.filter { !after.added.contains($0) }
    if added.isEmpty, removed.isEmpty, before.arranged == after.arranged { return nil }
    self.place = place
    // Whoever arranged them had read them.
    order = isOrdered ? (before.base ?? after.base).map { before.current(over: $0, identities) } : nil
  }
}
