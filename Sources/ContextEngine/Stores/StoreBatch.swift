import MachineCore

/// A batch request as a store takes it.
package enum StoreBatch {
  case insert(StoreBatchInsertion)
  case update(StoreBatchUpdate)
  case delete(StoreBatchDeletion)
}

/// New rows of one entity, which the store asks for one by one.
package struct StoreBatchInsertion {
  /// What becomes of a row that meets another by a uniqueness constraint.
  package enum ConflictRule: Sendable {
    /// It is left out.
    case ignore
    /// What it sets goes into the other row, whose version rises.
    case update
  }

  package var entity: EntityDescription
  package var conflictRule: ConflictRule
  /// Rows per transaction; 0 = all in one.
  package var batchSize: Int
  /// A row to be filled, made once and used for all.
  package var row: BatchRow
  /// Fills a row; false = there are no more.
  package var next: (inout BatchRow) throws(PersistenceError) -> Bool
}

/// New values for all rows of an entity that match.
package struct StoreBatchUpdate: Sendable {
  package var request: StoreFetchRequest
  /// In the order of slots.
  package var assignments: [Assignment]

  package struct Assignment: Sendable {
    package var slot: Int
    package var expression: UpdateExpression
  }
}

/// Rows to delete, with what delete rules take along.
package struct StoreBatchDeletion: Sendable {
  package var target: Target

  package enum Target: Sendable {
    case matches(StoreFetchRequest)
    /// Permanent IDs.
    case objectIDs([ObjectID])
  }
}

/// What a store did for a batch request.
package struct StoreBatchOutcome: Sendable {
  /// New rows, changed rows (also those that a deletion has emptied a key of) and deleted rows, each in the order of the
  /// work.
  package var inserted: [ObjectID] = []
  package var updated: [ObjectID] = []
  package var deleted: [ObjectID] = []
  /// When the last COMMIT returned; nil where nothing was to be written.
  package var committedAt: Instant?

  package init() {}

  /// Takes in what a later transaction of the same request did.
  package mutating func append(_ other: StoreBatchOutcome) {
    inserted += other.inserted
    updated += other.updated
    deleted += other.deleted
    committedAt = other.committedAt ?? committedAt
  }

  /// What the request was about: of a deletion the rows that are gone and not those whose keys were emptied for it.
  package var objectIDs: [ObjectID] { deleted.isEmpty ? inserted + updated : deleted }
  package var count: Int { deleted.isEmpty ? inserted.count + updated.count : deleted.count }
}

extension PersistentStore {
  /// A store that is no database has nothing to gain from batch requests and refuses, as Core Data's do.
  package func execute(
    _ batch: StoreBatch, from origin: TransactionOrigin
  ) throws(PersistenceError) -> StoreBatchOutcome {
    throw PersistenceError(
      .unsupportedRequest, "this store does not take batch requests; make the changes in a context and save it")
  }

  package var supportsGenerations: Bool { false }

  package func pinnedGeneration() throws(PersistenceError) -> any PersistentStore {
    throw PersistenceError(.unsupportedRequest, "this store cannot hold a state for readers")
  }
}
