/// What a coordinator hears when its store was written to: by itself, by another coordinator on the same file, or by
/// another process.
///
/// Posted once for all transactions since the last time. History says what they changed.
public struct RemoteChange: Hashable, Sendable {
  /// The UUID of the store.
  public let storeID: String
  /// The place in history up to which the store has been written.
  public let historyToken: PersistentHistoryToken
}
