/// One transaction of a store's history: who changed what, in one save or one batch request.
public struct PersistentHistoryTransaction: Hashable, Sendable {
  /// The UUID of the store.
  public let storeID: String
  /// Counts the store's transactions, from 1.
  public let transactionNumber: Int64
  /// When it was written: seconds since 2001-01-01 00:00 UTC.
  public let timestamp: Double
  public let bundleID: String?
  public let processID: String?
  /// The name of the context that saved.
  public let contextName: String?
  /// The context's `transactionAuthor`.
  public let author: String?
  /// In the order in which they were written; nil where only transactions were asked for.
  public let changes: [PersistentHistoryChange]?

  package init(
    storeID: String, transactionNumber: Int64, timestamp: Double, bundleID: String?, processID: String?,
    contextName: String?, author: String?, changes: [PersistentHistoryChange]?
  ) {
    self.storeID = storeID
    self.transactionNumber = transactionNumber
    self.timestamp = timestamp
    self.bundleID = bundleID
    self.processID = processID
    self.contextName = contextName
    self.author = author
    self.changes = changes
  }

  /// What to ask for the transactions after this one with.
  public var token: PersistentHistoryToken { PersistentHistoryToken([storeID: transactionNumber]) }

  /// The changes as lists of IDs, ready for `mergeChanges(fromRemoteContextSave:into:)`; empty without changes.
  public func objectIDNotification() -> [ChangedObjectIDsKey: [ObjectID]] {
    var lists: [ChangedObjectIDsKey: [ObjectID]] = [:]
    for change in changes ?? [] {
      let key: ChangedObjectIDsKey =
        switch change.changeType {
        case .insert: .inserted
        case .update: .updated
        case .delete: .deleted
        }
      lists[key, default: []].append(change.changedObjectID)
    }
    return lists
  }
}

/// What a transaction did to one object.
public struct PersistentHistoryChange: Hashable, Sendable {
  /// The values are those of the file.
  public enum ChangeType: Int64, Hashable, Sendable {
    case insert = 0
    case update = 1
    case delete = 2
  }

  /// Counts the store's changes, from 1.
  public let changeID: Int64
  public let transactionNumber: Int64
  public let changedObjectID: ObjectID
  public let changeType: ChangeType
  /// The names of what an update has changed, in the order of the entity's slots; nil for other changes. To-many
  /// relationships, which no row holds, are not among them.
  public let updatedProperties: [String]?
  /// Of a deleted object the attributes that its model preserves; nil for other changes.
  public let tombstone: [String: Value]?

  package init(
    changeID: Int64, transactionNumber: Int64, changedObjectID: ObjectID, changeType: ChangeType,
    updatedProperties: [String]?, tombstone: [String: Value]?
  ) {
    self.changeID = changeID
    self.transactionNumber = transactionNumber
    self.changedObjectID = changedObjectID
    self.changeType = changeType
    self.updatedProperties = updatedProperties
    self.tombstone = tombstone
  }
}
