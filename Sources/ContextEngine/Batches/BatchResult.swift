/// What a batch request is asked to return.
public enum BatchResultType: String, Hashable, Sendable, Codable, CaseIterable {
  /// Only that it succeeded; the default, and the cheapest.
  case statusOnly
  /// How many rows it wrote or deleted.
  case count
  /// Their IDs, ready for `mergeChanges(fromRemoteContextSave:into:)`.
  case objectIDs
}

/// What a batch request did, as far as it was asked.
public enum BatchResult: Hashable, Sendable {
  case status(Bool)
  case count(Int)
  case objectIDs([ObjectID])

  /// The IDs; none where the request was not asked for them.
  public var objectIDs: [ObjectID] {
    if case .objectIDs(let objectIDs) = self { objectIDs } else { [] }
  }

  /// How many rows the request wrote or deleted; nil where it was asked for its status only.
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
