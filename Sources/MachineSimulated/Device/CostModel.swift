import MachineCore

/// What one count of each kind of work costs on a device.
package struct CostModel: Hashable, Sendable {
  /// In picoseconds, so that integer arithmetic keeps fractions of a nanosecond.
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

  // By raw value: a machine looks a price up for every report of work.
  private var costs: [Cost]

  /// Everything is free.
  package init() {
    costs = [Cost](repeating: .nothing, count: Work.Kind.allCases.count)
  }

  /// O(1).
  package subscript(_ kind: Work.Kind) -> Cost {
    get { costs[Int(kind.rawValue)] }
    set { costs[Int(kind.rawValue)] = newValue }
  }
}
