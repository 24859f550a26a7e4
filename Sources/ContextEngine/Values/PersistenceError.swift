/// An error that describes why the engine or its store could not do what was asked.
public struct PersistenceError: Error, Sendable, CustomStringConvertible {
  /// The codes of errors. The raw values are Core Data's numbers where Core Data has such a code.
  public enum Code: Int, Sendable {
    /// A fault or an update refers to a row that is not in the store.
    case referentialIntegrity = 133000
    /// A save found rows that others had changed, under the error policy.
    case managedObjectMerge = 133020
    /// A save would leave objects with the same values of a uniqueness constraint: `constraintConflicts` lists them.
    case managedObjectConstraintMerge = 133021
    /// Some of several stores have written their part of a save and another has not.
    case incompleteSave = 134040
    /// A context's `save` was called during its own save.
    case recursiveSave = 132001
    /// Callbacks of a save kept changing objects. Core Data raises an exception that has no number.
    case contextStillDirty = 132002
    /// New rows have keys that a store in memory has already.
    case saveConflicts = 134050
    /// The file is not a store, is damaged or is a store of another model.
    case storeIncompatible = 134020
    /// The store cannot be opened, its file cannot be written or copied, or it has been closed.
    case storeOpen = 134080
    /// A store or a context does not support the request, or the request does not fit its entity.
    case unsupportedRequest = 134091
    /// The hash of an entity in the store differs from the model's.
    case incompatibleVersionHash = 134100
    /// The declarations of a model contradict each other (Core Data's general code; Core Data raises an exception
    /// here).
    case invalidModel = 134060
    /// The history after the given token has been deleted, or the token belongs to other stores.
    case historyTokenExpired = 134301
    /// Reading or writing failed in SQLite.
    case sqlite = 134180
    /// Another connection has the lock that the statement needs.
    case busy = 134181
    /// A read transaction tried to write after another connection had written (`SQLITE_BUSY_SNAPSHOT`).
    case busySnapshot = 134182
    /// The file system is full.
    case full = 134183
    /// The file of a value that is stored outside the database is missing or cannot be read; `path` names it.
    case externalDataUnreadable = 134185
    /// The file of a value that is stored outside the database cannot be written; `path` names it.
    case externalDataUnwritable = 134186
    /// An object refers to an object of another store, or no store accepts its entity.
    case storeAssignment = 134070
    /// A validation callback of the app refuses an object or a value, or a transformer cannot convert a value to bytes.
    case managedObjectValidation = 1550
    /// A batch request would leave rows with the same values of a uniqueness constraint.
    case managedObjectConstraintValidation = 1551
    /// Several properties or objects fail validation: `failures` lists them.
    case validationMultipleErrors = 1560
    /// A list's sort order does not keep the objects of a section together.
    case sectionsOutOfOrder = 134184
    /// A mandatory property has no value.
    case validationMissingMandatoryProperty = 1570
    /// A to-many relationship has fewer objects than its minimum.
    case validationRelationshipLacksMinimumCount = 1580
    /// A to-many relationship has more objects than its maximum.
    case validationRelationshipExceedsMaximumCount = 1590
    /// A relationship with the rule *deny* leads from a deleted object to one that is not.
    case validationRelationshipDeniedDelete = 1600
    /// A number is greater than the maximum of its attribute.
    case validationNumberTooLarge = 1610
    /// A number is less than the minimum of its attribute.
    case validationNumberTooSmall = 1620
    /// A date is later than the maximum of its attribute.
    case validationDateTooLate = 1630
    /// A date is earlier than the minimum of its attribute.
    case validationDateTooSoon = 1640
    /// A string is longer than the maximum length of its attribute.
    case validationStringTooLong = 1660
    /// A string is shorter than the minimum length of its attribute.
    case validationStringTooShort = 1670
    /// A string does not match the pattern of its attribute.
    case validationStringPatternMatching = 1680
    /// A predicate or a fetch request names a property that does not exist, compares values that cannot be compared, or
    /// is malformed.
    case invalidPredicate = 134061
    /// The caller cancelled the operation.
    case userCancelled = 3072
  }

  /// The kind of the error.
  public var code: Code
  /// A sentence that says what was wrong, where, and what would be right.
  public var message: String
  /// The affected objects, in order.
  public var objectIDs: [ObjectID]
  /// The conflicts of the save, if the code is `managedObjectMerge`.
  public var conflicts: [MergeConflict]
  /// The conflicts of the save with uniqueness constraints, if the code is `managedObjectConstraintMerge`.
  public var constraintConflicts: [ConstraintConflict] = []
  /// The failures that validation found, if the code is a validation code.
  public var failures: [ValidationFailure]
  /// The errors that callbacks of the app threw, in the order of the failures, without those that are
  /// `PersistenceError`s.
  public var underlyingErrors: [any Error] { failures.compactMap(\.underlyingError) }
  /// The statement that failed.
  public var sql: String?
  /// SQLite's extended result code.
  public var sqliteCode: Int32?
  /// The path of the store's file, or of the file of a value that is stored outside the database.
  public var path: String?

  /// Creates an error. Details that are left out are empty or nil.
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

  /// The message, followed by the code and by those of SQLite's code, the store's path and the statement that are
  /// known.
  public var description: String {
    var text = "\(message) (\(code.rawValue)"
    if let sqliteCode { text += ", SQLite \(sqliteCode)" }
    text += ")"
    if let path { text += ", store \(path)" }
    if let sql { text += ", statement: \(sql)" }
    return text
  }
}
