import Foundation
import MachineCore
import MachineSimulated
import Metrics

/// The constants of a profile, fitted to measurements and drawn towards a reference.
///
/// A constant is the reference's, times the computer's factor for the constant's class of work, times a deviation of the
/// constant's own. The factors are free; each deviation is drawn towards 1. How strongly is chosen by leaving scenarios
/// out: the strength with which the others predict a left-out scenario best. A constant that the measurements do not
/// determine therefore stays at its class.
package struct ProfileFit {
  /// One fitted constant.
  struct Line {
    var part: CostPart
    /// Nanoseconds for each count or byte.
    var value: Double
    /// The standard deviation of the value's logarithm.
    var deviation: Double
    /// Whether the measurements determine the constant, and not only its class.
    var isDetermined: Bool
    /// The share of all measured time that the constant makes up.
    var share: Double
  }

  /// How far a scenario is predicted by the others.
  struct LeftOut {
    var scenario: String
    /// The mean of |predicted ÷ measured − 1| over the scenario's sizes.
    var error: Double
    /// The work that no other scenario counts and that makes up much of this one; the error is not scored then.
    var uniqueWork: [String]

    var isScored: Bool { uniqueWork.isEmpty }
  }

  /// The constants that something measured counts, in the order of the kinds.
  let lines: [Line]
  /// Nanoseconds for each instruction of the reference, over all classes.
  let speed: Double
  /// The factor of each class that something measured counts, beside the speed.
  let factors: [WorkClass: ProfileConstant]
  /// The standard deviation of the prior of each constant's own logarithm.
  let priorDeviation: Double
  let leftOut: [LeftOut]

  /// Above this mean error a fit is not worth writing down.
  package static let errorLimit = 0.35
  package static let standardPriorDeviations = [0.1, 0.2, 0.35, 0.6, 1.0]
  /// The standard deviation of a right prediction around a measurement.
  private static let observationDeviation = 0.1
  /// Work that makes up this share of a scenario, and half of it of no other, is unique to the scenario.
  private static let leastUniqueShare = 0.1
  /// A constant is determined if the measurements narrow its prior down to this part.
  private static let determinedPart = 0.6

  /// - Parameters:
  ///   - measurements: two scenarios at least.
  ///   - weights: how many times as much as others scenarios count, by name; 1 where there is none.
  ///   - priorDeviations: the strengths to choose from, each the standard deviation of a constant's own logarithm.
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

  /// The mean error of the scored scenarios; 1 where none can be scored.
  package var meanError: Double { Self.meanError(leftOut) }

  private static func meanError(_ leftOut: [LeftOut]) -> Double {
    let scored = leftOut.filter(\.isScored)
    return scored.isEmpty ? 1 : scored.reduce(0) { $0 + $1.error } / Double(scored.count)
  }

  subscript(part: CostPart) -> Line? { lines.first { $0.part == part } }
}

// MARK: - The model

extension ProfileFit {
  /// Measurements as observations of classes and constants.
  private struct Model {
    let classes: [WorkClass]
    let parts: [CostPart]
    let observations: [LogNormalFit.Observation]
    /// The mean logarithm of measured nanoseconds over counted reference instructions.
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
              Double(measurement[part]) * (reference.costs[part]?.value ?? 0), [first, classes.count + place])
          },
          measured: Double(measurement.cpu.nanoseconds),
          deviation: ProfileFit.observationDeviation / (weights[measurement.scenario] ?? 1).squareRoot())
      }.filter { $0.measured > 0 && !$0.terms.isEmpty }
      let speeds = observations.map { log($0.measured / $0.terms.reduce(0) { $0 + $1.coefficient }) }.sorted()
      meanLogSpeed = speeds.isEmpty ? 0 : speeds[speeds.count / 2]
    }

    /// A class may be this far, as a logarithm, from the computer's speed: that says next to nothing beforehand.
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

    /// The work that makes up much of a scenario and little or nothing of every other.
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

  /// A constant whose range holds nine values in ten.
  static func constant(_ value: Double, deviation: Double, source: String) -> ProfileConstant {
    let spread = exp(1.645 * deviation)
    return ProfileConstant(value: value, low: value / spread, high: value * spread, source: source)
  }
}

extension WorkMeasurement {
  /// How many counts, or bytes, of a part of a cost were measured.
  subscript(part: CostPart) -> Int { part.component.isPerByte ? self[bytes: part.kind] : self[count: part.kind] }
}
