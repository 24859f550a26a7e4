/// The changed objects of a save, in the order of its request.
///
/// The part of each object that a store takes is kept in a separate list, which is handed over as a whole; other lists
/// hold what only few objects have. A save without conflicts therefore counts one reference for each row, and makes one
/// list rather than two.
package struct SaveUpdates {
  /// The rows in memory, with the versions of the rows on which they are based.
  package internal(set) var changes: [StoreChanges.Update] = []
  private var bases: [HeldRow] = []
  /// The base rows that no object keeps alive.
  private var keptBases: [Row] = []
  /// The resolutions and follower marks, in step with the other lists; empty while no object has any.
  private var particulars: [Particulars] = []

  package init() {}

  private struct Particulars {
    var resolution: ConflictResolution?
    var isFollower = false

    var areNone: Bool { resolution == nil && !isFollower }
  }

  /// True if every row is written as it is in memory.
  package var areAllAsInMemory: Bool { particulars.allSatisfy { $0.resolution == nil } }

  /// Returns true if the row at the index is written as it is in memory.
  package func isAsInMemory(at index: Int) -> Bool { particulars.isEmpty || particulars[index].resolution == nil }

  mutating func reserveCapacity(_ count: Int) {
    changes.reserveCapacity(count)
    bases.reserveCapacity(count)
  }

  /// Adds a changed object with the state on which the change is based. The object keeps that state alive until the
  /// save has ended.
  package mutating func append(_ objectID: ObjectID, row: consuming Row, slots: SlotSet, basedOn base: HeldRow) {
    changes.append(.init(objectID: objectID, row: row, slots: slots, baseVersion: base.version))
    bases.append(base)
    if !particulars.isEmpty { particulars.append(Particulars()) }
  }

  package mutating func append(_ update: SaveRequest.Update) {
    append(update.objectID, row: update.row, slots: update.slots, basedOn: kept(update.base))
    set(Particulars(resolution: update.resolution, isFollower: update.isFollower), at: changes.count - 1)
  }

  package mutating func removeAll(where isUnwanted: (SaveRequest.Update) -> Bool) {
    let wanted = filter { !isUnwanted($0) }
    self = SaveUpdates()
    for update in wanted { append(update) }
  }

  private mutating func kept(_ base: Row) -> HeldRow {
    keptBases.append(base)
    return HeldRow(unretained: base)
  }

  private mutating func set(_ new: Particulars, at index: Int) {
    if particulars.isEmpty {
      if new.areNone { return }
      particulars = Array(repeating: Particulars(), count: changes.count)
    }
    particulars[index] = new
  }
}

// MARK: - Single updates

extension SaveUpdates: RandomAccessCollection {
  package var startIndex: Int { changes.startIndex }
  package var endIndex: Int { changes.endIndex }

  /// The update of one object. Each access counts references, so work on every object of a save uses `changes` instead.
  package subscript(index: Int) -> SaveRequest.Update {
    get {
      let particulars = particulars.isEmpty ? Particulars() : particulars[index]
      return SaveRequest.Update(
        objectID: changes[index].objectID, base: bases[index].row, row: changes[index].row,
        slots: changes[index].slots, resolution: particulars.resolution, isFollower: particulars.isFollower)
    }
    set {
      if !(newValue.base === bases[index].row) { bases[index] = kept(newValue.base) }
      changes[index] = .init(
        objectID: newValue.objectID, row: newValue.row, slots: newValue.slots, baseVersion: newValue.base.version)
      set(Particulars(resolution: newValue.resolution, isFollower: newValue.isFollower), at: index)
    }
  }
}
