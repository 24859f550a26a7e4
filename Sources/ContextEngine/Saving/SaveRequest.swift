import MachineCore

/// The changes of one context as its coordinator takes them: plain values, each list in the context's order.
struct SaveRequest {
  struct Update {
    var objectID: ObjectID
    /// The state on which the change is based.
    var base: Row
    /// What is in memory.
    var row: Row
    var slots: UInt64
    /// What a conflict came to; nil = the object has met none, and its row is written as it is.
    var resolution: ConflictResolution?
    /// Whether nothing of the object is changed but what is derived from others, which leaves its version as it is.
    var isFollower = false
  }

  struct Deletion {
    var objectID: ObjectID
    var base: Row
    /// What a conflict came to; nil = the object has met none, and its row is deleted.
    var resolution: ConflictResolution?
  }

  /// An object that is not changed and whose version is compared all the same.
  struct Watched {
    var objectID: ObjectID
    var base: Row
  }

  /// New objects, under the IDs that the context has them by.
  var insertions: [StoreChanges.Insertion] = []
  /// The places among them of those whose temporary IDs contexts below know, where they stay in use.
  var sharedPlaces: [Int] = []
  var updates = SaveUpdates()
  var deletions: [Deletion] = []
  var watched: [Watched] = []
  var origin = TransactionOrigin()
  /// What no row holds.
  var relationships = RelationshipChanges()
}

/// What became of a save request; each list is in step with the request's.
struct SaveResult {
  enum Outcome {
    /// The row as it was written, or as the store has it where the policy gave the object's changes up.
    case row(Row)
    case deleted
  }

  /// An object that is not of the request and of which a new one became part.
  struct Other {
    var objectID: ObjectID
    var outcome: Outcome
    /// Whether its row was written, or only taken over.
    var isWritten: Bool
    /// Whether nothing of it is changed but what is derived from others.
    var isFollower = false
  }

  var permanentIDs: PermanentIDs
  var insertions: [StoreChanges.Insertion]
  /// Behind those of the request come rows that new objects became part of, and those that derive from others.
  var updates: SaveUpdates
  var deletions: [SaveRequest.Deletion]
  /// Watched objects whose rows others had changed: as the store has them, which the policy let be; nil = deleted there.
  var overtaken: [(objectID: ObjectID, row: Row?)]
  /// By their places, new objects that became part of others by a uniqueness constraint: the IDs of those.
  var absorbed: [Int: ObjectID] = [:]
  /// What became of objects that are not of the request and of which new ones became part.
  var others: [Other] = []
  var committedAt: Instant
  /// The token of the save's transaction in persistent history, or nil if it wrote no history.
  var historyToken: PersistentHistoryToken?
  /// Whether the save met changes of others, which a merge policy settled.
  var hasMetOthers: Bool
}

extension SaveRequest.Update {
  /// What is to become of the row.
  var action: ConflictResolution {
    get { resolution ?? .write(row, slots: slots, baseVersion: base.version) }
    set { resolution = newValue }
  }

  var outcome: SaveResult.Outcome { SaveResult.Outcome(of: action) }
}

extension SaveRequest.Deletion {
  /// What is to become of the row.
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
