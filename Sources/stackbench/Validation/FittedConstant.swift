import Glibc
import MachineCore
import MachineSimulated

/// What of a profile may be fitted to published figures: the CPU scale, the storage constants, the cost of merging a
/// change; nothing else.
enum FittedConstant: CaseIterable, Sendable {
  case cpuScale
  /// What a sync costs, by the count and by the byte, with and without a flush: by one factor, since a table of totals
  /// does not tell them apart.
  case storage
  /// What a change costs that a merge names, whatever the receiver has of it: by one factor, likewise.
  case merging

  private static let syncs: [Work.Kind] = [.sync, .fullFlush]
  private static let merges: [Work.Kind] = [.changeMergedUnregistered, .changeMergedFault, .changeMergedRealised]

  /// The prices that it multiplies; none of the CPU scale, which is no price.
  private var prices: [(kind: Work.Kind, component: CostComponent)] {
    switch self {
    case .cpuScale: []
    case .storage:
      FittedConstant.syncs.flatMap { kind in
        kind.costComponents.filter { !$0.isCPU }.map { (kind, $0) }
      }
    case .merging: FittedConstant.merges.map { ($0, .cpu) }
    }
  }

  /// The profile with this times `factor`.
  func scaling(_ profile: Profile, by factor: Double) -> Profile {
    var profile = profile
    if self == .cpuScale, let last = profile.scaleFactors.indices.last {
      profile.scaleFactors[last].value *= factor
    }
    for (kind, component) in prices { profile.prices[kind, component]?.constant.value *= factor }
    return profile
  }

  /// Whether the profile has anything that this could multiply.
  func isPresent(in profile: Profile) -> Bool {
    values(in: profile).contains { $0.value > 0 }
  }

  /// The constants in `profile`, as a profile's file names them, in nanoseconds a count or byte.
  func values(in profile: Profile) -> [(name: String, value: Double, range: ClosedRange<Double>)] {
    if self == .cpuScale {
      return profile.scaleFactors.suffix(1).map { ("cpuScale", $0.value, $0.low...max($0.low, $0.high)) }
    }
    return prices.compactMap { kind, component in
      profile.cost(kind, component).map {
        ("costs.\(kind.name).\(component.rawValue)", $0.value, $0.low...max($0.low, $0.high))
      }
    }
  }

  /// How far the factor may go, as logarithms, with every constant that it multiplies inside its range.
  func bounds(in profile: Profile) -> ClosedRange<Double> {
    values(in: profile).filter { $0.value > 0 }.reduce(-.infinity...(.infinity)) { bounds, constant in
      let low = max(bounds.lowerBound, log(constant.range.lowerBound / constant.value))
      return low...max(low, min(bounds.upperBound, log(constant.range.upperBound / constant.value)))
    }
  }
}
