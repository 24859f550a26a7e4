/// The process that a store's history names as the writer, and the origin of the machine's clock.
///
/// The values are set by the app instead of being read from the system, so that runs on a simulated machine write the
/// same bytes. An app passes its bundle identifier, the name or number of its process, and the time at which its
/// machine's clock began.
public struct HistoryIdentity: Hashable, Sendable {
  /// The value of `bundleID` in transactions that this process writes.
  public var bundleIdentifier: String
  /// The value of `processID` in transactions that this process writes.
  public var processIdentifier: String
  /// The number of seconds from 2001-01-01 00:00 UTC to the origin of the machine's clock.
  ///
  /// The store adds it to the machine's time for the timestamps of transactions, and for derived attributes that hold
  /// the time of the last save.
  public var epoch: Double

  /// Creates an identity.
  ///
  /// - Parameters:
  ///   - bundleIdentifier: the identifier of the app.
  ///   - processIdentifier: the name or the number of the process.
  ///   - epoch: the seconds from 2001-01-01 00:00 UTC to the origin of the machine's clock.
  public init(bundleIdentifier: String = "stackbench", processIdentifier: String = "app", epoch: Double = 0) {
    self.bundleIdentifier = bundleIdentifier
    self.processIdentifier = processIdentifier
    self.epoch = epoch
  }
}
