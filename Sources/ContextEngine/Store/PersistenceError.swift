/// Why the engine or its store could not do what was asked.
public struct PersistenceError: Error, Sendable, CustomStringConvertible {
  /// Core Data's codes where it has one; the raw value is its number.
  public enum Code: Int, Sendable {
    /// A row that a fault or an update stands for is not in the store.
    case referentialIntegrity = 133000
    /// A save met rows that others had changed, under the error policy.
    case managedObjectMerge = 133020
    /// A parent cannot take what is pushed into it.
    case saveConflicts = 134050
    /// The file is not a store, is damaged or is a store of another model.
    case storeIncompatible = 134020
    case storeOpen = 134080
    /// Reading or writing failed in SQLite.
    case sqlite = 134180
    /// Another connection holds the lock that the statement needs.
    case busy = 134181
    /// A read transaction wanted to write after another connection had (`SQLITE_BUSY_SNAPSHOT`).
    case busySnapshot = 134182
    /// The file system is full.
    case full = 134183
    /// A mandatory property has no value.
    case validationMissingMandatoryProperty = 1570
    /// A predicate or a fetch request that names no property, compares what cannot be compared or is not well formed.
    case invalidPredicate = 134061
    /// The caller cancelled what it had asked for.
    case userCancelled = 3072
    /// Several objects fail validation.
    case validationMultipleErrors = 1560
  }

  public var code: Code
  /// One sentence: what was wrong, where, and what would be right.
  public var message: String
  /// The objects concerned, in order.
  public var objectIDs: [ObjectID]
  /// What met what, where the code is `managedObjectMerge`.
  public var conflicts: [MergeConflict]
  /// The statement that failed.
  public var sql: String?
  /// SQLite's extended result code.
  public var sqliteCode: Int32?
  /// The store's file.
  public var path: String?

  public init(
    _ code: Code, _ message: String, objectIDs: [ObjectID] = [], conflicts: [MergeConflict] = [], sql: String? = nil,
    sqliteCode: Int32? = nil, path: String? = nil
  ) {
    self.code = code
    self.message = message
    self.objectIDs = objectIDs
    self.conflicts = conflicts
    self.sql = sql
    self.sqliteCode = sqliteCode
    self.path = path
  }

  public var description: String {
    var text = "\(message) (\(code.rawValue)"
    if let sqliteCode { text += ", SQLite \(sqliteCode)" }
    text += ")"
    if let path { text += ", store \(path)" }
    if let sql { text += ", statement: \(sql)" }
    return text
  }
}
