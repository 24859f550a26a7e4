import MachineCore

/// A batch request in the form that a store executes.
package enum StoreBatch {
  case insert(StoreBatchInsertion)
  case update(StoreBatchUpdate)
  case delete(StoreBatchDeletion)
}

/// New rows of one entity, which the store requests one by one.
package struct StoreBatchInsertion {
  /// The treatment of a row that has the same values as another one in a uniqueness constraint.
  package enum ConflictRule: Sendable {
    /// The row is not inserted.
    case ignore
    /// The values that the row sets are written to the other row, whose version rises.
    case update
  }

  package var entity: EntityDescription
  package var conflictRule: ConflictRule
  /// The number of rows per transaction; 0 writes all rows in one transaction.
  package var batchSize: Int
  /// The row to fill, which is made once and reused for all rows.
  package var row: BatchRow
  /// Fills a row and returns true, or returns false if there are no more rows.
  package var next: (inout BatchRow) throws(PersistenceError) -> Bool
}

/// New values for all matching rows of an entity.
package struct StoreBatchUpdate: Sendable {
  package var request: StoreFetchRequest
  /// The assignments in the order of their slots.
  package var assignments: [Assignment]
  /// Indicates whether the outcome must list the rows.
  package var listsRows: Bool

  package struct Assignment: Sendable {
    package var slot: Int
    package var expression: UpdateExpression
  }
}

/// The rows to delete. Delete rules can delete further rows.
package struct StoreBatchDeletion: Sendable {
  package var target: Target
  /// Indicates whether the outcome must list the rows.
  package var listsRows: Bool

  package enum Target: Sendable {
    case matches(StoreFetchRequest)
    /// Rows with these permanent IDs.
    case objectIDs([ObjectID])
  }
}

/// The result of a batch request in a store.
package struct StoreBatchOutcome: Sendable {
  /// The inserted rows, the updated rows (including those in which a deletion cleared a key) and the deleted rows,
  /// each in the order in which they were written.
  package var inserted: [ObjectID] = []
  package var updated: [ObjectID] = []
  package var deleted: [ObjectID] = []
  /// The number of rows that one statement updated or deleted without listing them.
  package var unlistedCount = 0
  /// The time at which the last COMMIT returned, or nil if there was no change to write.
  package var committedAt: Instant?

  package init() {}

  /// Adds the result of a later transaction of the same request.
  package mutating func append(_ other: StoreBatchOutcome) {
    inserted += other.inserted
    updated += other.updated
    deleted += other.deleted
    unlistedCount += other.unlistedCount
    committedAt = other.committedAt ?? committedAt
  }

  /// The IDs of the rows that the request was made for. A deletion gives the deleted rows only, without the rows in
  /// which it cleared keys.
  package var objectIDs: [ObjectID] { deleted.isEmpty ? inserted + updated : deleted }
  package var count: Int { unlistedCount + (deleted.isEmpty ? inserted.count + updated.count : deleted.count) }
}

extension PersistentStore {
  /// Throws an error. A store that is not a database would gain no speed from batch requests, and Core Data's
  /// in-memory stores refuse them too.
  package func execute(
    _ batch: StoreBatch, from origin: TransactionOrigin
  ) throws(PersistenceError) -> StoreBatchOutcome {
    throw PersistenceError(
      .unsupportedRequest, "this store does not support batch requests; make the changes in a context and save it")
  }

  package var supportsGenerations: Bool { false }

  package func pinnedGeneration() throws(PersistenceError) -> any PersistentStore {
    throw PersistenceError(.unsupportedRequest, "this store does not support query generations")
  }
}
