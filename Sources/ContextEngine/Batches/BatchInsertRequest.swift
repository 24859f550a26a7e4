import MachineCore

/// A request that writes new rows of one entity into a store without making objects.
///
/// Contexts are not changed, objects are not validated, and no notifications are sent; contexts can merge the returned
/// IDs to see the rows. Attributes that a row does not name get their defaults, and derived attributes are computed.
/// Relationships cannot be set. If the entity has uniqueness constraints, a row that has the same values as another
/// one is left out under the merge policies `error`, `store-trump` and `rollback`; under `object-trump` and
/// `overwrite` it updates the other row, whose version rises.
public struct BatchInsertRequest {
  /// The entity of the new rows.
  public let entity: EntityDescription
  /// The kind of result that the request returns.
  public var resultType = BatchResultType.statusOnly
  /// The number of rows per transaction. 0, the default, writes all rows in one transaction, so that either all or no
  /// rows are written. With more than one transaction, the earlier ones stay if a later one fails.
  public var batchSize = 0

  let source: Source

  enum Source {
    case dictionaries([[String: Value]])
    case dictionaryHandler((inout [String: Value]) -> Bool)
    case rowHandler((inout BatchRow) -> Bool)
  }

  /// Creates a request that inserts one row for each dictionary of property names and values.
  public init(_ entity: EntityDescription, objects: [[String: Value]]) {
    self.entity = entity
    source = .dictionaries(objects)
  }

  /// Creates a request that calls `dictionaryHandler` to fill an empty dictionary for each row, until it returns true
  /// to indicate that there are no more rows.
  ///
  /// The handler runs while the store's writer is in use: it must not use a context of the same coordinator.
  public init(_ entity: EntityDescription, dictionaryHandler: @escaping (inout [String: Value]) -> Bool) {
    self.entity = entity
    source = .dictionaryHandler(dictionaryHandler)
  }

  /// Creates a request that calls `rowHandler` to fill a row, until it returns true to indicate that there are no more
  /// rows. The row is reused for all calls and has the entity's defaults at the start of each.
  ///
  /// This is the fastest way to insert rows, because it needs no lookups of names and no dictionaries. The handler
  /// runs while the store's writer is in use: it must not use a context of the same coordinator.
  public init(_ entity: EntityDescription, rowHandler: @escaping (inout BatchRow) -> Bool) {
    self.entity = entity
    source = .rowHandler(rowHandler)
  }
}

extension BatchInsertRequest {
  /// Returns the closure that the store calls for each row. It fills the row and returns true, or returns false if
  /// there are no more rows.
  func rows() -> (inout BatchRow) throws(PersistenceError) -> Bool {
    switch source {
    case .dictionaries(let dictionaries):
      var next = dictionaries.makeIterator()
      return { row throws(PersistenceError) in
        guard let dictionary = next.next() else { return false }
        try row.fill(dictionary)
        try row.checkBytes()
        return true
      }
    case .dictionaryHandler(let handler):
      return { row throws(PersistenceError) in
        var dictionary: [String: Value] = [:]
        if handler(&dictionary) { return false }
        try row.fill(dictionary)
        try row.checkBytes()
        return true
      }
    case .rowHandler(let handler):
      return { row throws(PersistenceError) in
        row.clear()
        if handler(&row) { return false }
        try row.checkBytes()
        return true
      }
    }
  }
}
