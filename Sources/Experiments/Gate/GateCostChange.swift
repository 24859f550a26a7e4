import MachineCore
import MachineSimulated
import Reporting

/// A change of the simulated device's costs, with which one tries what the gate finds.
///
/// ```swift
/// let change = try GateCostChange(argument: "faultFired=31")
/// ```
package struct GateCostChange: Hashable, Sendable {
  /// The costs that are changed.
  enum Costs: Hashable, Sendable {
    /// All that is paid with a core.
    case cpu
    /// All costs of one kind of work.
    case kind(Work.Kind)
  }

  let costs: Costs
  let factor: Double

  init(_ costs: Costs, factor: Double) {
    self.costs = costs
    self.factor = factor
  }

  /// Reads `COST=PERCENT`, as in `cpu=2` or `faultFired=-10`.
  package init(argument: String) throws {
    let parts = argument.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.count == 2, let percent = Double(parts[1]), percent.isFinite, percent > -100, percent <= 10_000 else {
      throw OptionValue.Refusal(
        description: "not a cost and a change; use COST=PERCENT with a number above -100, as in cpu=2")
    }
    factor = 1 + percent / 100
    if parts[0] == Self.cpuName {
      costs = .cpu
    } else if let kind = Work.Kind.named(String(parts[0])) {
      costs = .kind(kind)
    } else {
      throw OptionValue.Refusal(
        description: "no such cost; \(NearestName.clause(String(parts[0]), among: Self.names))use "
          + "\(Self.cpuName) or a kind of work that 'stackbench profiles reference' lists")
    }
  }

  static let cpuName = "cpu"
  /// The names of all costs that can be changed.
  package static let names = [cpuName] + Work.Kind.allCases.map(\.name)

  /// Changes the device that an experiment simulates.
  func apply(to experiment: inout Experiment) {
    guard let profile = experiment.simulation?.profile else { return }
    experiment.simulation?.profile =
      switch costs {
      case .cpu: profile.withCPU(times: factor)
      case .kind(let kind): profile.withCost(of: kind, times: factor)
      }
  }
}
