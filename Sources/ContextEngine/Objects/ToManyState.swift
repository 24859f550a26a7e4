import OrderedCollections

/// What an object knows of one of its to-many relationships.
///
/// A row never holds it, so it is read apart when first asked for, and local changes wait beside it: setting the other
/// end of a relationship does not read this one.
struct ToManyState {
  /// The IDs as the parent store had them when they were read; nil = not read.
  var base: [ObjectID]?
  /// Local changes since the last save.
  var added: OrderedSet<ObjectID> = []
  var removed: OrderedSet<ObjectID> = []

  var hasChanges: Bool { !added.isEmpty || !removed.isEmpty }

  mutating func add(_ objectID: ObjectID) {
    if removed.remove(objectID) == nil {
      added.append(objectID)
    }
  }

  mutating func remove(_ objectID: ObjectID) {
    if added.remove(objectID) == nil {
      removed.append(objectID)
    }
  }

  /// The relationship with its local changes, given what the parent store has.
  func current(over base: [ObjectID]) -> [ObjectID] {
    guard hasChanges else { return base }
    var result = base.filter { !removed.contains($0) && !added.contains($0) }
    result.append(contentsOf: added)
    return result
  }

  /// Takes the local changes for saved.
  mutating func settle() {
    if let base { self.base = current(over: base) }
    added = []
    removed = []
  }
}
