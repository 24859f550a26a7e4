import MachineSimulated
import Metrics

/// A range for a value of a profile, which follows from a figure of another library or from a benchmark.
struct ProfileConstraint: Hashable, Sendable {
  var name: String
  /// The name of the profile that the figure concerns.
  var profile: String
  var subject: Subject
  /// The lower end of the range, in nanoseconds or as a ratio of speeds, or nil if the range has no lower end.
  var low: Double?
  /// The upper end of the range, in the same unit, or nil if the range has no upper end.
  var high: Double?
  var source: String

  /// The value of a profile to which a range applies.
  enum Subject: Hashable, Sendable {
    /// The time of the given counts of work on the device, without the factors of a framework's shape.
    case costs(title: String, counts: [Count])
    /// The time of an instruction, divided by its time on another profile.
    case speed(relativeTo: String)
  }

  /// The number of times that one part of a cost is paid.
  struct Count: Hashable, Sendable {
    var part: CostPart
    var count: Int
  }

  /// The names of all profiles that are needed to check the constraint.
  var profileNames: [String] {
    switch subject {
    case .costs: [profile]
    case .speed(let other): [profile, other]
    }
  }

  /// Returns the profile's value, or nil if a profile is missing or has no speed. `profiles` are the resolved profiles
  /// by their names.
  func value(in profiles: [String: Profile]) -> Double? {
    guard let device = profiles[profile] else { return nil }
    switch subject {
    case .costs(_, let counts):
      let device = device.withoutShape
      return counts.reduce(0) { sum, entry in
        sum + Double(entry.count) * (device.cost(entry.part.kind, entry.part.component)?.value ?? 0)
      }
    case .speed(let other):
      guard let speed = device.speed?.value, let unit = profiles[other]?.speed?.value else { return nil }
      return speed / unit
    }
  }

  /// Returns the constraint together with the profile's value, which is nil if a profile is missing or has no speed.
  /// Costs are rounded to nanoseconds and speeds to millionths.
  func result(in profiles: [String: Profile]) -> ConstraintResult {
    let title: String
    let unit: ConstraintResult.Unit
    switch subject {
    case .costs(let text, _): (title, unit) = (text, .nanoseconds)
    case .speed(let other): (title, unit) = ("an instruction's time over that on \(other)", .partsPerMillion)
    }
    func rounded(_ value: Double) -> Int64 {
      Int64((unit == .nanoseconds ? value : value * 1_000_000).rounded())
    }
    return ConstraintResult(
      name, profile: profile, subject: title, value: value(in: profiles).map(rounded),
      allowed: ConstraintResult.Allowed(low: low.map(rounded), high: high.map(rounded), unit: unit, source: source))
  }
}
