import Foundation
import OutputFiles
import Workloads

/// The contents of a store that inspection shows and compares with a model: settings, metadata, entities and tables.
package struct StoreContents: Hashable, Sendable {
  /// An entity as `Z_PRIMARYKEY` lists it.
  package struct Entity: Codable, Hashable, Sendable {
    /// The number of the entity in the store (`Z_ENT`).
    package let number: Int64
    /// The name of the entity.
    package let name: String
    /// The number of the superentity, or 0 for an entity without one.
    package let superentity: Int64
    /// The largest key that was given to an object of the entity's table.
    package let largestKey: Int64

    enum CodingKeys: String, CodingKey {
      case number, name
      case superentity = "super"
      case largestKey = "max"
    }
  }

  /// A table of an entity or of a many-to-many relationship.
  package struct Table: Hashable, Sendable {
    /// The name of the table.
    package let name: String
    /// The columns in their order.
    package let columns: [Column]
    /// The columns of each unique index, sorted by their names.
    package let uniqueIndexes: [[String]]
    /// The number of rows.
    package let rowCount: Int
  }

  /// A column of a table.
  package struct Column: Hashable, Sendable {
    /// The name of the column.
    package let name: String
    /// The declared type of the column.
    package let type: String
  }

  /// The number of bytes of a page of the database.
  package let pageSize: Int
  /// The mode in which the database gives room back: 0 for never, 1 for full, 2 for incremental.
  package let autoVacuum: Int
  /// The journal mode that the file itself has: `wal`, or `delete` for a rollback journal of any kind.
  package let journalMode: String
  /// The result of SQLite's check of the whole file.
  package let integrityCheck: String
  /// The metadata.
  package let metadata: InspectedMetadata
  /// The entities in the order of their numbers, with those that Core Data adds for itself.
  package let entities: [Entity]
  /// The tables in the order of their names.
  package let tables: [Table]
  /// The number of transactions of the persistent history, or nil if the store keeps no history.
  package let historyTransactionCount: Int?
  /// The number of changes of the persistent history, or nil if the store keeps no history.
  package let historyChangeCount: Int?

  /// Reads a copy of a store completely.
  ///
  /// Complexity: O(n) in the bytes of the store.
  /// - Throws: `FileError` that names the original if the file is damaged or not a store of Core Data.
  package init(of copy: StoreCopy) throws(FileError) {
    do throws(VerificationError) {
      let file = try SQLiteFile(recovering: URL(fileURLWithPath: copy.path), namedAs: copy.origin)
      let reader = StoreReader(file: file, origin: copy.origin)
      // The first read applies the log or the journal.
      let names = try reader.tableNames()
      guard names.contains("Z_METADATA"), names.contains("Z_PRIMARYKEY") else {
        throw StoreReader.notAStore(copy.origin, names)
      }
      pageSize = try reader.integer("PRAGMA page_size")
      // Pages that are only in the log may be beyond the end of the database.
      if copy.logByteCount == 0 { try reader.checkEnd(of: copy.path, pageSize: pageSize) }
      integrityCheck = try reader.integrityCheck()
      autoVacuum = try reader.integer("PRAGMA auto_vacuum")
      journalMode = try reader.string("PRAGMA journal_mode")
      metadata = try reader.metadata()
      let entities = try reader.entities()
      self.entities = entities
      tables = try reader.tables(names, of: entities)
      let hasHistory = names.contains("ATRANSACTION") && names.contains("ACHANGE")
      historyTransactionCount = hasHistory ? try reader.integer("SELECT count(*) FROM ATRANSACTION") : nil
      historyChangeCount = hasHistory ? try reader.integer("SELECT count(*) FROM ACHANGE") : nil
    } catch {
      throw StoreReader.inspectionError(error, copy.origin)
    }
  }

  /// Returns the table with a name, or nil if it does not exist.
  func table(_ name: String) -> Table? {
    tables.first { $0.name == name }
  }

  /// Returns the name of the entity with a number, or nil if it does not exist.
  func entityName(_ number: Int64) -> String? {
    entities.first { $0.number == number }?.name
  }
}
