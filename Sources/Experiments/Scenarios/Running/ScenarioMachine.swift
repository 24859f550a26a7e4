import MachineSimulated

/// The machine on which both sides of a scenario run.
package enum ScenarioMachine: Sendable, Codable {
  /// The threads and the clock of this computer.
  case live
  /// A simulated device. The seed shuffles threads with equal instants; without it they run first come, first served.
  /// The number of a draw takes a device from the profile's ranges in place of the one with the profile's own values.
  case simulated(Profile, seed: UInt64? = nil, draw: Int? = nil)

  /// The kinds of machines. Their raw values are the names that flags use.
  package enum Kind: String, CaseIterable, Sendable, Codable {
    case live
    case simulated
  }

  /// The kind of the machine.
  package var kind: Kind {
    switch self {
    case .live: .live
    case .simulated: .simulated
    }
  }

  /// The seed of the simulated device, or nil if it has none or the machine is live.
  package var seed: UInt64? {
    if case .simulated(_, let seed, _) = self { seed } else { nil }
  }

  /// Returns the simulated device with another seed, or the live machine as it is.
  package func withSeed(_ seed: UInt64) -> ScenarioMachine {
    if case .simulated(let profile, _, let draw) = self { .simulated(profile, seed: seed, draw: draw) } else { self }
  }

  /// The name of the simulated device, or nil for the live machine.
  package var device: String? {
    if case .simulated(let profile, _, _) = self { profile.name } else { nil }
  }
}
