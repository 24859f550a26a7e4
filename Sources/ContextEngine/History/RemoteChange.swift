/// A notification that a coordinator's store was written to: by the coordinator, by another coordinator on the same
/// file, or by another process.
///
/// It is posted once for all transactions since the last one. The store's history contains what they changed.
public struct RemoteChange: Hashable, Sendable {
  /// The UUID of the store.
  public let storeID: String
  /// A token of the last transaction that was written to the store.
  public let historyToken: PersistentHistoryToken
}
