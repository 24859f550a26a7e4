import MachineCore

/// The parts of the cost of one kind of work.
package enum CostComponent: String, CaseIterable, Sendable {
  /// Nanoseconds of a core for each count.
  case cpu
  /// Nanoseconds of a core for each byte.
  case cpuPerByte
  /// Nanoseconds of waiting for storage, without a core, for each count.
  case storage
  /// Nanoseconds of waiting for storage, without a core, for each byte.
  case storagePerByte
  /// Nanoseconds for each count that pass without a core before the work can begin.
  case latency

  /// A Boolean value that indicates whether the part is paid with a core, so that it follows the speed of a device.
  ///
  /// Waiting, for storage or until a woken thread runs, hardly depends on how fast the cores are; it belongs to each
  /// device.
  package var isCPU: Bool { self == .cpu || self == .cpuPerByte }
  package var isPerByte: Bool { self == .cpuPerByte || self == .storagePerByte }
}

extension Work.Kind {
  /// The parts that a complete profile gives for this kind of work; it has no others.
  package var costComponents: [CostComponent] {
    switch self {
    case .rowStepped, .rowWritten, .recordDecoded: [.cpu, .cpuPerByte]
    case .pageRead, .pageWritten: [.cpu, .storage, .storagePerByte]
    case .sync, .fullFlush: [.cpu, .storage, .storagePerByte]
    case .threadWoken: [.cpu, .latency]
    default: [.cpu]
    }
  }

  /// The name of the kind in profiles.
  package var name: String { "\(self)" }

  /// Returns the kind with the name, or nil if no kind has it.
  package static func named(_ name: String) -> Work.Kind? {
    allCases.first { $0.name == name }
  }
}
