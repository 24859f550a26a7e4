import MachineCore

/// Writes new rows of one entity into a store without making objects.
///
/// Contexts, validation and notifications are passed by: what is in memory learns of the rows when their IDs are merged.
/// Attributes that a row does not name get their defaults, derived ones are computed. Relationships cannot be set. Where the
/// entity has uniqueness constraints, a row that meets another one is left out under the merge policies `error`,
/// `store-trump` and `rollback`; under `object-trump` and `overwrite` it updates the other row, whose version rises.
public struct BatchInsertRequest {
  public let entity: EntityDescription
  public var resultType = BatchResultType.statusOnly
  /// Rows per transaction; 0 = all in one, so that either all are written or none. With more than one transaction the
  /// earlier ones stay where a later one fails.
  public var batchSize = 0

  let source: Source

  enum Source {
    case dictionaries([[String: Value]])
    case dictionaryHandler((inout [String: Value]) -> Bool)
    case rowHandler((inout BatchRow) -> Bool)
  }

  /// Inserts one row for each dictionary of property names and values.
  public init(_ entity: EntityDescription, objects: [[String: Value]]) {
    self.entity = entity
    source = .dictionaries(objects)
  }

  /// Asks `dictionaryHandler` to fill an empty dictionary for each row until it returns true, which says that there are
  /// no more.
  ///
  /// The handler runs while the store's writer is taken: it must not use a context of the same coordinator.
  public init(_ entity: EntityDescription, dictionaryHandler: @escaping (inout [String: Value]) -> Bool) {
    self.entity = entity
    source = .dictionaryHandler(dictionaryHandler)
  }

  /// Asks `rowHandler` to fill one row, which is used again and again and comes with the entity's defaults, until it
  /// returns true, which says that there are no more. The cheapest way: no names are looked up, no dictionaries made.
  ///
  /// The handler runs while the store's writer is taken: it must not use a context of the same coordinator.
  public init(_ entity: EntityDescription, rowHandler: @escaping (inout BatchRow) -> Bool) {
    self.entity = entity
    source = .rowHandler(rowHandler)
  }
}

extension BatchInsertRequest {
  /// What the store asks for each row: fills the row and returns true, or false at the end.
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
