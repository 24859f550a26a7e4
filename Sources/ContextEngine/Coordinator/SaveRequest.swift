import MachineCore

/// The changes of one context as its coordinator takes them: plain values, each list in the context's order.
struct SaveRequest {
  struct Insertion {
    var temporaryID: ObjectID
    var row: Row
    /// Whether contexts below know the object's temporary ID, which stays in use there.
    var isShared: Bool
  }

  struct Update {
    var objectID: ObjectID
    /// The state on which the change is based.
    var base: Row
    var row: Row
    var slots: UInt64
  }

  struct Deletion {
    var objectID: ObjectID
    var base: Row
  }

  /// An object that is not changed and whose version is compared all the same.
  struct Watched {
    var objectID: ObjectID
    var base: Row
  }

  var insertions: [Insertion] = []
  var updates: [Update] = []
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
  }

  var permanentIDs: PermanentIDs
  var insertions: [StoreChanges.Insertion]
  var updates: [Outcome]
  var deletions: [Outcome]
  /// Watched objects whose rows others had changed: as the store has them, which the policy let be; nil = deleted there.
  var overtaken: [(objectID: ObjectID, row: Row?)]
  /// By their places, new objects that became part of others by a uniqueness constraint: the IDs of those.
  var absorbed: [Int: ObjectID] = [:]
  /// What became of objects that are not of the request and of which new ones became part.
  var others: [Other] = []
  var committedAt: Instant
  /// Whether the save met changes of others, which a merge policy settled.
  var hasMetOthers: Bool
}
