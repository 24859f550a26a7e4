import Foundation
import MachineCore

/// Where a coordinator's rows live. Implemented outside the engine; called from any thread.
///
/// A store is safe to call from several threads at once: it hands each caller a connection of its own and makes it wait
/// when all are taken. It knows rows and keys, not objects: registration, caching and merge policies are the
/// coordinator's. Requests come in batches of rows, never one call a row where there are many.
package protocol PersistentStore: AnyObject, Sendable {
  /// The UUID in the store's metadata.
  var identifier: String { get }

  /// Where the store lies.
  var url: URL { get }

  /// What Core Data calls the kind of store: `SQLite`, `InMemory`.
  var type: String { get }

  var model: ManagedObjectModel { get }

  /// Seconds from 2001-01-01 00:00 UTC to the origin of the machine's clock, as whoever opened the store gave them.
  var clockEpoch: Double { get }

  /// How many bytes of a value that may lie in a file of its own are still kept in the row of an object; nil = all.
  func externalDataLimit(for objectID: ObjectID) -> Int?

  /// The configuration of the model that the store was made for, which alone it can take objects of; nil = any.
  var modelConfiguration: String? { get }

  /// How many readers may work at the same time; 1 = the coordinator serialises every fetch and save.
  var connectionPoolSize: Int { get }

  /// Runs one SELECT and returns its rows in order. O(rows). Blocks on a free connection.
  func fetch(_ request: StoreFetchRequest) throws(PersistenceError) -> [StoreRow]

  /// Runs one SELECT of identities only, in the request's order.
  func fetchObjectIDs(_ request: StoreFetchRequest) throws(PersistenceError) -> [ObjectID]

  /// How many rows match, whatever the request's range: one SELECT.
  func count(_ request: StoreFetchRequest) throws(PersistenceError) -> Int

  /// The values that a request for dictionaries asks for, in its order: one SELECT.
  func dictionaries(_ request: StoreDictionaryRequest) throws(PersistenceError) -> [[Value]]

  /// The rows that have the given keys, in no particular order; keys without a row of the entity, or of one that
  /// inherits from it, are left out.
  ///
  /// - Parameter slots: the slots to read, as bits; `Row.allSlots` for whole rows.
  func rows(of entity: EntityDescription, keys: [Int64], slots: UInt64) throws(PersistenceError) -> [StoreRow]

  /// The row of one object, or nil if there is none: one SELECT by key.
  func row(for objectID: ObjectID) throws(PersistenceError) -> Row?

  /// The objects at the other end of a to-many relationship, in its order or their keys ascending: one SELECT over the key
  /// column or the join table.
  func objectIDs(
    relatedBy relationship: EntityDescription.ToMany, to objectID: ObjectID
  ) throws(PersistenceError) -> [ObjectID]

  /// The same for many objects that have the relationship from one entity, in step with them: one SELECT.
  func objectIDs(
    relatedBy relationship: EntityDescription.ToMany, to objectIDs: [ObjectID]
  ) throws(PersistenceError) -> [[ObjectID]]

  /// Reserves keys for new rows, in one transaction of its own: for each request the first of `count` keys in a row.
  func reserveKeys(_ requests: [KeyRequest]) throws(PersistenceError) -> [Int64]

  /// Writes all changes in one transaction, or none.
  ///
  /// Each update and deletion carries the version that it was based on. If one meets another version or no row, the
  /// transaction is rolled back and the outcome names every such object. Pairs and orders come last and meet no conflict.
  /// The caller holds the writer's turn.
  ///
  /// - Parameter beforeCommit: called once everything is written, if nothing conflicts; where it returns false or throws,
  ///   the transaction is rolled back, and the outcome names no object.
  func save(
    _ changes: StoreChanges, beforeCommit: () throws(PersistenceError) -> Bool
  ) throws(PersistenceError) -> SaveOutcome

  /// Carries a batch request out. The caller holds the writer's turn.
  func execute(_ batch: StoreBatch, from origin: TransactionOrigin) throws(PersistenceError) -> StoreBatchOutcome

  /// Numbers that change whenever anybody has written to the store since they were asked for; nil = it cannot tell.
  func changeToken() throws(PersistenceError) -> [Int64]?

  /// The transactions of its history that a request wants, in order.
  func history(_ request: StoreHistoryRequest) throws(PersistenceError) -> [PersistentHistoryTransaction]

  /// Deletes the transactions of its history before a bound and returns how many there were.
  func deleteHistory(before bound: StoreHistoryRequest.Bound) throws(PersistenceError) -> Int

  /// The number of the last transaction of its history, 0 before the first; nil where it keeps none.
  func lastTransactionNumber() throws(PersistenceError) -> Int64?

  /// Whether the store can hold a state for readers while others write.
  var supportsGenerations: Bool { get }

  /// A store that reads the rows as they are now, whatever is written later; it cannot be written to.
  func pinnedGeneration() throws(PersistenceError) -> any PersistentStore

  /// Closes every connection and leaves the file complete in itself. Waits for requests under way; later ones fail.
  func close() throws(PersistenceError)
}

extension PersistentStore {
  /// Of a store that is nowhere but in memory, made up from its UUID.
  package var url: URL { URL(string: "memory://\(identifier)") ?? URL(fileURLWithPath: "/") }

  package var type: String { "InMemory" }

  package var clockEpoch: Double { 0 }

  package func externalDataLimit(for objectID: ObjectID) -> Int? { nil }

  package var modelConfiguration: String? { nil }

  /// What the store says of itself.
  package var metadata: [String: String] { ["NSStoreType": type, "NSStoreUUID": identifier] }

  package func changeToken() throws(PersistenceError) -> [Int64]? { nil }

  /// Writes all changes in one transaction, or none.
  package func save(_ changes: StoreChanges) throws(PersistenceError) -> SaveOutcome {
    try save(changes) { () throws(PersistenceError) -> Bool in true }
  }
}

/// A row with its identity, whose entity is the row's own: that of a fetch, or one that inherits from it.
package struct StoreRow: Sendable {
  package var objectID: ObjectID
  package var row: Row

  package init(objectID: ObjectID, row: Row) {
    self.objectID = objectID
    self.row = row
  }

  package var key: Int64 { objectID.key }
}

/// How many keys of one entity to reserve.
package struct KeyRequest: Sendable {
  package var entity: EntityDescription
  package var count: Int
  /// Which of a coordinator's stores the rows go to; the first for a store by itself.
  package var store: Int

  package init(entity: EntityDescription, count: Int, store: Int = 0) {
    self.entity = entity
    self.count = count
    self.store = store
  }
}

/// What one save writes: each list in ascending order of object IDs, all IDs permanent.
package struct StoreChanges: Sendable {
  package var insertions: [Insertion] = []
  package var updates: [Update] = []
  package var deletions: [Deletion] = []
  /// Who writes them, for a store that keeps history.
  package var origin = TransactionOrigin()
  /// Pairs in join tables and orders, written last.
  package var relationships = StoreRelationshipChanges()
  /// Whether rows give up what they have under uniqueness constraints before others take it, at the price of more
  /// statements: needed where rows exchange such values.
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
    /// The row as it shall be, with its new version.
    package var row: Row
    /// The slots that changed, as bits; none where only the version rises (a to-many relationship changed).
    package var slots: UInt64
    /// The version on which the change was based.
    package var baseVersion: Int64

    package init(objectID: ObjectID, row: Row, slots: UInt64, baseVersion: Int64) {
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

/// How a save ended.
package enum SaveOutcome: Sendable {
  /// The changes were written. COMMIT returned at the instant, and the token is that of the transaction in persistent history.
  case committed(at: Instant, token: PersistentHistoryToken?)
  /// Nothing written: these objects' rows have another version than the changes were based on, or are gone (nil).
  case conflicting([VersionConflict])
  /// Nothing written: every version was the one expected, but a row would have the values of another in a constraint.
  case notUnique
}

/// An object whose row in the store is not the one that a change was based on.
package struct VersionConflict: Sendable {
  package var objectID: ObjectID
  /// The row as the store has it; nil = deleted.
  package var persisted: Row?

  package init(objectID: ObjectID, persisted: Row?) {
    self.objectID = objectID
    self.persisted = persisted
  }
}
