import MachineCore

/// The results of the probe: the file system of the stores, the times of syncs and the lateness of ticks.
package struct HostProbe: Codable, Hashable, Sendable {
  package var fileSystem: FileSystem
  package var syncP50: Span
  var syncMaximum: Span
  package var tickLatenessP50: Span
  package var tickLatenessP99: Span
  var tickLatenessMaximum: Span
  var tickCount: Int

  /// Creates the results from measurements.
  ///
  /// - Parameters:
  ///   - fileSystem: The file system of the stores.
  ///   - syncs: The time that each sync took. Must not be empty.
  ///   - tickLateness: The time by which each tick's block began late. Must not be empty.
  init(fileSystem: FileSystem, syncs: [Span], tickLateness: [Span]) {
    self.fileSystem = fileSystem
    let syncs = syncs.sorted()
    syncP50 = HostProbe.nearestRank(50, of: syncs)
    syncMaximum = HostProbe.nearestRank(100, of: syncs)
    let lateness = tickLateness.sorted()
    tickLatenessP50 = HostProbe.nearestRank(50, of: lateness)
    tickLatenessP99 = HostProbe.nearestRank(99, of: lateness)
    tickLatenessMaximum = HostProbe.nearestRank(100, of: lateness)
    tickCount = lateness.count
  }

  private static func nearestRank(_ percent: Int, of sorted: [Span]) -> Span {
    sorted[(percent * sorted.count + 99) / 100 - 1]
  }
}
