import Foundation

/// Fits positive constants, about which something is known beforehand, to measured totals.
///
/// A total is a sum of terms, and each term is a known coefficient times a product of constants. The fit works with the
/// constants' logarithms: it minimises the squared logarithms of predicted over measured totals, each in units of its
/// own deviation, plus the squared distances of the logarithms from their prior means, each in units of its prior
/// deviation. A constant that the totals do not determine therefore stays where its prior puts it.
///
/// ```swift
/// // One second for ten of a kind, thought beforehand to take 80 ms each, give or take 20 %.
/// let fit = LogNormalFit(
///   parameters: [.init(mean: log(0.08), deviation: 0.2)],
///   observations: [.init(group: "tens", terms: [.init(10, [0])], measured: 1)])
/// let seconds = exp(fit.values[0])
/// ```
///
/// Levenberg and Marquardt's method, deterministic; O(steps · (observations · terms² + parameters³)).
package struct LogNormalFit: Sendable {
  /// A constant, by its logarithm.
  package struct Parameter: Hashable, Sendable {
    /// The mean of the prior distribution of the logarithm.
    package var mean: Double
    /// The standard deviation of the prior distribution of the logarithm; above 0.
    package var deviation: Double

    package init(mean: Double, deviation: Double) {
      self.mean = mean
      self.deviation = deviation
    }
  }

  /// A part of a total: a coefficient times the product of the named constants.
  package struct Term: Hashable, Sendable {
    package var coefficient: Double
    /// Indices of parameters; a parameter stands at most once.
    package var parameters: [Int]

    package init(_ coefficient: Double, _ parameters: [Int]) {
      self.coefficient = coefficient
      self.parameters = parameters
    }
  }

  /// A measured total.
  package struct Observation: Hashable, Sendable {
    /// The name of what is left out together in `leavingOut(_:)`.
    package var group: String
    package var terms: [Term]
    /// A part of the total that is known.
    package var constant: Double
    /// The measured total; above 0.
    package var measured: Double
    /// The standard deviation of the logarithm of a measured total around a right prediction.
    package var deviation: Double

    package init(group: String, terms: [Term], constant: Double = 0, measured: Double, deviation: Double = 0.1) {
      self.group = group
      self.terms = terms
      self.constant = constant
      self.measured = measured
      self.deviation = deviation
    }
  }

  package let parameters: [Parameter]
  package let observations: [Observation]
  /// The logarithm of each constant.
  package private(set) var values: [Double]
  /// The standard deviation of each logarithm once the observations are known; at most that of its prior.
  package private(set) var deviations: [Double]

  private static let stepLimit = 200
  private static let leastGain = 1e-10

  /// - Parameters:
  ///   - parameters: the constants and what is known of them beforehand.
  ///   - observations: those with a prediction of 0, whatever the constants are, are passed over.
  package init(parameters: [Parameter], observations: [Observation]) {
    self.parameters = parameters
    self.observations = observations.filter { $0.measured > 0 && ($0.constant > 0 || !$0.terms.isEmpty) }
    values = parameters.map(\.mean)
    deviations = parameters.map(\.deviation)
    minimise()
  }

  /// Returns the fit without the observations of one group.
  package func leavingOut(_ group: String) -> LogNormalFit {
    LogNormalFit(parameters: parameters, observations: observations.filter { $0.group != group })
  }

  /// Returns the total that the fitted constants predict.
  package func prediction(of observation: Observation) -> Double {
    Self.prediction(of: observation, values)
  }

  /// Returns the logarithm of predicted over measured.
  package func error(of observation: Observation) -> Double {
    log(prediction(of: observation) / observation.measured)
  }

  /// The groups in the order in which they first come.
  package var groups: [String] {
    observations.reduce(into: []) { groups, observation in
      if !groups.contains(observation.group) { groups.append(observation.group) }
    }
  }

  private static func prediction(of observation: Observation, _ values: [Double]) -> Double {
    observation.terms.reduce(observation.constant) { $0 + amount(of: $1, values) }
  }

  private static func amount(of term: Term, _ values: [Double]) -> Double {
    term.coefficient * exp(term.parameters.reduce(0) { $0 + values[$1] })
  }
}

// MARK: - Minimising

extension LogNormalFit {
  /// Half the gradient and half the approximated Hessian of the objective, and its value.
  private struct Slopes {
    var objective = 0.0
    var gradient: [Double]
    var hessian: [[Double]]
  }

  private mutating func minimise() {
    guard !parameters.isEmpty else { return }
    var damping = 1e-3
    var slopes = slopes(at: values)
    for _ in 0..<Self.stepLimit {
      var damped = slopes.hessian
      for index in damped.indices { damped[index][index] *= 1 + damping }
      guard let step = Self.solve(damped, slopes.gradient) else { break }
      // A constant changes at most e-fold in a step: far from the solution the slopes say little.
      let candidate = zip(values, step).map { $0 - min(max($1, -1), 1) }
      let next = self.slopes(at: candidate)
      if next.objective < slopes.objective {
        let gain = (slopes.objective - next.objective) / max(slopes.objective, .leastNormalMagnitude)
        values = candidate
        slopes = next
        damping = max(damping / 10, 1e-12)
        if gain < Self.leastGain { break }
      } else {
        damping *= 10
        if damping > 1e9 { break }
      }
    }
    for index in parameters.indices {
      var unit = Array(repeating: 0.0, count: parameters.count)
      unit[index] = 1
      if let column = Self.solve(slopes.hessian, unit) { deviations[index] = max(0, column[index]).squareRoot() }
    }
  }

  private func slopes(at values: [Double]) -> Slopes {
    let count = parameters.count
    var slopes = Slopes(
      gradient: Array(repeating: 0, count: count),
      hessian: Array(repeating: Array(repeating: 0, count: count), count: count))
    for (index, parameter) in parameters.enumerated() {
      let distance = (values[index] - parameter.mean) / parameter.deviation
      slopes.objective += distance * distance
      slopes.gradient[index] += distance / parameter.deviation
      slopes.hessian[index][index] += 1 / (parameter.deviation * parameter.deviation)
    }
    var shares = Array(repeating: 0.0, count: count)
    for observation in observations {
      var touched: [Int] = []
      var total = observation.constant
      for term in observation.terms {
        let amount = Self.amount(of: term, values)
        guard amount > 0 else { continue }
        total += amount
        for parameter in term.parameters {
          if shares[parameter] == 0 { touched.append(parameter) }
          shares[parameter] += amount
        }
      }
      guard total > 0 else { continue }
      let error = log(total / observation.measured) / observation.deviation
      slopes.objective += error * error
      for index in touched { shares[index] /= total * observation.deviation }
      for first in touched {
        slopes.gradient[first] += shares[first] * error
        for second in touched { slopes.hessian[first][second] += shares[first] * shares[second] }
      }
      for index in touched { shares[index] = 0 }
    }
    return slopes
  }

  /// Returns x with matrix · x = target by Cholesky's decomposition, or nil where the matrix is not positive definite.
  static func solve(_ matrix: [[Double]], _ target: [Double]) -> [Double]? {
    let count = target.count
    var lower = Array(repeating: Array(repeating: 0.0, count: count), count: count)
    for row in 0..<count {
      for column in 0...row {
        var sum = matrix[row][column]
        for place in 0..<column { sum -= lower[row][place] * lower[column][place] }
        if row == column {
          guard sum > 0, sum.isFinite else { return nil }
          lower[row][row] = sum.squareRoot()
        } else {
          lower[row][column] = sum / lower[column][column]
        }
      }
    }
    var solution = target
    for row in 0..<count {
      for place in 0..<row { solution[row] -= lower[row][place] * solution[place] }
      solution[row] /= lower[row][row]
    }
    for row in (0..<count).reversed() {
      for place in (row + 1)..<count { solution[row] -= lower[place][row] * solution[place] }
      solution[row] /= lower[row][row]
    }
    return solution
  }
}
