/// The changes that one event made to a context's objects, with the values that are needed to undo them. A record
/// retains the objects.
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
    var changedSlots: SlotSet
    var hadChanges: Bool
    /// True if the object had never been saved.
    var wasInserted: Bool
    var toManys: [ToManyState]
    /// The members of each to-many relationship. If a relationship was never read, only its added members.
    var members: [[ObjectID]]
  }

  struct Updated: Sendable {
    /// The previous values of the changed slots.
    var values: [(slot: Int, value: Value)]
    var toManys: [ToManyChange]
  }

  /// The changes that an event made to one to-many relationship.
  struct ToManyChange: Sendable {
    var place: Int
    var added: [ObjectID]
    var removed: [ObjectID]
    /// The previous members of an ordered relationship in their order, or nil if they had not been read.
    var order: [ObjectID]?
  }

  /// Creates a record by comparing objects with their state before an event. Returns nil if no object changed.
  init?(_ touched: [UndoRecorder.Before], identities: IdentityMap) {
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
      // Delete rules may have read the members since.
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
  /// Creates the change between two states of a relationship. Returns nil if they do not differ.
  fileprivate init?(
    place: Int, isOrdered: Bool, from before: ToManyState, to after: ToManyState, _ identities: IdentityMap
  ) {
    added =
      after.added.filter { !before.added.contains($0) } + before.removed.filter { !after.removed.contains($0) }
    removed =
      after.removed.filter { !before.removed.contains($0) } + before.added.filter { !after.added.contains($0) }
    if added.isEmpty, removed.isEmpty, before.arranged == after.arranged { return nil }
    self.place = place
    // A relationship can be arranged only after its members were read.
    order = isOrdered ? (before.base ?? after.base).map { before.current(over: $0, identities) } : nil
  }
}
