import MachineCore
import Metrics

extension Manifest {
  /// The part of a manifest that describes a simulated run.
  package struct Simulation: Hashable, Sendable {
    package var profile: String
    package var profileVersion: Int
    package var replay: String
    package var trials: [SimulatedTrial]

    package init(profile: String, profileVersion: Int, replay: String, trials: [SimulatedTrial]) {
      self.profile = profile
      self.profileVersion = profileVersion
      self.replay = replay
      self.trials = trials
    }

    /// The fingerprints of all trials, in their order, folded into one; the fingerprint itself for a single trial.
    var fingerprint: String {
      guard trials.count != 1 else { return trials[0].fingerprint }
      let digits = String(StableHash.hash(of: trials.map(\.fingerprint).joined()), radix: 16)
      return String(repeating: "0", count: 16 - digits.count) + digits
    }
  }

  /// A simulated trial: its identity, its extent and its costs.
  package struct SimulatedTrial: Hashable, Sendable, Codable {
    package var topology: String
    @ExplicitNull package var variant: String?
    package var trial: Int
    /// The number of the device drawn from the profile's ranges; absent for the device with the profile's own values.
    package var draw: Int?
    package var fingerprint: String
    package var handOffsCount: Int
    package var eventsCount: Int
    package var virtualNanoseconds: Int64
    /// The duration of the simulation, which differs from run to run.
    package var wallNanoseconds: Int64
    /// The costs that the profile charged in the window, by role and kind of work, as in `ui faultFired`. Waiting is
    /// not included.
    package var chargedNanoseconds: [String: Int64]?
    /// The number of SQL statements that the main thread ran; absent in the manifests of earlier versions.
    package var mainStatementsCount: Int64?

    package init(identity: TrialIdentity, figures: SimulationFigures, charged: [PricedWork]? = nil) {
      topology = identity.topology
      variant = identity.variant
      trial = identity.trial
      draw = figures.draw
      fingerprint = figures.fingerprint
      handOffsCount = figures.handOffsCount
      eventsCount = figures.eventsCount
      virtualNanoseconds = figures.virtualNanoseconds
      wallNanoseconds = figures.wallNanoseconds
      chargedNanoseconds = charged.map { works in
        Dictionary(works.map { ("\($0.role) \($0.kind)", $0.nanoseconds) }, uniquingKeysWith: +)
      }
    }

    private enum CodingKeys: String, CodingKey {
      case topology
      case variant
      case trial
      case draw
      case fingerprint
      case handOffsCount = "hand_offs_count"
      case eventsCount = "events_count"
      case virtualNanoseconds = "virtual_ns"
      case wallNanoseconds = "wall_ns"
      case chargedNanoseconds = "charged_ns"
      case mainStatementsCount = "main_statements_count"
    }
  }
}
