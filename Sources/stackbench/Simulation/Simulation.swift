import MachineCore
import MachineSimulated
import Metrics

/// A simulated device and how it is run: plain values that a child process reads back.
struct Simulation: Codable, Hashable, Sendable {
  var profile: Profile
  /// Shuffles equal instants of different strands.
  var scheduleSeed: UInt64?
  /// The run's seed, from which devices are drawn as well.
  var seed: UInt64
  var isTraced: Bool
  /// Which device of the profile's ranges; nil = the one of its values.
  var draw: Int?
  /// How far drawn devices lie around the profile's values, in per cent; nil if they lie anywhere in its ranges.
  var drawPercent: Double?

  /// Draws are numbered from 1; all topologies of a run get the same device from the same number.
  var device: SimulatedDevice {
    guard let draw else { return profile.device() }
    var random = SeededRandom(seed: seed, stream: "device \(draw)")
    return (drawPercent.map { profile.narrowed(to: $0 / 100) } ?? profile).device(sampling: &random)
  }

  /// Where between two ticks the first payload arrives, in thousandths of an interval: in the middle, unless a draw varies
  /// it too. The same for every stack of a draw, and never on a tick.
  var arrivalPhase: Int {
    guard let draw else { return TickSchedule.middle }
    var random = SeededRandom(seed: seed, stream: "phase \(draw)")
    return 1 + random.below(999)
  }
}
