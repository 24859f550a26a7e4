import Foundation
import MachineCore
import MachineSimulated
import Metrics

/// The constants of a profile, fitted to measurements and drawn towards a reference.
///
/// A constant is the product of the reference's constant, the computer's factor for its class of work, and a deviation
/// that belongs to this constant alone. The factors are free, while each deviation is drawn towards 1. The strength of
/// this prior is the one with which scenarios are predicted best by all others (cross-validation). A constant that the
/// measurements do not determine therefore stays close to the reference times the factor of its class.
package struct ProfileFit {
  /// One fitted constant.
  struct Line {
    var part: CostPart
    /// The cost of one count or byte, in nanoseconds.
    var value: Double
    /// The standard deviation of the value's logarithm.
    var deviation: Double
    /// True if the measurements determine the constant, and not only the factor of its class.
    var isDetermined: Bool
    /// The share of all measured time that the constant makes up.
    var share: Double
  }

  /// The result of predicting a scenario from all others.
  struct LeftOut {
    var scenario: String
    /// The mean of |predicted ÷ measured − 1| over the scenario's sizes.
    var error: Double
    /// The work that makes up much of this scenario and little of all others. If there is any, the error is not scored.
    var uniqueWork: [String]

    var isScored: Bool { uniqueWork.isEmpty }
  }

  /// The constants of the work that the measurements count, in the order of the kinds.
  let lines: [Line]
  /// The median number of nanoseconds for each reference instruction, over all measurements and classes.
  let speed: Double
  /// The factors of the classes that the measurements count, relative to `speed`.
  let factors: [WorkClass: ProfileConstant]
  /// The chosen standard deviation of the prior, for the logarithm of each constant's deviation from its class.
  let priorDeviation: Double
  let leftOut: [LeftOut]

  package static let standardPriorDeviations = [0.1, 0.2, 0.35, 0.6, 1.0]
  /// The standard deviation of measurements around a correct prediction, as a logarithm.
  private static let observationDeviation = 0.1
  /// The share at which work counts as a large part of a scenario. Such work is unique to the scenario if it makes up
  /// less than half this share of every other scenario.
  private static let leastUniqueShare = 0.1
  /// A constant is determined if its standard deviation after the fit is at most this part of the prior's.
  private static let determinedPart = 0.6

  /// Fits the constants to measurements.
  ///
  /// - Parameters:
  ///   - measurements: The measurements of at least two scenarios.
  ///   - reference: The costs towards which the constants are drawn.
  ///   - weights: The weights of scenarios, by name. A scenario that is missing has the weight 1.
  ///   - priorDeviations: The strengths of the prior to choose from, as standard deviations of the logarithm of a
  ///     constant's deviation from its class.
  package init(
    _ measurements: [WorkMeasurement], reference: CostReference, weights: [String: Double] = [:],
    priorDeviations: [Double] = standardPriorDeviations
  ) {
    let model = Model(measurements, reference: reference, weights: weights)
    var best: (deviation: Double, fit: LogNormalFit, leftOut: [LeftOut])?
    for deviation in priorDeviations {
      let fit = model.fit(priorDeviation: deviation)
      let leftOut = model.leaveScenariosOut(of: fit)
      if Self.meanError(leftOut) < best.map({ Self.meanError($0.leftOut) }) ?? .infinity {
        best = (deviation, fit, leftOut)
      }
    }
    let chosen = best ?? (1, model.fit(priorDeviation: 1), [])
    priorDeviation = chosen.deviation
    leftOut = chosen.leftOut
    speed = exp(model.meanLogSpeed)
    lines = model.lines(of: chosen.fit, priorDeviation: chosen.deviation)
    factors = model.factors(of: chosen.fit)
  }

  /// The mean error of the scored scenarios, or 1 if no scenario can be scored.
  package var meanError: Double { Self.meanError(leftOut) }

  private static func meanError(_ leftOut: [LeftOut]) -> Double {
    let scored = leftOut.filter(\.isScored)
    return scored.isEmpty ? 1 : scored.reduce(0) { $0 + $1.error } / Double(scored.count)
  }

  subscript(part: CostPart) -> Line? { lines.first { $0.part == part } }
}

// MARK: - The model

extension ProfileFit {
  /// The measurements as observations whose parameters are the factors of the classes and the constants' deviations.
  private struct Model {
    let classes: [WorkClass]
    let parts: [CostPart]
    let observations: [LogNormalFit.Observation]
    /// The median logarithm of measured nanoseconds over counted reference instructions.
    let meanLogSpeed: Double
    private let reference: CostReference

    init(_ measurements: [WorkMeasurement], reference: CostReference, weights: [String: Double]) {
      let counted = CostPart.cpu.filter { part in
        (reference.costs[part]?.value ?? 0) > 0 && measurements.contains { $0[part] > 0 }
      }
      let classes = WorkClass.allCases.filter { workClass in counted.contains { WorkClass($0) == workClass } }
      parts = counted
      self.classes = classes
      self.reference = reference
      observations = measurements.map { measurement in
        LogNormalFit.Observation(
          group: measurement.scenario,
          terms: counted.enumerated().compactMap { place, part in
            guard measurement[part] > 0, let workClass = WorkClass(part), let first = classes.firstIndex(of: workClass)
            else { return nil }
            return LogNormalFit.Term(
              Double(measurement[part]) * (reference.costs[part]?.value ?? 0),
              parameters: [first, classes.count + place])
          },
          measured: Double(measurement.cpu.nanoseconds),
          deviation: ProfileFit.observationDeviation / (weights[measurement.scenario] ?? 1).squareRoot())
      }.filter { $0.measured > 0 && !$0.terms.isEmpty }
      let speeds = observations.map { log($0.measured / $0.terms.reduce(0) { $0 + $1.coefficient }) }.sorted()
      meanLogSpeed = speeds.isEmpty ? 0 : speeds[speeds.count / 2]
    }

    /// The standard deviation of the prior for a class, as a logarithm relative to the computer's speed. It is so large
    /// that the prior has almost no influence.
    private static let classDeviation = 1.0

    func fit(priorDeviation: Double) -> LogNormalFit {
      LogNormalFit(
        parameters: classes.map { _ in .init(mean: meanLogSpeed, deviation: Self.classDeviation) }
          + parts.map { _ in .init(mean: 0, deviation: priorDeviation) },
        observations: observations)
    }

    func leaveScenariosOut(of fit: LogNormalFit) -> [LeftOut] {
      fit.groups.map { scenario in
        let partial = fit.leavingOut(scenario)
        let own = fit.observations.filter { $0.group == scenario }
        let error = own.reduce(0) { $0 + abs(exp(partial.error(of: $1)) - 1) } / Double(own.count)
        return LeftOut(scenario: scenario, error: error, uniqueWork: uniqueWork(of: scenario, fit))
      }
    }

    /// Returns the names of the work that makes up much of a scenario and little of every other one.
    private func uniqueWork(of scenario: String, _ fit: LogNormalFit) -> [String] {
      var isKnown = Array(repeating: false, count: parts.count)
      var isLarge = isKnown
      for observation in fit.observations {
        let total = fit.prediction(of: observation)
        for term in observation.terms {
          let share = fit.amount(of: term) / total
          let place = term.parameters[1] - classes.count
          if observation.group == scenario {
            isLarge[place] = isLarge[place] || share >= ProfileFit.leastUniqueShare
          } else {
            isKnown[place] = isKnown[place] || share >= ProfileFit.leastUniqueShare / 2
          }
        }
      }
      return parts.indices.filter { isLarge[$0] && !isKnown[$0] }.map { parts[$0].name }
    }

    func lines(of fit: LogNormalFit, priorDeviation: Double) -> [Line] {
      let total = fit.observations.reduce(0) { $0 + fit.prediction(of: $1) }
      return parts.enumerated().compactMap { place, part in
        guard let workClass = WorkClass(part), let first = classes.firstIndex(of: workClass),
          let cost = reference.costs[part]
        else { return nil }
        let own = classes.count + place
        let spent = fit.observations.reduce(0) { sum, observation in
          sum + observation.terms.filter { $0.parameters[1] == own }.reduce(0) { $0 + fit.amount(of: $1) }
        }
        return Line(
          part: part, value: cost.value * exp(fit.values[first] + fit.values[own]), deviation: fit.deviations[own],
          isDetermined: fit.deviations[own] <= ProfileFit.determinedPart * priorDeviation,
          share: total > 0 ? spent / total : 0)
      }
    }

    func factors(of fit: LogNormalFit) -> [WorkClass: ProfileConstant] {
      var factors: [WorkClass: ProfileConstant] = [:]
      for (place, workClass) in classes.enumerated() {
        factors[workClass] = ProfileFit.constant(
          exp(fit.values[place] - meanLogSpeed), deviation: fit.deviations[place],
          source: "fitted to the scenarios that count work of the class")
      }
      return factors
    }
  }

  /// Returns a constant whose range contains nine values in ten.
  static func constant(_ value: Double, deviation: Double, source: String) -> ProfileConstant {
    let spread = exp(1.645 * deviation)
    return ProfileConstant(value: value, low: value / spread, high: value * spread, source: source)
  }
}

extension WorkMeasurement {
  /// The measured number of counts, or of bytes, that a part of a cost is paid for.
  subscript(part: CostPart) -> Int { part.component.isPerByte ? self[bytes: part.kind] : self[count: part.kind] }
}
