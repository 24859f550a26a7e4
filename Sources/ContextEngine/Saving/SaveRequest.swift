import MachineCore

/// The changes of one context in the form that its coordinator takes: plain values, each list in the context's order.
package struct SaveRequest {
  package struct Update {
    package var objectID: ObjectID
    /// The state on which the change is based.
    package var base: Row
    /// The object's values in memory.
    var row: Row
    var slots: SlotSet
    /// The resolution of the object's conflict; nil if it has not met a conflict, so that its row is written as it is.
    package var resolution: ConflictResolution?
    /// True if only attributes that are derived from other objects change, which leaves the object's version as it is.
    package var isFollower = false
  }

  struct Deletion {
    var objectID: ObjectID
    var base: Row
    /// The resolution of the object's conflict; nil if it has not met a conflict, so that its row is deleted.
    var resolution: ConflictResolution?
  }

  /// An object that is not changed and whose version is compared nevertheless.
  struct Watched {
    var objectID: ObjectID
    var base: Row
  }

  /// The new objects, under the IDs by which the context has them.
  var insertions: [StoreChanges.Insertion] = []
  /// The indices in `insertions` of objects whose temporary IDs are known to child contexts, where they stay in use.
  var sharedPlaces: [Int] = []
  var updates = SaveUpdates()
  var deletions: [Deletion] = []
  var watched: [Watched] = []
  var origin = TransactionOrigin()
  /// The changes of relationships that no row holds.
  var relationships = RelationshipChanges()
}

/// The result of a save request. `insertions`, `updates` and `deletions` begin with the objects of the request, in its
/// order.
struct SaveResult {
  enum Outcome {
    /// The row as it was written, or as the store has it if the policy discarded the object's changes.
    case row(Row)
    case deleted
  }

  /// An object outside the request that was changed by the save: one of which a new object became part, or one whose
  /// derived attributes depend on others.
  struct Other {
    var objectID: ObjectID
    var outcome: Outcome
    /// True if the row was written; false if the save only took it from the store.
    var isWritten: Bool
    /// True if only attributes that are derived from other objects changed.
    var isFollower = false
  }

  var permanentIDs: PermanentIDs
  var insertions: [StoreChanges.Insertion]
  /// The updates of the request, followed by rows that new objects became part of and rows that derive from others.
  var updates: SaveUpdates
  var deletions: [SaveRequest.Deletion]
  /// The watched objects whose rows others had changed, with the row in the store, which the policy accepts; nil if it
  /// is deleted there.
  var overtaken: [(objectID: ObjectID, row: Row?)]
  /// The new objects that became part of others by a uniqueness constraint: the ID of the other object by the index of
  /// the new one in `insertions`.
  var absorbed: [Int: ObjectID] = [:]
  /// The results for objects outside the request.
  var others: [Other] = []
  var committedAt: Instant
  /// The token of the save's transaction in persistent history, or nil if it wrote no history.
  var historyToken: PersistentHistoryToken?
  /// True if the save met changes of others, or if the store reported values that were not unique.
  var hasMetOthers: Bool
}

extension SaveRequest.Update {
  /// The resolution of the conflict, or the plain change if the object has not met a conflict.
  package var action: ConflictResolution {
    get { resolution ?? .write(row, slots: slots, baseVersion: base.version) }
    set { resolution = newValue }
  }

  var outcome: SaveResult.Outcome { SaveResult.Outcome(of: action) }
}

extension SaveRequest.Deletion {
  /// The resolution of the conflict, or the plain change if the object has not met a conflict.
  var action: ConflictResolution {
    get { resolution ?? .delete(baseVersion: base.version) }
    set { resolution = newValue }
  }

  var outcome: SaveResult.Outcome { resolution.map(SaveResult.Outcome.init) ?? .deleted }
}

extension SaveResult.Outcome {
  init(of action: ConflictResolution) {
    self =
      switch action {
      case .write(let row, _, _), .insertAgain(let row): .row(row.shared())
      case .delete, .takeStore(nil): .deleted
      case .takeStore(let row?): .row(row)
      }
  }
}
