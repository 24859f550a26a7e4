/// Why the engine or its store could not do what was asked.
public struct PersistenceError: Error, Sendable, CustomStringConvertible {
  /// Core Data's codes where it has one; the raw value is its number.
  public enum Code: Int, Sendable {
    /// A row that a fault or an update stands for is not in the store.
    case referentialIntegrity = 133000
    /// A save met rows that others had changed, under the error policy.
    case managedObjectMerge = 133020
    /// A save would leave objects with the same values of a uniqueness constraint: `constraintConflicts` lists them.
    case managedObjectConstraintMerge = 133021
    /// Of several stores some have written their part of a save and another has not.
    case incompleteSave = 134040
    /// A context was told to save inside its own save.
    case recursiveSave = 132001
    /// Callbacks of a save changed objects again and again. Core Data raises an exception that has no number.
    case contextStillDirty = 132002
    /// A parent cannot take what is pushed into it.
    case saveConflicts = 134050
    /// The file is not a store, is damaged or is a store of another model.
    case storeIncompatible = 134020
    case storeOpen = 134080
    /// The store does not know what it was asked for, or cannot do it.
    case unsupportedRequest = 134091
    /// The hash that a store has of an entity is not the model's.
    case incompatibleVersionHash = 134100
    /// The declarations of a model do not fit together (Core Data's general code; it raises an exception here).
    case invalidModel = 134060
    /// History after the token that was given has been deleted, or the token is of other stores.
    case historyTokenExpired = 134301
    /// Reading or writing failed in SQLite.
    case sqlite = 134180
    /// Another connection holds the lock that the statement needs.
    case busy = 134181
    /// A read transaction wanted to write after another connection had (`SQLITE_BUSY_SNAPSHOT`).
    case busySnapshot = 134182
    /// The file system is full.
    case full = 134183
    /// The file of a value that is kept beside the store is gone or cannot be read; `path` names it.
    case externalDataUnreadable = 134185
    /// The file of such a value cannot be written; `path` names it.
    case externalDataUnwritable = 134186
    /// An object refers to one of another store, or no store takes its entity.
    case storeAssignment = 134070
    /// An object fails a check of its own.
    case managedObjectValidation = 1550
    /// A batch request would leave rows with the same values of a uniqueness constraint.
    case managedObjectConstraintValidation = 1551
    /// Several properties or objects fail validation: `failures` lists them.
    case validationMultipleErrors = 1560
    /// A list's order does not keep the objects of a section together.
    case sectionsOutOfOrder = 134184
    /// A mandatory property has no value.
    case validationMissingMandatoryProperty = 1570
    /// A to-many relationship leads to fewer or more objects than it may.
    case validationRelationshipLacksMinimumCount = 1580
    case validationRelationshipExceedsMaximumCount = 1590
    /// A relationship with the rule *deny* leads from a deleted object to one that is not.
    case validationRelationshipDeniedDelete = 1600
    /// A value breaks a rule of its attribute.
    case validationNumberTooLarge = 1610
    case validationNumberTooSmall = 1620
    case validationDateTooLate = 1630
    case validationDateTooSoon = 1640
    case validationStringTooLong = 1660
    case validationStringTooShort = 1670
    case validationStringPatternMatching = 1680
    /// A predicate or a fetch request that names no property, compares what cannot be compared or is not well formed.
    case invalidPredicate = 134061
    /// The caller cancelled what it had asked for.
    case userCancelled = 3072
  }

  public var code: Code
  /// One sentence: what was wrong, where, and what would be right.
  public var message: String
  /// The objects concerned, in order.
  public var objectIDs: [ObjectID]
  /// What met what, where the code is `managedObjectMerge`.
  public var conflicts: [MergeConflict]
  /// Who meets whom, where the code is `managedObjectConstraintMerge`.
  public var constraintConflicts: [ConstraintConflict] = []
  /// Everything that failed, where the code is one of validation.
  public var failures: [ValidationFailure]
  /// The errors that callbacks of the app threw and that are not `PersistenceError`s, in the order of the failures.
  public var underlyingErrors: [any Error] { failures.compactMap(\.underlyingError) }
  /// The statement that failed.
  public var sql: String?
  /// SQLite's extended result code.
  public var sqliteCode: Int32?
  /// The store's file.
  public var path: String?

  public init(
    _ code: Code, _ message: String, objectIDs: [ObjectID] = [], conflicts: [MergeConflict] = [],
    failures: [ValidationFailure] = [], sql: String? = nil, sqliteCode: Int32? = nil, path: String? = nil
  ) {
    self.code = code
    self.message = message
    self.objectIDs = objectIDs
    self.conflicts = conflicts
    self.failures = failures
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
