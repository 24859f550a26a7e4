import MachineCore

/// The costs of each kind of work on a device, for one count and for one byte.
package struct CostModel: Hashable, Sendable {
  /// The cost of one kind of work in picoseconds, so that integer arithmetic keeps fractions of a nanosecond.
  package struct Cost: Hashable, Sendable {
    package static let nothing = Cost(
      cpuPerCount: 0, cpuPerByte: 0, storagePerCount: 0, storagePerByte: 0, latencyPerCount: 0)

    package var cpuPerCount: Int64
    package var cpuPerByte: Int64
    package var storagePerCount: Int64
    package var storagePerByte: Int64
    package var latencyPerCount: Int64

    package init(
      cpuPerCount: Int64 = 0, cpuPerByte: Int64 = 0, storagePerCount: Int64 = 0, storagePerByte: Int64 = 0,
      latencyPerCount: Int64 = 0
    ) {
      self.cpuPerCount = cpuPerCount
      self.cpuPerByte = cpuPerByte
      self.storagePerCount = storagePerCount
      self.storagePerByte = storagePerByte
      self.latencyPerCount = latencyPerCount
    }
  }

  // The costs are indexed by raw value, because a machine looks up a cost for every report of work.
  private var costs: [Cost]

  /// Creates a model in which all work is free.
  package init() {
    costs = [Cost](repeating: .nothing, count: Work.Kind.allCases.count)
  }

  /// The cost of a kind of work. O(1).
  package subscript(_ kind: Work.Kind) -> Cost {
    get { costs[Int(kind.rawValue)] }
    set { costs[Int(kind.rawValue)] = newValue }
  }
}
