import Foundation
import MachineCore

/// A store that holds a coordinator's rows. It is implemented outside the engine and called from any thread.
///
/// A store can be called from several threads at the same time: each caller gets a separate connection, and waits if
/// all connections are in use. A store works with rows and keys, not with objects: registration, caching and merge
/// policies belong to the coordinator. Requests are made for many rows at once and not with one call for each row.
package protocol PersistentStore: AnyObject, Sendable {
  /// The UUID in the store's metadata.
  var identifier: String { get }

  /// The location of the store.
  var url: URL { get }

  /// Core Data's name for the kind of store: `SQLite` or `InMemory`.
  var type: String { get }

  var model: ManagedObjectModel { get }

  /// The seconds from 2001-01-01 00:00 UTC to the origin of the machine's clock, as given when the store was opened.
  var clockEpoch: Double { get }

  /// Returns the largest number of bytes of a value with external storage that is kept in the row of an object, or nil
  /// if values of any length are kept there.
  func externalDataLimit(for objectID: ObjectID) -> Int?

  /// The configuration of the model that the store was made for. The store accepts only objects of this configuration,
  /// or objects of every entity if it is nil.
  var modelConfiguration: String? { get }

  /// The number of readers that may work at the same time. If it is 1, the coordinator serialises every fetch and
  /// save.
  var connectionPoolSize: Int { get }

  /// Runs one SELECT and returns its rows in order. O(rows). Blocks until a connection is free.
  func fetch(_ request: StoreFetchRequest) throws(PersistenceError) -> [StoreRow]

  /// Runs one SELECT of identities only and returns them in the request's order.
  func fetchObjectIDs(_ request: StoreFetchRequest) throws(PersistenceError) -> [ObjectID]

  /// Returns the number of rows that match, ignoring the request's range. Runs one SELECT.
  func count(_ request: StoreFetchRequest) throws(PersistenceError) -> Int

  /// Returns the values that a dictionary request asks for, in its order. Runs one SELECT.
  func dictionaries(_ request: StoreDictionaryRequest) throws(PersistenceError) -> [[Value]]

  /// Returns the rows that have the given keys, in no particular order. Keys are left out if they have no row of the
  /// entity or of an entity that inherits from it. The slots to read are given; `.all` reads whole
  /// rows.
  func rows(of entity: EntityDescription, keys: [Int64], slots: SlotSet) throws(PersistenceError) -> [StoreRow]

  /// Returns the row of one object, or nil if it has no row. Runs one SELECT by key.
  func row(for objectID: ObjectID) throws(PersistenceError) -> Row?

  /// Returns the objects at the other end of a to-many relationship, in the relationship's order, or by ascending key
  /// if it is unordered. Runs one SELECT over the key column or the join table.
  func objectIDs(
    relatedBy relationship: EntityDescription.ToMany, to objectID: ObjectID
  ) throws(PersistenceError) -> [ObjectID]

  /// Returns the objects at the other end of a to-many relationship of one entity for many of its objects, in the
  /// order of `objectIDs`. Runs one SELECT.
  func objectIDs(
    relatedBy relationship: EntityDescription.ToMany, to objectIDs: [ObjectID]
  ) throws(PersistenceError) -> [[ObjectID]]

  /// Reserves keys for new rows in a separate transaction. Returns the first of `count` consecutive keys for each
  /// request.
  func reserveKeys(_ requests: [KeyRequest]) throws(PersistenceError) -> [Int64]

  /// Writes all changes in one transaction, or writes no change at all.
  ///
  /// Each update and deletion carries the version that it was based on. If a row has another version or does not exist,
  /// the transaction is rolled back and the outcome lists every such object. Pairs and orders are written last and
  /// cannot conflict. The caller holds the writer's turn.
  ///
  /// `beforeCommit` is called after everything was written, if there is no conflict. If it returns false or throws, the
  /// transaction is rolled back, and the outcome lists no object.
  func save(
    _ changes: StoreChanges, beforeCommit: () throws(PersistenceError) -> Bool
  ) throws(PersistenceError) -> SaveOutcome

  /// Executes a batch request. The caller holds the writer's turn.
  func execute(_ batch: StoreBatch, from origin: TransactionOrigin) throws(PersistenceError) -> StoreBatchOutcome

  /// Returns numbers that change whenever any connection writes to the store, or nil if the store cannot detect
  /// writes.
  func changeToken() throws(PersistenceError) -> [Int64]?

  /// Returns the history transactions that a request selects, in order.
  func history(_ request: StoreHistoryRequest) throws(PersistenceError) -> [PersistentHistoryTransaction]

  /// Deletes the history transactions before a bound and returns the number of deleted transactions.
  func deleteHistory(before bound: StoreHistoryRequest.Bound) throws(PersistenceError) -> Int

  /// Returns the number of the last history transaction, 0 if there is no transaction yet, or nil if the store keeps
  /// no history.
  func lastTransactionNumber() throws(PersistenceError) -> Int64?

  /// Indicates whether the store can keep a state for readers while others write.
  var supportsGenerations: Bool { get }

  /// Returns a read-only store whose rows stay as they are now, even if others write later.
  func pinnedGeneration() throws(PersistenceError) -> any PersistentStore

  /// Closes every connection and leaves a file that is complete without its side files. Waits for running requests;
  /// later requests fail.
  func close() throws(PersistenceError)
}

extension PersistentStore {
  /// The URL of a store that exists only in memory, made from its UUID.
  package var url: URL { URL(string: "memory://\(identifier)") ?? URL(fileURLWithPath: "/") }

  package var type: String { "InMemory" }

  package var clockEpoch: Double { 0 }

  package func externalDataLimit(for objectID: ObjectID) -> Int? { nil }

  package var modelConfiguration: String? { nil }

  /// The store's metadata: its type and its UUID.
  package var metadata: [String: String] { ["NSStoreType": type, "NSStoreUUID": identifier] }

  package func changeToken() throws(PersistenceError) -> [Int64]? { nil }

  /// Writes all changes in one transaction, or writes no change at all.
  package func save(_ changes: StoreChanges) throws(PersistenceError) -> SaveOutcome {
    try save(changes) { () throws(PersistenceError) -> Bool in true }
  }
}

/// A row with its object ID. The ID's entity is the row's actual entity, which can be one that inherits from the
/// fetched entity.
package struct StoreRow: Sendable {
  package var objectID: ObjectID
  package var row: Row

  package init(objectID: ObjectID, row: Row) {
    self.objectID = objectID
    self.row = row
  }

  package var key: Int64 { objectID.key }
}

/// A request to reserve keys of one entity.
package struct KeyRequest: Sendable {
  package var entity: EntityDescription
  package var count: Int
  /// The number of the coordinator's store that the rows are written to; 0, the first store, for a store that is used
  /// alone.
  package var store: Int

  package init(entity: EntityDescription, count: Int, store: Int = 0) {
    self.entity = entity
    self.count = count
    self.store = store
  }
}

/// The changes that one save writes. Each list is in ascending order of object IDs, and all IDs are permanent.
package struct StoreChanges: Sendable {
  package var insertions: [Insertion] = []
  package var updates: [Update] = []
  package var deletions: [Deletion] = []
  /// The context name and author of the transaction, for a store that keeps history.
  package var origin = TransactionOrigin()
  /// Pairs in join tables and orders, written last.
  package var relationships = StoreRelationshipChanges()
  /// Indicates whether rows give up their unique values before other rows take them, which needs more statements. It
  /// is required if rows exchange values of a uniqueness constraint.
  package var writesInStages = false

  package struct Insertion: Sendable {
    package var objectID: ObjectID
    /// The row to write, with version 1.
    package var row: Row

    package init(objectID: ObjectID, row: Row) {
      self.objectID = objectID
      self.row = row
    }
  }

  package struct Update: Sendable {
    package var objectID: ObjectID
    /// The row to write, with its new version.
    package var row: Row
    /// The slots that changed. It is empty if only the version rises because a to-many relationship changed.
    package var slots: SlotSet
    /// The version on which the change was based.
    package var baseVersion: Int64

    package init(objectID: ObjectID, row: Row, slots: SlotSet, baseVersion: Int64) {
      self.objectID = objectID
      self.row = row
      self.slots = slots
      self.baseVersion = baseVersion
    }
  }

  package struct Deletion: Sendable {
    package var objectID: ObjectID
    package var baseVersion: Int64

    package init(objectID: ObjectID, baseVersion: Int64) {
      self.objectID = objectID
      self.baseVersion = baseVersion
    }
  }

  package init() {}

  package var isEmpty: Bool { insertions.isEmpty && updates.isEmpty && deletions.isEmpty && relationships.isEmpty }
}

/// The outcome of a save.
package enum SaveOutcome: Sendable {
  /// The changes were written. COMMIT returned at `at`, and `token` is the token of the transaction in persistent
  /// history.
  case committed(at: Instant, token: PersistentHistoryToken?)
  /// No change was written: the rows of these objects have another version than the changes were based on, or were
  /// deleted (nil).
  case conflicting([VersionConflict])
  /// No change was written: every version was as expected, but a row would have had the same values as another row in
  /// a uniqueness constraint.
  case notUnique
}

/// An object whose row in the store differs from the row that a change was based on.
package struct VersionConflict: Sendable {
  package var objectID: ObjectID
  /// The row in the store, or nil if it was deleted.
  package var persisted: Row?

  package init(objectID: ObjectID, persisted: Row?) {
    self.objectID = objectID
    self.persisted = persisted
  }
}
