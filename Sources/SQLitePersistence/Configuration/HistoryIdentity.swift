/// What a store's history says of the process that writes it, and when its clock began.
///
/// Given and not asked of the system, so that runs on a simulated machine write the same bytes.
package struct HistoryIdentity: Hashable, Sendable {
  package var bundleIdentifier: String
  package var processIdentifier: String
  /// Seconds from 2001-01-01 00:00 UTC to the origin of the machine's clock: added to each timestamp.
  package var epoch: Double

  package init(bundleIdentifier: String = "stackbench", processIdentifier: String = "app", epoch: Double = 0) {
    self.bundleIdentifier = bundleIdentifier
    self.processIdentifier = processIdentifier
    self.epoch = epoch
  }
}
