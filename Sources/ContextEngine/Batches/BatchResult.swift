/// The kind of result that a batch request returns.
public enum BatchResultType: String, Hashable, Sendable, Codable, CaseIterable {
  /// The result only indicates that the request succeeded. This is the default and the fastest kind.
  case statusOnly
  /// The result is the number of rows that the request wrote or deleted.
  case count
  /// The result is the IDs of these rows, which can be passed to `mergeChanges(fromRemoteContextSave:into:)`.
  case objectIDs
}

/// The result of a batch request, of the kind that was requested.
public enum BatchResult: Hashable, Sendable {
  /// The fact that the request succeeded, which is always true.
  case status(Bool)
  /// The number of rows that the request wrote or deleted.
  case count(Int)
  /// The IDs of the rows that the request wrote or deleted.
  case objectIDs([ObjectID])

  /// The IDs of the rows; empty if the request was not asked for them.
  public var objectIDs: [ObjectID] {
    if case .objectIDs(let objectIDs) = self { objectIDs } else { [] }
  }

  /// The number of rows that the request wrote or deleted, or nil if it was asked for its status only.
  public var count: Int? {
    switch self {
    case .status: nil
    case .count(let count): count
    case .objectIDs(let objectIDs): objectIDs.count
    }
  }

  init(_ outcome: StoreBatchOutcome, as type: BatchResultType) {
    self =
      switch type {
      case .statusOnly: .status(true)
      case .count: .count(outcome.count)
      case .objectIDs: .objectIDs(outcome.objectIDs)
      }
  }
}
