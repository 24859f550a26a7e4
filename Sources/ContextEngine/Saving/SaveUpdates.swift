/// The changed objects of a save, in the order of its request.
///
/// What a store takes of each lies in a list of its own, which is handed over whole: beside it is what few objects have.
/// So a save in which nobody meets anybody counts one reference a row, and makes one list where it would make two.
struct SaveUpdates {
  /// What is in memory, based on the version of the base.
  var changes: [StoreChanges.Update] = []
  private var bases: [HeldRow] = []
  /// Bases that no object keeps.
  private var keptBases: [Row] = []
  /// In step with the others; empty while no object has any.
  private var particulars: [Particulars] = []

  private struct Particulars {
    var resolution: ConflictResolution?
    var isFollower = false

    var areNone: Bool { resolution == nil && !isFollower }
  }

  /// Whether every row is written as it is in memory.
  var areAllAsInMemory: Bool { particulars.allSatisfy { $0.resolution == nil } }

  /// Whether the row of an object is written as it is in memory.
  func isAsInMemory(at index: Int) -> Bool { particulars.isEmpty || particulars[index].resolution == nil }

  mutating func reserveCapacity(_ count: Int) {
    changes.reserveCapacity(count)
    bases.reserveCapacity(count)
  }

  /// Adds a changed object.
  ///
  /// - Parameter base: the state on which the change is based; the object keeps it until the save has ended.
  mutating func append(_ objectID: ObjectID, row: consuming Row, slots: UInt64, basedOn base: HeldRow) {
    changes.append(.init(objectID: objectID, row: row, slots: slots, baseVersion: base.version))
    bases.append(base)
    if !particulars.isEmpty { particulars.append(Particulars()) }
  }

  mutating func append(_ update: SaveRequest.Update) {
    append(update.objectID, row: update.row, slots: update.slots, basedOn: kept(update.base))
    set(Particulars(resolution: update.resolution, isFollower: update.isFollower), at: changes.count - 1)
  }

  mutating func removeAll(where isUnwanted: (SaveRequest.Update) -> Bool) {
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

// MARK: - One by one

extension SaveUpdates: RandomAccessCollection {
  var startIndex: Int { changes.startIndex }
  var endIndex: Int { changes.endIndex }

  /// All that there is of one object. Counts references; what is done to every object of a save asks for less.
  subscript(index: Int) -> SaveRequest.Update {
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
