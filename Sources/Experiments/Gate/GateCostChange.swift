import MachineCore
import MachineSimulated
import Reporting

/// A change of the simulated device's costs, by which a user can try what the gate finds.
///
/// ```swift
/// let change = try GateCostChange(argument: "faultFired=31")
/// ```
package struct GateCostChange: Hashable, Sendable {
  /// The costs that are changed.
  enum Costs: Hashable, Sendable {
    /// All costs in time of a core. The time that storage takes is not changed.
    case cpu
    /// All costs of one kind of work, including the time that it waits.
    case kind(Work.Kind)
  }

  let costs: Costs
  /// The factor by which the costs are multiplied.
  let factor: Double

  init(_ costs: Costs, factor: Double) {
    self.costs = costs
    self.factor = factor
  }

  /// Creates a change from an argument of the form `COST=PERCENT`, such as `cpu=2` or `faultFired=-10`.
  ///
  /// - Throws: `OptionValue.Refusal` if the form is wrong, there is no such cost, or the number is not above -100 and
  ///   at most 10,000.
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
        description: "not a cost; \(NearestName.clause(String(parts[0]), among: Self.names))use "
          + "\(Self.cpuName) or a kind of work that 'stackbench profiles reference' lists")
    }
  }

  /// The name of all CPU costs in an argument.
  static let cpuName = "cpu"
  /// The names of all costs that can be changed.
  package static let names = [cpuName] + Work.Kind.allCases.map(\.name)

  /// Changes the costs of the device that an experiment simulates. A live experiment stays unchanged.
  func apply(to experiment: inout Experiment) {
    guard let profile = experiment.simulation?.profile else { return }
    experiment.simulation?.profile =
      switch costs {
      case .cpu: profile.withCPU(times: factor)
      case .kind(let kind): profile.withCost(of: kind, times: factor)
      }
  }
}
