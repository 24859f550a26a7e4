import MachineCore
import MachineSimulated
import Metrics

/// A simulated device and the settings of its runs, which a child process reads from its plan.
package struct Simulation: Codable, Hashable, Sendable {
  @CodedOnce package var profile: Profile
  /// The seed that shuffles strands with equal instants, or nil to run them first come, first served.
  package var scheduleSeed: UInt64?
  /// The seed of the run, from which devices are drawn as well.
  package var seed: UInt64
  package var isTraced: Bool
  /// The number of the device that is drawn from the profile's ranges, or nil for the device with the profile's values.
  package var draw: Int?
  /// The distance of drawn devices from the profile's values in per cent, or nil for the profile's full ranges.
  package var drawPercent: Double?

  package init(
    profile: Profile, scheduleSeed: UInt64? = nil, seed: UInt64, isTraced: Bool, draw: Int? = nil,
    drawPercent: Double? = nil
  ) {
    self.profile = profile
    self.scheduleSeed = scheduleSeed
    self.seed = seed
    self.isTraced = isTraced
    self.draw = draw
    self.drawPercent = drawPercent
  }

  /// The device that is simulated. All topologies of a run get the same device for the same number of a draw.
  package var device: SimulatedDevice {
    guard let draw else { return profile.device() }
    var random = SeededRandom(seed: seed, stream: "device \(draw)")
    return (drawPercent.map { profile.narrowed(to: $0 / 100) } ?? profile).device(sampling: &random)
  }

  /// The position of the first payload between two ticks, in thousandths of an interval.
  ///
  /// It is the middle of the interval without a draw, and is otherwise drawn from 1 to 999. It is the same for every
  /// stack of a draw, and never on a tick.
  var arrivalPhase: Int {
    guard let draw else { return TickSchedule.middle }
    var random = SeededRandom(seed: seed, stream: "phase \(draw)")
    return 1 + random.below(999)
  }
}
