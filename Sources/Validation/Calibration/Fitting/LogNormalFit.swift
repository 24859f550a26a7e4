import Foundation

/// A fit of positive constants, for which there is prior knowledge, to measured totals.
///
/// A total is a sum of terms, and each term is a known coefficient times a product of constants. The fit works with the
/// constants' logarithms: it minimises the squared logarithms of predicted over measured totals, each in units of its
/// own deviation, plus the squared distances of the logarithms from their prior means, each in units of its prior
/// deviation. A constant that the totals do not determine therefore stays where its prior puts it.
///
/// ```swift
/// // Ten operations took one second; the prior is 80 ms for each, with a deviation of 20 %.
/// let fit = LogNormalFit(
///   parameters: [.init(mean: log(0.08), deviation: 0.2)],
///   observations: [.init(group: "tens", terms: [.init(10, [0])], measured: 1)])
/// let seconds = exp(fit.values[0])
/// ```
///
/// The fit uses Levenberg and Marquardt's method and is deterministic.
/// It takes O(steps · (observations · terms² + parameters³)).
package struct LogNormalFit: Sendable {
  /// The prior distribution of a constant's logarithm.
  package struct Parameter: Hashable, Sendable {
    /// The mean of the prior distribution of the logarithm.
    package var mean: Double
    /// The standard deviation of the prior distribution of the logarithm; above 0.
    package var deviation: Double
  }

  /// A part of a total: a coefficient times the product of the named constants.
  package struct Term: Hashable, Sendable {
    package var coefficient: Double
    /// The indices of the parameters. Each parameter occurs at most once.
    package var parameters: [Int]

    package init(_ coefficient: Double, parameters: [Int]) {
      self.coefficient = coefficient
      self.parameters = parameters
    }
  }

  /// A measured total.
  package struct Observation: Hashable, Sendable {
    /// The name of the group that `leavingOut(_:)` leaves out together.
    package var group: String
    package var terms: [Term]
    /// A part of the total that is known.
    package var constant: Double = 0
    /// The measured total; above 0.
    package var measured: Double
    /// The standard deviation of the logarithm of a measured total around a correct prediction.
    package var deviation: Double = 0.1
  }

  package let parameters: [Parameter]
  package let observations: [Observation]
  /// The logarithm of each constant.
  package private(set) var values: [Double]
  /// The covariances of the logarithms given the observations, row by row.
  package private(set) var covariances: [Double]

  /// The standard deviation of each logarithm given the observations, which is at most that of its prior.
  package var deviations: [Double] { parameters.indices.map { covariance($0, $0).squareRoot() } }

  private static let stepLimit = 200
  private static let leastGain = 1e-10

  /// - Parameters:
  ///   - parameters: The constants and their prior distributions.
  ///   - observations: The measured totals. Observations without a positive measured total, and observations with
  ///     neither terms nor a positive constant, are ignored.
  ///   - start: The logarithms at which the search begins, or nil for the prior means.
  package init(parameters: [Parameter], observations: [Observation], start: [Double]? = nil) {
    self.parameters = parameters
    self.observations = observations.filter { $0.measured > 0 && ($0.constant > 0 || !$0.terms.isEmpty) }
    values = start ?? parameters.map(\.mean)
    covariances = Array(repeating: 0, count: parameters.count * parameters.count)
    for (index, parameter) in parameters.enumerated() {
      covariances[index * parameters.count + index] = parameter.deviation * parameter.deviation
    }
    minimise()
  }

  /// Returns the fit without the observations of one group.
  package func leavingOut(_ group: String) -> LogNormalFit {
    LogNormalFit(parameters: parameters, observations: observations.filter { $0.group != group }, start: values)
  }

  /// Returns the total that the fitted constants predict.
  package func prediction(of observation: Observation) -> Double {
    Self.prediction(of: observation, values)
  }

  /// Returns the logarithm of the predicted total divided by the measured total.
  package func error(of observation: Observation) -> Double {
    log(prediction(of: observation) / observation.measured)
  }

  /// Returns the covariance of the logarithms of two constants, given the observations.
  package func covariance(_ one: Int, _ other: Int) -> Double { covariances[one * parameters.count + other] }

  /// Returns the variance of the sum of the logarithms of predicted totals, given the observations of the fit.
  package func variance(ofSumOf totals: [Observation]) -> Double {
    var shares = Array(repeating: 0.0, count: parameters.count)
    for total in totals {
      let prediction = prediction(of: total)
      for term in total.terms {
        let share = amount(of: term) / prediction
        for parameter in term.parameters { shares[parameter] += share }
      }
    }
    var variance = 0.0
    for one in shares.indices where shares[one] > 0 {
      for other in shares.indices { variance += shares[one] * shares[other] * covariance(one, other) }
    }
    return variance
  }

  /// Returns the contribution of a term to its total.
  package func amount(of term: Term) -> Double { Self.amount(of: term, values) }

  /// The groups in the order of their first appearance.
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
  /// Half the gradient and half the approximated Hessian of the objective, together with its value.
  private struct Slopes {
    var objective = 0.0
    var gradient: [Double]
    /// The rows one after another, filled on and left of the diagonal.
    var hessian: [Double]
  }

  private mutating func minimise() {
    let count = parameters.count
    guard count > 0 else { return }
    var damping = 1e-3
    var slopes = slopes(at: values)
    for _ in 0..<Self.stepLimit {
      var damped = slopes.hessian
      for index in 0..<count { damped[index * count + index] *= 1 + damping }
      guard let step = CholeskyFactor(damped, size: count)?.solution(for: slopes.gradient) else { break }
      // A constant changes at most e-fold in a step, because the slopes are a poor guide far from the solution.
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
    guard let factor = CholeskyFactor(slopes.hessian, size: count) else { return }
    for index in 0..<count {
      var unit = Array(repeating: 0.0, count: count)
      unit[index] = 1
      let row = factor.solution(for: unit)
      for other in 0..<count { covariances[index * count + other] = row[other] }
      covariances[index * count + index] = max(0, row[index])
    }
  }

  private func slopes(at values: [Double]) -> Slopes {
    let count = parameters.count
    var slopes = Slopes(
      gradient: Array(repeating: 0, count: count),
      hessian: Array(repeating: 0, count: count * count))
    for (index, parameter) in parameters.enumerated() {
      let distance = (values[index] - parameter.mean) / parameter.deviation
      slopes.objective += distance * distance
      slopes.gradient[index] += distance / parameter.deviation
      slopes.hessian[index * count + index] += 1 / (parameter.deviation * parameter.deviation)
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
      for index in touched {
        shares[index] /= total * observation.deviation
        slopes.gradient[index] += shares[index] * error
      }
      Self.add(shares, at: touched, to: &slopes.hessian)
      for index in touched { shares[index] = 0 }
    }
    return slopes
  }

  /// Adds the product of each two of the shares at the given indices, which must be distinct, to the lower triangle of
  /// a matrix.
  ///
  /// Iterating over a range would make builds without optimization, which tests run, several times slower.
  private static func add(_ shares: [Double], at touched: [Int], to hessian: inout [Double]) {
    let (size, count) = (shares.count, touched.count)
    hessian.withUnsafeMutableBufferPointer { hessian in
      shares.withUnsafeBufferPointer { shares in
        touched.withUnsafeBufferPointer { touched in
          guard let sums = hessian.baseAddress, let shares = shares.baseAddress, let indices = touched.baseAddress
          else { return }
          var one = 0
          while one < count {
            var other = 0
            while other <= one {
              let (first, second) = (indices[one], indices[other])
              let place = first > second ? first * size + second : second * size + first
              sums[place] += shares[first] * shares[second]
              other += 1
            }
            one += 1
          }
        }
      }
    }
  }
}
