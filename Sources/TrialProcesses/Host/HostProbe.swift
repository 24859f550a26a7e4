import MachineCore

/// The results of the probe: the file system of the stores, the times of syncs and the lateness of ticks.
package struct HostProbe: Codable, Hashable, Sendable {
  package var fileSystem: FileSystem
  package var syncP50: TimeSpan
  var syncMaximum: TimeSpan
  package var tickLatenessP50: TimeSpan
  package var tickLatenessP99: TimeSpan
  var tickLatenessMaximum: TimeSpan
  var tickCount: Int

  /// Creates the results from measurements.
  ///
  /// - Parameters:
  ///   - fileSystem: The file system of the stores.
  ///   - syncs: The time that each sync took. Must not be empty.
  ///   - tickLateness: The time by which each tick's block began late. Must not be empty.
  init(fileSystem: FileSystem, syncs: [TimeSpan], tickLateness: [TimeSpan]) {
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

  private static func nearestRank(_ percent: Int, of sorted: [TimeSpan]) -> TimeSpan {
    sorted[(percent * sorted.count + 99) / 100 - 1]
  }
}
