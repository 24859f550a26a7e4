/// A property of an object that cannot be saved as it is, or a deletion that is denied.
public struct ValidationFailure: Hashable, Sendable, CustomStringConvertible {
  /// Core Data's number for the failure (1550 to 1690).
  public var code: PersistenceError.Code
  /// The ID of the object that cannot be saved or deleted.
  public var objectID: ObjectID
  /// The name of the object's entity.
  public var entityName: String
  /// The name of the property, or nil if the object as a whole fails.
  public var propertyName: String?
  /// The value of the property; `.null` for to-many relationships and whole objects.
  public var value: Value
  /// The description of the failure, as the end of a sentence: “is mandatory and has no value”.
  public var reason: String
  /// The error that a callback of the app threw, if it is not a `PersistenceError`. Comparisons ignore it, because
  /// errors need not be equatable.
  public var underlyingError: (any Error)?

  /// Creates a failure without an underlying error.
  public init(
    _ code: PersistenceError.Code, objectID: ObjectID, entityName: String, propertyName: String?, value: Value = .null,
    reason: String
  ) {
    self.code = code
    self.objectID = objectID
    self.entityName = entityName
    self.propertyName = propertyName
    self.value = value
    self.reason = reason
  }

  /// Returns true if two failures are equal apart from their underlying errors.
  public static func == (left: ValidationFailure, right: ValidationFailure) -> Bool {
    left.code == right.code && left.objectID == right.objectID && left.entityName == right.entityName
      && left.propertyName == right.propertyName && left.value == right.value && left.reason == right.reason
  }

  /// Feeds the code, the ID of the object and the name of the property into a hasher.
  public func hash(into hasher: inout Hasher) {
    hasher.combine(code)
    hasher.combine(objectID)
    hasher.combine(propertyName)
  }

  /// The failure as text: the names of the entity and the property, the reason, and the key of the object's row.
  public var description: String {
    "\(entityName)\(propertyName.map { ".\($0)" } ?? "") \(reason) in object \(objectID.key)"
  }
}

extension PersistenceError {
  /// Returns one error for a list of failures: with the code of the failure if there is one, with 1560 if there are
  /// several.
  ///
  /// - Returns: nil if the list is empty.
  static func validation(_ failures: [ValidationFailure]) -> PersistenceError? {
    guard let first = failures.first else { return nil }
    let listed = failures.prefix(sentenceLimit).map(\.description).joined(separator: "; ")
    let more = failures.count > sentenceLimit ? "; and \(failures.count - sentenceLimit) more" : ""
    return PersistenceError(
      failures.count == 1 ? first.code : .validationMultipleErrors,
      failures.count == 1 ? listed : "\(failures.count) values may not be saved: \(listed)\(more)",
      objectIDs: failures.map(\.objectID), failures: failures)
  }

  /// The number of failures that a message describes; `failures` contains all of them.
  private static var sentenceLimit: Int { 10 }
}
