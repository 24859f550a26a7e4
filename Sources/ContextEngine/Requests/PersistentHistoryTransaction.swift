/// A transaction of a store's history: the changes of one save or one batch request, and their origin.
public struct PersistentHistoryTransaction: Hashable, Sendable {
  /// The UUID of the store.
  public let storeID: String
  /// The number of the transaction in its store, from 1.
  public let transactionNumber: Int64
  /// The time at which the transaction was written, in seconds since 2001-01-01 00:00 UTC.
  public let timestamp: Double
  /// The bundle identifier of the program that wrote the transaction, or nil if none was recorded.
  public let bundleID: String?
  /// The name or the number of the process that wrote the transaction, or nil if none was recorded.
  public let processID: String?
  /// The name of the context that saved.
  public let contextName: String?
  /// The context's `transactionAuthor`.
  public let author: String?
  /// The changes in the order in which they were written, or nil if only transactions were requested.
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

  /// A token that covers this transaction, for requesting the transactions after it.
  public var token: PersistentHistoryToken { PersistentHistoryToken([storeID: transactionNumber]) }

  /// Returns the changes as lists of IDs, as `mergeChanges(fromRemoteContextSave:into:)` takes them. The result is
  /// empty if the transaction has no changes.
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

/// A change of one object in a transaction.
public struct PersistentHistoryChange: Hashable, Sendable {
  /// The kind of a change. The raw values are those in the store's file.
  public enum ChangeType: Int64, Hashable, Sendable {
    /// The object was inserted.
    case insert = 0
    /// The object was updated.
    case update = 1
    /// The object was deleted.
    case delete = 2
  }

  /// The number of the change in its store, from 1.
  public let changeID: Int64
  /// The number of the transaction in its store, from 1.
  public let transactionNumber: Int64
  /// The ID of the object that was inserted, updated or deleted.
  public let changedObjectID: ObjectID
  /// The kind of the change.
  public let changeType: ChangeType
  /// The names of the properties that an update has changed, in the order of the entity's slots; nil for other changes.
  /// To-many relationships are not included, since no row stores them.
  public let updatedProperties: [String]?
  /// The attributes of a deleted object that its model preserves; nil for other changes.
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
