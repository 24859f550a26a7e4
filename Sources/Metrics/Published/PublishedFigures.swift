/// One row of a published table of measurements: what somebody measured of one stack on a device of theirs.
package struct PublishedFigures: Hashable, Sendable {
  /// The id of the topology that the author's stack is.
  package let topology: String
  package let batching: SaveBatching
  package let role: Role
  package let totalMilliseconds: Int64
  /// What the author's profiler showed as time on the main thread: CPU, no waiting.
  package let mainCPUMilliseconds: Int64

  /// Whether the profile was made to agree with the row, or says it by itself.
  package enum Role: String, Hashable, Sendable, Codable {
    case fitted
    case predicted
  }

  /// When the objects of an import's first phase are saved.
  package enum SaveBatching: String, Hashable, Sendable, Codable, CaseIterable {
    /// Once after each entity's last object.
    case entity
    /// Every 500 objects.
    case every500 = "500"
  }

  package init(
    topology: String, batching: SaveBatching, role: Role, totalMilliseconds: Int64, mainCPUMilliseconds: Int64
  ) {
    self.topology = topology
    self.batching = batching
    self.role = role
    self.totalMilliseconds = totalMilliseconds
    self.mainCPUMilliseconds = mainCPUMilliseconds
  }
}

extension PublishedFigures {
  /// Florian Kugler, "Concurrent Core Data Stacks – Performance Shootout", 29 and 30 April 2013: an import of about 15,000
  /// objects on an iPad mini. His stacks 1, 2, 3 are #3, #5 and #2 here.
  package static let kugler2013 = [
    PublishedFigures(
      topology: "child-of-main", batching: .entity, role: .predicted, totalMilliseconds: 83_000,
      mainCPUMilliseconds: 43_000),
    PublishedFigures(
      topology: "three-tier", batching: .entity, role: .predicted, totalMilliseconds: 105_000,
      mainCPUMilliseconds: 29_000),
    PublishedFigures(
      topology: "worker-merge", batching: .entity, role: .fitted, totalMilliseconds: 67_000, mainCPUMilliseconds: 270),
    PublishedFigures(
      topology: "three-tier", batching: .every500, role: .predicted, totalMilliseconds: 87_000,
      mainCPUMilliseconds: 31_000),
    PublishedFigures(
      topology: "worker-merge", batching: .every500, role: .fitted, totalMilliseconds: 57_000, mainCPUMilliseconds: 230),
  ]
}
